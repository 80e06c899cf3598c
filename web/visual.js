// The blocks that the eye sees, as winnow lays the page out: EVBE, or VIPS with its degree of coherence.
import { h, on, percent, s } from "./dom.js";

const TALLEST = 30000; // pixels of a page that are drawn

function drawing(record, onSelect) {
  const parents = new Set(record.blocks.map((block) => block.parent));
  const leaves = record.blocks.filter((block) => !parents.has(block.id) && block.box.width > 0 && block.box.height > 0);
  const chosen = record.blocks.filter((block) => block.chosen && parents.has(block.id));
  const width = Math.max(record.width, ...leaves.map((block) => block.box.x + block.box.width), 1);
  const height = Math.min(Math.max(record.height, 1), TALLEST);
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${leaves.length} visual blocks` },
    [...leaves, ...chosen].map((block) => group(block, onSelect)),
  );
}

function group(block, onSelect) {
  const { x, y, width, height } = block.box;
  const label = `${block.name ?? "Block"}, rank ${block.rank}, importance ${percent(block.importance)}`;
  const badge = Math.min(width, 34);
  const node = s(
    "g",
    { class: block.chosen ? "chosen" : "", tabindex: "0", role: "button" },
    s("title", `${label}: ${block.rule}\n${block.xpath}`),
    s("rect", { x, y, width, height }),
    block.text && height > 20 && width > 60
      ? s("foreignObject", { x, y, width, height }, h("div", { dir: "auto", "aria-hidden": "true" }, block.text.slice(0, Math.ceil((width * height) / 120))))
      : null,
    s("rect", { class: "badge", x: x + width - badge, y, width: badge, height: Math.min(22, height) }),
    s("text", { class: "rank", x: x + width - badge / 2, y: y + 16 }, block.rank),
  );
  on(node, "click", () => onSelect(block));
  on(node, "keydown", (event) => event.key === "Enter" && onSelect(block));
  return node;
}

export class VisualView {
  constructor(panel, engine) {
    this.panel = panel;
    this.engine = engine;
    this.algorithm = "evbe";
    this.pdoc = 5;
  }

  async show() {
    const algorithm = h("select", { "aria-label": "Algorithm" }, h("option", { value: "evbe" }, "EVBE"), h("option", { value: "vips" }, "VIPS"));
    algorithm.value = this.algorithm;
    const pdoc = h("input", { type: "range", min: "1", max: "10", value: this.pdoc, "aria-label": "Degree of coherence that VIPS cuts to" });
    const told = h("output");
    const facts = h("span", { role: "status" });
    const picture = h("div", { class: "visual" });
    const draw = () => {
      this.algorithm = algorithm.value;
      this.pdoc = Number(pdoc.value);
      pdoc.disabled = this.algorithm !== "vips";
      told.textContent = pdoc.disabled ? "" : `PDoC ${this.pdoc}`;
      return this.#draw(picture, facts);
    };
    on(algorithm, "change", draw);
    on(pdoc, "input", draw);
    this.panel.replaceChildren(h("div", { class: "visual-bar" }, algorithm, pdoc, told, facts), picture);
    await draw();
  }

  async #draw(picture, facts) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const record = await this.engine.segment({ algorithm: this.algorithm, pdoc: this.pdoc });
      if (turn !== this.turn) return;
      facts.textContent = `${record.leaves} blocks; numbers are ranks by importance`;
      picture.replaceChildren(drawing(record, (block) => (facts.textContent = `${block.name ?? "Block"} · rank ${block.rank} · ${block.rule} · ${block.gp.words} words`)));
    } catch (error) {
      picture.replaceChildren(h("p", { class: "nothing" }, `The page could not be laid out: ${error.message}`));
    }
  }
}
