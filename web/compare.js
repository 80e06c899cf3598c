// Two methods beside each other: a word diff, counts, and how much all methods agree.
import { count, h, on, percent, wordsOf } from "./dom.js";
import { diffTexts } from "./diff.js";

const CONTEXT = 12; // words that are shown around a difference

function bag(text) {
  const words = new Map();
  for (const word of wordsOf(text)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

// Words that both have, and words of each alone.
function overlap(a, b) {
  let both = 0;
  for (const [word, times] of a) both += Math.min(times, b.get(word) ?? 0);
  const sum = (words) => [...words.values()].reduce((total, times) => total + times, 0);
  return { both, onlyA: sum(a) - both, onlyB: sum(b) - both };
}

function agreement(a, b) {
  const { both, onlyA, onlyB } = overlap(a, b);
  return both + onlyA + onlyB === 0 ? 1 : (2 * both) / (2 * both + onlyA + onlyB);
}

// Long stretches that are the same are folded.
function shownSame(words, isFirst, isLast) {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  if (words.length <= head + tail + 2 * CONTEXT) return words.join("");
  const fold = h("span", { class: "fold" }, `… ${count(words.length - head - tail, "word")} the same …`);
  return [words.slice(0, head).join(""), fold, tail ? words.slice(-tail).join("") : ""];
}

function unified(parts) {
  return h(
    "div",
    { class: "diff", dir: "auto" },
    parts.map(({ kind, words }, i) => {
      if (kind === "gone") return h("del", words.join(""));
      if (kind === "new") return h("ins", words.join(""));
      return shownSame(words, i === 0, i === parts.length - 1);
    }),
  );
}

function sideBySide(parts) {
  const side = (hidden, tag, shown) =>
    h("div", { class: "diff", dir: "auto" }, parts.filter((p) => p.kind !== hidden).map((p) => (p.kind === shown ? h(tag, {}, p.words.join("")) : p.words.join(""))));
  return h("div", { class: "side" }, side("new", "del", "gone"), side("gone", "ins", "new"));
}

export class CompareView {
  #texts = new Map(); // by method
  #form = "unified";

  constructor(engine, methods, current) {
    this.engine = engine;
    this.choices = [
      ...new Set([current, "auto", "auto:lean=precision", "auto:lean=recall", ...methods.filter((m) => !m.needs_noise).map((m) => m.name)]),
    ];
    this.a = this.choices[0];
    this.b = this.choices.find((choice) => choice === "lineblock") ?? this.choices[1];
    this.root = h("div", { class: "compare" });
  }

  #text(method) {
    if (!this.#texts.has(method)) this.#texts.set(method, this.engine.write(method, "txt").catch(() => ""));
    return this.#texts.get(method);
  }

  #picker(which, label) {
    const select = h("select", { "aria-label": label }, this.choices.map((choice) => h("option", { value: choice }, choice)));
    select.value = this[which];
    on(select, "change", () => {
      this[which] = select.value;
      this.show();
    });
    return select;
  }

  async show() {
    const [a, b] = await Promise.all([this.#text(this.a), this.#text(this.b)]);
    const { both, onlyA, onlyB } = overlap(bag(a), bag(b));
    const parts = diffTexts(a, b);
    const form = h("button", { "aria-pressed": String(this.#form === "side") }, "Side by side");
    on(form, "click", () => {
      this.#form = this.#form === "side" ? "unified" : "side";
      this.show();
    });
    const same = parts.every((part) => part.kind === "same");
    this.root.replaceChildren(
      h("div", { class: "pickers" }, this.#picker("a", "First method"), h("span", "and"), this.#picker("b", "Second method"), form),
      h(
        "p",
        { class: "counts" },
        h("span", `${count(onlyA, "word")} only in the first`),
        h("span", `${count(onlyB, "word")} only in the second`),
        h("span", `${count(both, "word")} in both`),
      ),
      same ? h("p", { class: "nothing" }, "Both give the same text.") : this.#form === "side" ? sideBySide(parts) : unified(parts),
      h("h2", "How much the methods agree"),
      h("p", { class: "counts" }, "Word F1 of each pair on this page"),
      h("div", { class: "scroll-x", tabindex: "0", role: "group", "aria-label": "Agreement of the methods" }, await this.#matrix()),
    );
    return this.root;
  }

  async #matrix() {
    const names = this.choices.filter((choice) => !choice.includes(":"));
    const bags = (await Promise.all(names.map((name) => this.#text(name)))).map(bag);
    return h(
      "table",
      { class: "matrix" },
      h("thead", h("tr", h("td"), names.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody", names.map((name, row) =>
          h(
            "tr", h("th", { scope: "row" }, name),
            names.map((_, column) => {
              const share = agreement(bags[row], bags[column]);
              const tint = `color-mix(in srgb, var(--accent) ${Math.round(share * 35)}%, transparent)`;
              return h("td", { style: { background: tint } }, percent(share));
            }),
          ),
        ),
      ),
    );
  }
}
