// Extractors from npm, one per run: see README.md for what every peer program prints and writes.
//
//     node peers.mjs NAME SET OUT          in a folder with node_modules

import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const WARM_UP = 20; // pages that are extracted before the clock starts
const require = createRequire(pathToFileURL(path.join(process.cwd(), "x.js")));
const versionOf = name => JSON.parse(fs.readFileSync(path.join("node_modules", name, "package.json"))).version;
const decode = bytes => new TextDecoder("utf-8").decode(bytes);

// Both return HTML: their text, with a line end where a block ends. Outside the timing.
const blockEnd = /<\/(?:p|div|li|h[1-6]|t[dhr]|blockquote|pre|section|article|dd|dt|figcaption)>|<br\b/gi;
function textOf(html) {
    const { parseHTML } = require("linkedom");
    const marked = html.replace(blockEnd, end => "\n" + end);
    return parseHTML(`<!doctype html><html><body>${marked}</body></html>`).document.body.textContent;
}

const tools = {
    "Readability": ["@mozilla/readability", async () => {
        const { Readability } = require("@mozilla/readability");
        const { parseHTML } = require("linkedom");
        return page => new Readability(parseHTML(decode(page)).document).parse()?.content;
    }],
    "defuddle": ["defuddle", async () => {
        const { parseHTML } = require("linkedom");
        const entry = path.join(process.cwd(), "node_modules/defuddle/dist/node.js");
        const { Defuddle } = await import(pathToFileURL(entry));
        return async (page, url) => {
            const { document } = parseHTML(decode(page));
            return (await Defuddle(document, url, { useAsync: false })).content;
        };
    }],
};

async function quietly(extract, page, url) {
    try {
        return [await extract(page, url) ?? "", 0];
    } catch {
        return ["", 1];
    }
}

const [name, set, out] = process.argv.slice(2);
console.log = console.warn = console.error = () => {}; // the tools talk
const [packageName, make] = tools[name];
const extract = await make();
const pages = fs.readFileSync(path.join(set, "pages.jsonl"), "utf8").trim().split("\n").map(line => JSON.parse(line));
const loaded = pages.map(page => fs.readFileSync(path.join(set, "html", `${page.id}.html`)));
for (let i = 0; i < WARM_UP && i < pages.length; i++)
    await quietly(extract, loaded[i], pages[i].url);
const start = process.cpuUsage();
const results = [];
for (let i = 0; i < pages.length; i++)
    results.push(await quietly(extract, loaded[i], pages[i].url));
const used = process.cpuUsage(start);
fs.mkdirSync(out, { recursive: true });
results.forEach(([html], i) => fs.writeFileSync(path.join(out, `${pages[i].id}.txt`), textOf(html)));
process.stdout.write(JSON.stringify({
    name, version: versionOf(packageName), pages: pages.length, seconds: (used.user + used.system) / 1e6,
    failed: results.reduce((sum, [, failed]) => sum + failed, 0),
}) + "\n", () => process.exit(0));
