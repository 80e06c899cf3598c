// A store of the server: search with snippets and facets, and groups of copies.
import { count, h, on } from "./dom.js";

const MOST = 50; // hits that are asked for at once
const facets = ["label", "host", "language"];

// The server marks words as **word**.
const marked = (snippet) => snippet.split(/\*\*(.+?)\*\*/).map((part, i) => (i % 2 ? h("mark", part) : part));

class Collection {
  #chosen = {};
  #results = h("div", { "aria-live": "polite" });

  constructor(server, onFail) {
    this.server = server;
    this.onFail = onFail;
    this.input = h("input", { type: "search", "aria-label": "Words that the pages must have", placeholder: "Words, or “words next to each other”" });
    const form = h("form", { role: "search", "aria-label": "Collection" }, this.input, h("button", "Search"), h("button", { type: "button", onclick: () => this.#try(this.#copies()) }, "Duplicates"));
    on(form, "submit", (event) => {
      event.preventDefault();
      this.#chosen = {};
      this.#try(this.#search());
    });
    this.root = h("div", { class: "inner" }, h("h2", "Collection"), form, this.#results);
  }

  #try(work) {
    work.catch(this.onFail);
  }

  #ask(path, query) {
    return this.server.json(`${path}?${new URLSearchParams(query)}`);
  }

  async start() {
    const { pages, next } = await this.#ask("v1/pages", { limit: MOST });
    this.#show(`${next ? "The first " : ""}${count(pages.length, "page")}`, pages, "");
    this.input.focus();
  }

  async #search() {
    const query = this.input.value.trim();
    if (!query) return this.start();
    const { hits } = await this.#ask("v1/search", { q: query, n: MOST, ...this.#chosen });
    this.#show(hits.length === 0 ? "No page has these words" : `${hits.length === MOST ? "The best " : ""}${count(hits.length, "page")}`, hits, query);
  }

  // Pages that are copies, below the one that they are copies of.
  async #copies() {
    const { pages } = await this.#ask("v1/pages", { status: "copy", limit: 1000 });
    const groups = new Map();
    for (const page of pages) groups.set(page.copy_of, [...(groups.get(page.copy_of) ?? []), page]);
    const list = [...groups].map(([first, copies]) =>
      h("details", h("summary", `${count(copies.length, "duplicate")} of page ${first}: ${copies[0].title ?? ""}`), this.#list([{ id: first, title: "The first one" }, ...copies])),
    );
    this.#results.replaceChildren(h("p", groups.size === 0 ? "There are no duplicates." : count(groups.size, "group")), ...list);
  }

  #show(head, pages, query) {
    this.#results.replaceChildren(h("p", head), h("div", { class: "facets" }, query ? facets.map((name) => this.#facet(name, pages)) : null), this.#list(pages));
  }

  #facet(name, pages) {
    const values = new Map();
    for (const page of pages) if (page[name]) values.set(page[name], (values.get(page[name]) ?? 0) + 1);
    return [...values].slice(0, 8).map(([value, times]) =>
      h("button", {
        "aria-pressed": String(this.#chosen[name] === value),
        title: name,
        onclick: () => {
          if (this.#chosen[name] === value) delete this.#chosen[name];
          else this.#chosen[name] = value;
          this.#try(this.#search());
        },
      }, `${value} ${times}`),
    );
  }

  #list(pages) {
    return h("ul", { class: "hits" }, pages.map((page) => {
      const text = h("div");
      const facts = [page.label, page.host, page.date?.slice(0, 10), page.language, page.words && count(page.words, "word")].filter(Boolean).join(" · ");
      const open = async () => {
        const whole = await this.server.json(`v1/pages/${page.id}`);
        text.replaceChildren(text.firstChild ? "" : h("pre", { class: "plain", dir: "auto" }, whole.text));
      };
      return h("li", h("button", { onclick: () => this.#try(open()) }, page.title || page.url || `Page ${page.id}`), h("p", facts), page.snippet ? h("p", { dir: "auto" }, marked(page.snippet)) : null, text);
    }));
  }
}

export async function showCollection(place, server, onFail) {
  const collection = new Collection(server, onFail);
  place.replaceChildren(collection.root);
  await collection.start();
}
