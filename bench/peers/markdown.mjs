// Extractors from npm whose result is Markdown, for tools/compare_structure.py.
//
//     node markdown.mjs NAME SET OUT          in a folder with node_modules; SET has pages.jsonl and html/ID.html
//
// Writes OUT/ID.md for every page, an empty one where the tool fails, and prints the version.

import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(path.join(process.cwd(), "x.js")));
const versionOf = name => JSON.parse(fs.readFileSync(path.join("node_modules", name, "package.json"))).version;

const tools = {
    "Readability": [["@mozilla/readability", "turndown"], async () => {
        const { Readability } = require("@mozilla/readability");
        const { JSDOM, VirtualConsole } = require("jsdom"); // a console that prints nothing
        const TurndownService = require("turndown");
        const { gfm } = require("turndown-plugin-gfm");
        const turndown = new TurndownService({ codeBlockStyle: "fenced", headingStyle: "atx" });
        turndown.use(gfm);
        turndown.keep(["sub", "sup"]);
        return (html, url) => {
            // As its documentation has it; the classes have the languages of code. turndown parses the result itself.
            const { document } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() }).window;
            const content = new Readability(document, { keepClasses: true }).parse()?.content ?? "";
            return content ? turndown.turndown(content) : "";
        };
    }],
    "defuddle": [["defuddle"], async () => {
        const { parseHTML } = require("linkedom");
        const entry = path.join(process.cwd(), "node_modules/defuddle/dist/node.js");
        const { Defuddle } = await import(pathToFileURL(entry));
        return async (html, url) => (await Defuddle(parseHTML(html).document, url, { useAsync: false, markdown: true })).content;
    }],
};

const [name, set, out] = process.argv.slice(2);
console.log = console.warn = console.error = () => {}; // the tools talk
const [packages, make] = tools[name];
const extract = await make();
fs.mkdirSync(out, { recursive: true });
for (const line of fs.readFileSync(path.join(set, "pages.jsonl"), "utf8").trim().split("\n")) {
    const page = JSON.parse(line);
    let markdown = "";
    try {
        markdown = await extract(fs.readFileSync(path.join(set, "html", `${page.id}.html`), "utf8").replace(/^\ufeff/, ""), page.url) ?? "";
    } catch {
        // a page that breaks the tool has no text
    }
    fs.writeFileSync(path.join(out, `${page.id}.md`), markdown);
}
process.stdout.write(packages.map(versionOf).join(" + ") + "\n", () => process.exit(0));
