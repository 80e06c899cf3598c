// The engine in a worker: the page is parsed once and selected from often. Messages are { id, call, args },
// answers { id, result } or { id, error }; answer 0 comes unasked: what is sent earlier would be lost.
import { countWords, methods, parse, version } from "./engine/browser.js";

// For one page, whatever is in it; what reaches a limit is partial, and said to be.
const limits = { maxMilliseconds: 10000, maxNodes: 200000 };

let page = null;

const calls = {
  open(bytes, { url, charset }) {
    page?.free();
    page = null;
    page = parse(bytes, { url, charset, ...limits });
  },

  explain: (method) => selected(method, { explain: true }, (content) => content.record),

  write: (method, format, options) => selected(method, options, (content) => content.write(format)),

  segment: (options) => page.segment(options),

  cloud: (method) =>
    selected(method, {}, (content) => countWords(content.text, { language: content.record.language, words: 80 })),
};

function selected(method, options, use) {
  const content = page.select(method, options);
  try {
    return use(content);
  } finally {
    content.free();
  }
}

onmessage = ({ data: { id, call, args } }) => {
  try {
    postMessage({ id, result: calls[call](...args) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};

postMessage({ id: 0, result: { version, methods } });

// Engines compile what runs often better: the first page of a visitor should not be the first one.
const sample = parse("<h1>A page</h1><p>With some words, to begin with.</p>".repeat(40));
for (let i = 0; i < 5; i++) sample.select("auto", { explain: true }).write("html");
sample.free();
