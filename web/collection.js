// A store of the server: search with snippets and facets, groups of copies, outliers among its words. Loaded
// when a person opens it.
import { count, h, on } from "./dom.js";

const MOST = 50; // hits that are asked for at once

// What pages can be narrowed to: the name, the value of a page, and the query that asks for it.
const facets = [
  ["label", (page) => page.label, (label) => ({ label })],
  ["host", (page) => page.host, (host) => ({ host })],
  ["language", (page) => page.language, (language) => ({ language })],
  ["year", (page) => /^\d{4}/.exec(page.date ?? "")?.[0], (year) => ({ since: `${year}-01-01`, until: `${year}-12-31` })],
];

// The server marks words as **word**.
const marked = (snippet) => snippet.split(/\*\*(.+?)\*\*/).map((part, i) => (i % 2 ? h("mark", part) : part));
const nameOf = (page) => page.title || page.url || page.source || `Page ${page.id}`;

class Collection {
  #chosen = {};
  #results = h("div", { "aria-live": "polite" });

  constructor(server, onFail) {
    this.server = server;
    this.onFail = onFail;
    this.input = h("input", { type: "search", "aria-label": "Words that the pages must have", placeholder: "Words, or “words next to each other”" });
    const button = (label, title, work) => h("button", { type: "button", title, onclick: () => this.#try(work()) }, label);
    const form = h(
      "form",
      { role: "search", "aria-label": "Collection" },
      this.input,
      h("button", "Search"),
      button("Duplicates", "Pages that are copies of others", () => this.#copies()),
      button("Outliers", "Words whose numbers are unlike those of others", () => this.#outliers()),
    );
    on(form, "submit", (event) => {
      event.preventDefault();
      this.#chosen = {};
      this.#try(this.search());
    });
    this.root = h("div", { class: "inner" }, h("h2", "Collection"), form, this.#results);
  }

  #try(work) {
    work.catch(this.onFail);
  }

  #ask(path, query) {
    return this.server.json(`${path}?${new URLSearchParams(query)}`);
  }

  // The pages with the words of the input; without words, the first ones.
  async search() {
    const q = this.input.value.trim();
    const chosen = Object.assign({}, ...facets.map(([name, , query]) => (this.#chosen[name] ? query(this.#chosen[name]) : {})));
    const { hits, pages } = await (q ? this.#ask("v1/search", { q, n: MOST, ...chosen }) : this.#ask("v1/pages", { limit: MOST, ...chosen }));
    const found = hits ?? pages;
    const first = found.length < MOST ? "" : hits ? "The best " : "The first ";
    const head = found.length === 0 ? (q ? "No page has these words" : "There are no such pages") : first + count(found.length, "page");
    this.#results.replaceChildren(h("p", head), h("div", { class: "facets", role: "group", "aria-label": "Only pages with" }, facets.map((facet) => this.#facet(facet, found))), this.#list(found));
  }

  #facet([name, valueOf], pages) {
    const values = new Map();
    for (const value of pages.map(valueOf)) if (value) values.set(value, (values.get(value) ?? 0) + 1);
    if (values.size < 2 && !this.#chosen[name]) return null;
    return [...values].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([value, times]) => {
      const isChosen = this.#chosen[name] === value;
      const onclick = () => {
        this.#chosen[name] = isChosen ? null : value;
        this.#try(this.search());
      };
      return h("button", { "aria-pressed": String(isChosen), title: name, onclick }, `${value} ${times}`);
    });
  }

  // Pages that are copies, in a group with the one that they are copies of.
  async #copies() {
    const { pages } = await this.#ask("v1/pages", { status: "copy", limit: 1000 });
    const groups = Map.groupBy(pages, (page) => page.copy_of);
    const list = [...groups].map(([first, copies]) => {
      const group = h("details", h("summary", `${nameOf(copies[0])} – ${count(copies.length, "duplicate")} of page ${first}`));
      const fill = async () => group.append(this.#list([await this.server.json(`v1/pages/${first}`), ...copies]));
      on(group, "toggle", () => this.#try(fill()), { once: true });
      return group;
    });
    this.#results.replaceChildren(h("p", groups.size === 0 ? "There are no duplicates; winnow corpus dedup finds them." : `${count(groups.size, "group")} of pages with the same text`), ...list);
  }

  async #outliers() {
    const { outlierView } = await import("./outliers.js");
    const view = outlierView(await this.#ask("v1/outliers", {}), (word) => {
      this.input.value = word;
      this.#chosen = {};
      this.#try(this.search());
    });
    this.#results.replaceChildren(view);
  }

  #list(pages) {
    return h("ul", { class: "hits" }, pages.map((page) => {
      const text = h("div");
      const facts = [page.host, page.date?.slice(0, 10), page.language, page.words && count(page.words, "word")].filter(Boolean).join(" · ");
      const open = async () => {
        const whole = text.firstChild ? null : await this.server.json(`v1/pages/${page.id}`);
        text.replaceChildren(whole ? h("pre", { class: "plain", dir: "auto" }, whole.text) : "");
      };
      return h(
        "li",
        h("button", { dir: "auto", onclick: () => this.#try(open()) }, nameOf(page)),
        h("p", page.label ? [h("span", { class: "tag", title: "label" }, page.label), " "] : null, facts),
        page.snippet ? h("p", { dir: "auto" }, marked(page.snippet)) : null,
        text,
      );
    }));
  }
}

export async function showCollection(place, server, onFail) {
  const styles = h("link", { rel: "stylesheet", href: "collection.css" });
  if (!document.querySelector(`[href="collection.css"]`)) {
    document.head.append(styles);
    await new Promise((resolve) => (styles.onload = styles.onerror = resolve));
  }
  const collection = new Collection(server, onFail);
  place.replaceChildren(collection.root);
  await collection.search();
  collection.input.focus();
}
