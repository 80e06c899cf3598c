// The right side: the content as a reader sees it, as Markdown, text, JSON, metadata, and block by block.
import { h, percent } from "./dom.js";
import { kindOf, verdictOf } from "./original.js";

const allowed = new Set(
  ("article h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre code table caption thead tbody tfoot tr th td a br strong em b i " +
    "figure figcaption hr sub sup").split(" "),
);
const MOST_SHOWN = 500000; // characters; more would only be slow
const MOST_BLOCKS = 3000;
const SECTIONS = "h1,h2,h3,h4,h5,h6,p,li,dt,dd,blockquote,pre,td,th,caption,figcaption";

// The library's HTML holds nothing else; what is not on the list is replaced by its content.
function copyClean(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const name = node.localName;
    const copy = allowed.has(name) ? document.createElement(name) : to;
    if (name === "a" && /^(https?|mailto):/i.test(node.getAttribute("href") ?? "")) {
      copy.href = node.getAttribute("href");
      copy.target = "_blank";
      copy.rel = "noopener noreferrer";
    }
    for (const side of ["colspan", "rowspan"]) if (copy !== to && node.hasAttribute(side)) copy.setAttribute(side, node.getAttribute(side));
    copyClean(node, copy);
    if (copy === to) continue;
    to.append(name === "table" ? h("div", { class: "table", tabindex: "0", role: "group", "aria-label": "A table" }, copy) : copy);
  }
}

const rightToLeft = /^(ar|he|fa|ur|yi|ps|sd|ug|dv|ckb)\b/i;

// Writes the number of its block on each part of the text. Both are in the same order, so texts are
// compared, without spaces, from where the last one was found.
function nameBlocks(root, blocks) {
  const dense = (text) => text.replace(/[\s\u00a0]+/g, "");
  const kept = blocks.flatMap((block, i) => (block.kept ? [{ i, text: dense(block.text) }] : []));
  let at = 0;
  for (const element of root.querySelectorAll(SECTIONS)) {
    if (element.matches("li, blockquote, td, th, dd") && element.querySelector(SECTIONS)) continue;
    const text = dense(element.textContent);
    if (!text) continue;
    const near = kept.slice(at, at + 40);
    const found = near.findIndex((block) => text.startsWith(block.text) || block.text.startsWith(text));
    if (found < 0) continue;
    element.dataset.block = near[found].i;
    at += found + (near[found].text === text ? 1 : 0);
  }
}

export function readerView(html, record) {
  const parsed = new DOMParser().parseFromString(html.slice(0, MOST_SHOWN), "text/html");
  const root = h("div", { class: "reader", lang: record.language, dir: rightToLeft.test(record.language ?? "") ? "rtl" : "auto" });
  copyClean(parsed.querySelector("article") ?? parsed.body, root);
  const first = root.querySelector("h1,h2,p,li")?.textContent.trim() ?? "";
  const title = record.title?.trim();
  if (title && !first.startsWith(title.slice(0, 40)) && root.querySelector("h1") === null) {
    const by = [record.author, record.date?.slice(0, 10), record.site].filter(Boolean).join(" · ");
    root.prepend(h("h1", title), h("p", { class: "byline" }, by));
  }
  nameBlocks(root, record.blocks ?? []);
  return root;
}

export function plainView(text, { language }) {
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
  return h("pre", { class: "plain", dir: rightToLeft.test(language ?? "") ? "rtl" : "auto", lang: language }, shown);
}

export function jsonView(record) {
  return plainView(JSON.stringify(record, null, 2), {});
}

// ---- Metadata

const fields = [
  ["authors", "Authors", "author"],
  ["date", "Published", "date"],
  ["modified", "Changed"],
  ["site", "Site"],
  ["language", "Language"],
  ["canonical", "Address"],
  ["image", "Picture"],
  ["categories", "Categories"],
  ["tags", "Tags"],
  ["license", "Licence"],
  ["page_type", "Kind of page"],
  ["encoding", "Encoding"],
];

export function metadataView(record) {
  const rows = fields.flatMap(([name, label, source]) => {
    const value = Array.isArray(record[name]) ? record[name].join(", ") : record[name];
    if (!value) return [];
    const from = record.sources?.[source ?? name];
    return [h("dt", label), h("dd", { dir: "auto" }, value, from ? h("small", `found in ${from}`) : null)];
  });
  return h(
    "div",
    { class: "card" },
    h("h2", { dir: "auto" }, record.title ?? "Without a title"),
    h("p", { dir: "auto" }, record.description ?? ""),
    rows.length > 0 ? h("dl", rows) : h("p", "The page says nothing more of itself."),
  );
}

// ---- Blocks

export function blocksView(record) {
  const threshold = record.threshold ?? 0;
  const blocks = record.blocks ?? [];
  if (blocks.length === 0) return h("p", { class: "nothing" }, "The page has no blocks of text.");
  return h(
    "ul",
    { class: "blocks" },
    blocks.slice(0, MOST_BLOCKS).map((block, i) => {
      const verdict = verdictOf(block, threshold);
      const fate = (block.kept ? "kept" : "dropped") + (verdict === "unsure" ? ", unsure" : "");
      return h(
        "li", h(
          "div",
          { class: `block ${verdict === "unsure" ? "unsure" : ""} ${block.kept ? "kept" : ""}`, "data-block": i, tabindex: "0", role: "button", title: block.reason },
          h("span", { class: "kind" }, kindOf(block), h("span", { class: "verdict" }, fate)),
          h("span", { class: "text", dir: "auto" }, block.text.slice(0, 400)),
          h("span", { class: "chance" }, block.probability === undefined ? "–" : percent(block.probability)),
        ),
      );
    }),
    blocks.length > MOST_BLOCKS ? h("li", { class: "nothing" }, `… and ${blocks.length - MOST_BLOCKS} more`) : null,
  );
}
