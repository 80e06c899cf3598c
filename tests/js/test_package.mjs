// The package in Node.js: what its functions give, and what they say when something is wrong.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Worker } from "node:worker_threads";

import { countWords, extract, methods, parse, version, WinnowError } from "../../bindings/js/lib/node.js";
import { root } from "./support.mjs";

const article = readFileSync(path.join(root, "tests/pages/article.html"));
const wasm = readFileSync(path.join(root, "bindings/js/lib/winnow.wasm"));

test("extract gives the text, and other formats by name", () => {
  const text = extract(article);
  assert.match(text, /^How winnowing separates grain from chaff\n/);
  assert.doesNotMatch(text, /cookies/);
  assert.match(extract(article, { format: "md" }), /^# How winnowing/);
  assert.match(extract(article, { format: "html" }), /^<article/);
  assert.equal(JSON.parse(extract(article, { format: "json" })).title, "How winnowing separates grain from chaff");
});

test("a string, an ArrayBuffer and a view of one are the same page", () => {
  const string = article.toString("utf8");
  const buffer = article.buffer.slice(article.byteOffset, article.byteOffset + article.length);
  assert.equal(extract(string), extract(article));
  assert.equal(extract(buffer), extract(article));
  assert.throws(() => extract(42), TypeError);
});

test("a string is not decoded again, whatever it declares", () => {
  const html = '<meta charset="windows-1252"><p>Grüße aus der Mühle, wo das Korn gemahlen wird.</p>';
  assert.equal(extract(html, { method: "all" }).trim(), "Grüße aus der Mühle, wo das Korn gemahlen wird.");
});

test("bytes are decoded by what they declare, by the caller's charset, or by a guess", () => {
  const latin = Buffer.from("<p>Gr\xfc\xdfe aus der M\xfchle</p>", "latin1");
  const greek = Buffer.from(
    "<p>\xd4\xef \xe1\xeb\xe5\xfd\xf1\xe9 \xe5\xdf\xed\xe1\xe9 \xf4\xf1\xef\xf6\xde \xe3\xe9\xe1 \xfc\xeb\xef\xf5\xf2 \xf4\xef\xf5\xf2 \xe1\xed\xe8\xf1\xfe\xf0\xef\xf5\xf2</p>",
    "latin1",
  );
  assert.equal(extract(latin, { method: "all" }).trim(), "Grüße aus der Mühle");
  assert.equal(extract(latin, { method: "all", charset: "iso-8859-5" }).trim()[2], "ќ");
  const page = parse(greek);
  assert.equal(page.encoding, "ISO-8859-7", "the detector knows Greek by its letters");
  page.free();
});

test("a page is parsed once and selected from often", () => {
  const page = parse(article);
  const balanced = page.select();
  const all = page.select("all");
  assert.ok(all.text.length > balanced.text.length);
  assert.equal(balanced.status, "ok");
  assert.equal(balanced.markdown, extract(article, { format: "md" }));
  balanced.free();
  assert.throws(() => balanced.text, WinnowError);
  page.free();
  page.free();
  assert.throws(() => all.text, WinnowError);
  assert.throws(() => page.select(), WinnowError);
});

test("explain tells probability, reasons and place of every block", () => {
  const page = parse(article);
  const record = page.select("auto", { explain: true }).record;
  const heading = record.blocks.find((block) => block.kind === "heading" && block.level === 1);
  assert.ok(heading.kept && heading.probability >= record.threshold);
  assert.ok(heading.reasons.length > 0 && heading.reasons.length <= 5);
  assert.ok(heading.reasons.every((reason) => reason.feature && Number.isFinite(reason.weight)));
  assert.match(article.subarray(heading.start, heading.end).toString(), /^<h1/);
  assert.equal(record.sources.title !== undefined, true);
  page.free();
});

test("a threshold of one's own: the lower, the more text", () => {
  const page = parse(article);
  const lengths = [0.9, 0.5, 0.1, 0.01].map((t) => page.select(`auto:threshold=${t}`).text.length);
  assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b));
  assert.ok(lengths.at(-1) > lengths[0]);
  page.free();
});

test("visual blocks, by both algorithms", () => {
  const page = parse(readFileSync(path.join(root, "tests/segment/sample.html")));
  const evbe = page.segment();
  assert.equal(evbe.leaves, 4);
  assert.equal(evbe.blocks.filter((block) => block.chosen).length, 1);
  assert.ok(page.segment({ algorithm: "vips", pdoc: 10 }).leaves > page.segment({ algorithm: "vips", pdoc: 1 }).leaves);
  page.free();
});

test("words are counted, also where no spaces are between them", () => {
  const counts = countWords("The wind and the chaff. The wind!", { words: 2 });
  assert.deepEqual(counts.words[0], { word: "wind", count: 2 });
  assert.equal(countWords("ประเทศไทย ฉันรักประเทศไทย").words[0].word, "ประเทศไทย");
});

test("errors say what is wrong", () => {
  assert.throws(() => extract(article, { method: "nosuch" }), /nosuch/);
  assert.throws(() => extract(article, { method: "auto:lean=left" }), /balanced, precision or recall/);
  assert.throws(() => extract(article, { format: "docx" }), /docx/);
  assert.throws(() => extract(article, { colour: "red" }), /colour/);
});

test("bytes that are not a page, and no bytes at all", () => {
  const page = parse(Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
  assert.equal(page.select().status, "not-html");
  page.free();
  assert.equal(extract(""), "");
});

test("limits cut a page short", () => {
  const page = parse("<p>word ".repeat(100000), { maxNodes: 100 });
  const selection = page.select("all");
  assert.equal(selection.status, "partial");
  assert.deepEqual(selection.record.limited, ["nodes"]);
  page.free();
});

test("a time limit holds, also for a page made to take long", () => {
  const page = parse("<b><i><p>".repeat(300000), { maxMilliseconds: 50 });
  const start = performance.now();
  assert.ok(page.select().record.limited.includes("time"));
  assert.ok(performance.now() - start < 2000);
  page.free();
});

test("memory is given back", () => {
  const html = "<p>All work and no play makes a long page. </p>".repeat(20000);
  for (let i = 0; i < 3; i++) extract(html);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 60; i++) extract(html);
  assert.ok(process.memoryUsage().rss - before < 64 << 20);
});

test("in a worker thread", async () => {
  const module = new URL("../../bindings/js/lib/node.js", import.meta.url);
  const code = `import { parentPort, workerData } from "node:worker_threads";
    import { extract } from ${JSON.stringify(module.href)};
    parentPort.postMessage(extract(workerData));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: article });
  const text = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  assert.equal(text, extract(article));
});

test("methods and version are those of the library", () => {
  const program = execFileSync(path.join(root, "build/winnow"), ["--version"], { encoding: "utf8" });
  assert.ok(program.includes(version));
  assert.equal(JSON.parse(readFileSync(path.join(root, "bindings/js/package.json"))).version, version);
  assert.equal(methods[0].name, "auto");
  assert.ok(methods[0].parameters.some((parameter) => parameter.choices?.includes("precision")));
});

test("the module asks its host for a clock and random numbers only, and is at most 1 MB compressed", () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm)).map((entry) => entry.name);
  assert.deepEqual(imports.sort(), ["clock_time_get", "random_get"]);
  assert.ok(gzipSync(wasm, { level: 9 }).length <= 1 << 20);
});

test("the package by itself: installed from its archive, and its types", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "winnow-js-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
  const archive = run("npm", "pack", "--silent", path.join(root, "bindings/js")).trim();
  writeFileSync(path.join(folder, "package.json"), '{"type":"module","private":true}');
  run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", `./${archive}`);
  writeFileSync(
    path.join(folder, "use.ts"),
    `import { extract, parse, type Record } from "winnow-extract";
     const page = parse("<p>Hello</p>", { url: "https://example.org/" });
     const record: Record = page.select("all", { explain: true }).record;
     const text: string = extract(new Uint8Array(0), { format: "md", links: true });
     // @ts-expect-error there is no such option
     extract("", { colour: "red" });
     console.log(text + record.text);\n`,
  );
  writeFileSync(path.join(folder, "use.js"), 'import { extract } from "winnow-extract"; console.log(extract("<p>Hello", { method: "all" }));');
  assert.equal(run("node", "use.js").trim(), "Hello");
  const tsc = path.join(process.env.WINNOW_NODE_MODULES ?? "", "typescript/bin/tsc");
  run("node", tsc, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "use.ts");
});
