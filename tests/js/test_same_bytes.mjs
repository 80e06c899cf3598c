// The module beside the program, on all pages of wcxb-dev: the same bytes as text and as Markdown, in
// Node.js and in a worker of Chromium, and at least 0.4 of the program's speed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { test } from "node:test";

import { extract } from "../../bindings/js/lib/node.js";
import { dataSet, openBrowser, pagesOf, program, programOutput, root } from "./support.mjs";

const formats = ["txt", "md"];
const folder = dataSet("wcxb-dev");
const skip = folder ? false : "the data set wcxb-dev is not here";
const pages = folder ? pagesOf(folder) : [];
const LEAST_SPEED = 0.4; // of the program's

const digest = (text) => createHash("sha256").update(text, "utf8").digest("hex");

// By page, the digests of what the program writes in each format.
let expected;
function expectedDigests() {
  if (expected) return expected;
  const outputs = formats.map((format) => programOutput(folder, pages, format));
  expected = new Map(pages.map((page) => [page, outputs.map((texts) => digest(texts.get(page)))]));
  return expected;
}

test("the same bytes as the program, in Node.js", { skip }, () => {
  assert.ok(pages.length > 1000);
  const wanted = expectedDigests();
  const different = pages.filter((page) => {
    const html = readFileSync(page);
    return formats.some((format, i) => digest(extract(html, { format })) !== wanted.get(page)[i]);
  });
  assert.deepEqual(different, []);
});

// Serves the package and the pages to a browser, on the loopback interface.
function serve() {
  const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/plain" };
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = name.startsWith("/page/") ? pages[Number(name.slice(6))] : name !== "/" && path.join(root, "bindings/js/lib", path.basename(name));
    if (!file || !existsSync(file)) {
      response.writeHead(name === "/" ? 200 : 404, { "content-type": "text/html" });
      response.end("<!doctype html><title>winnow</title>");
      return;
    }
    response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

// Runs in the browser: the digests of all pages, made by a module worker.
async function digestsInWorker([count, formats]) {
  const code = `
    import { extract } from "${location.origin}/browser.js";
    const hex = (bytes) => Array.from(new Uint8Array(bytes), (b) => b.toString(16).padStart(2, "0")).join("");
    const digest = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    const all = [];
    for (let i = 0; i < ${count}; i++) {
      const html = await (await fetch("${location.origin}/page/" + i)).arrayBuffer();
      const digests = [];
      for (const format of ${JSON.stringify(formats)}) digests.push(await digest(extract(html, { format })));
      all.push(digests);
    }
    postMessage(all);`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

test("the same bytes as the program, in a worker of Chromium", { skip }, async (t) => {
  const browser = await openBrowser();
  if (!browser) return t.skip("Chromium or playwright-core is not here");
  const server = await serve();
  try {
    const wanted = expectedDigests();
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    const found = await tab.evaluate(digestsInWorker, [pages.length, formats]);
    const different = pages.filter((page, i) => found[i].join() !== wanted.get(page).join());
    assert.deepEqual(different, []);
  } finally {
    await browser.close();
    server.close();
  }
});

test(`at least ${LEAST_SPEED} of the program's speed`, { skip }, (t) => {
  // Processor time: others may use the machine too.
  const runProgram = () => {
    const script = 'TIMEFORMAT="%U %S"; time "$@" 2>/dev/null';
    const command = [program, "extract", "-q", "-j", "1", "-o", "/dev/null", ...pages];
    const { stderr } = spawnSync("bash", ["-c", script, "bash", ...command], { encoding: "utf8" });
    return stderr.trim().split(" ").reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
  };
  const runModule = () => {
    const before = process.cpuUsage();
    for (const page of pages) extract(readFileSync(page));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  runModule(); // until the engine has optimised it
  // In turns, the best of twelve: on a noisy machine a round of the module can take half as long again.
  const times = Array.from({ length: 12 }, () => [runProgram(), runModule()]);
  const [native, wasm] = [0, 1].map((which) => Math.min(...times.map((pair) => pair[which])));
  t.diagnostic(`program ${native.toFixed(0)} ms, module ${wasm.toFixed(0)} ms: ${(native / wasm).toFixed(2)}`);
  assert.ok(native / wasm >= LEAST_SPEED, `${(native / wasm).toFixed(2)} of the program's speed`);
});
