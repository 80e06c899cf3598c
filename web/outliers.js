// The words of a store as a plot: how often each occurs, over how many pages have it, both by their logarithm.
// Outliers are named where there is room for it; pointing names the others, a click finds their pages.
import { count, h, on, s } from "./dom.js";

const MARGIN = { top: 16, right: 24, bottom: 44, left: 64 };
const NEAR = 16; // pixels from the pointer
const DOT = 4; // half of an outlier's width

const pen = new OffscreenCanvas(1, 1).getContext("2d");
pen.font = "12px system-ui, sans-serif";

// 1, 10, 100, …; where that is too few, some between them.
function ticks(most) {
  const steps = most < 10 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : most < 200 ? [1, 2, 5] : [1];
  const all = [];
  for (let power = 1; power <= most; power *= 10) all.push(...steps.map((step) => step * power).filter((tick) => tick <= most));
  return all;
}

const dots = (points) => points.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");

const overlaps = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// Places for the names of outliers, the farthest first: beside, above or below their point, where nothing is.
function placeNames(outliers, area) {
  const taken = outliers.map(({ x, y }) => ({ x: x - DOT, y: y - DOT, width: 2 * DOT, height: 2 * DOT }));
  const placed = [];
  for (const { word, x, y } of outliers) {
    const width = pen.measureText(word).width;
    const places = [[x + 8, y - 8], [x - 8 - width, y - 8], [x - width / 2, y - 22], [x - width / 2, y + 6]];
    const boxes = places.map(([left, top]) => ({ x: left, y: top, width, height: 16 }));
    const fits = (box) => box.x >= area.x && box.x + width <= area.right && box.y >= area.y && box.y + 16 <= area.bottom && !taken.some((other) => overlaps(box, other));
    const box = boxes.find(fits);
    if (!box) continue;
    taken.push(box);
    placed.push({ word, x: box.x, y: box.y + 12 });
  }
  return placed;
}

class OutlierPlot {
  #marked = s("circle", { class: "marked", r: 9, visibility: "hidden" });
  #label = h("div", { class: "float-label", hidden: true });

  constructor(data, onWord) {
    this.data = data;
    this.onWord = onWord;
    this.place = h("div", { class: "plot" });
    const list = data.outliers.map((point, i) =>
      h("li", h("button", { title: this.#tell(point), onclick: () => onWord(point.word), onfocus: () => this.#mark(this.points[i]), onblur: () => this.#mark(null) }, point.word)),
    );
    this.root = h(
      "div",
      h("p", `${count(data.words, "word")} on ${count(data.pages, "page")}; ${count(data.outliers.length, "outlier")}: words whose numbers are farthest from those of others. Words are cut to their stems.`),
      this.place,
      h("h3", "Outliers, the farthest first"),
      h("ol", { class: "words" }, list),
    );
    new ResizeObserver(() => this.#draw()).observe(this.place);
  }

  #tell({ word, total, documents, distance, words }) {
    const more = words > 1 ? ` · and ${count(words - 1, "other")} here` : "";
    return `${word} · ${count(total, "time")} on ${count(documents, "page")}${distance === undefined ? more : " · outlier"}`;
  }

  #draw() {
    const width = this.place.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const height = Math.max(320, Math.min(560, width * 0.6));
    const all = [...this.data.outliers, ...this.data.others];
    const most = { x: Math.max(2, ...all.map((point) => point.documents)), y: Math.max(2, ...all.map((point) => point.total)) };
    const area = { x: MARGIN.left, y: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
    const x = (documents) => area.x + 12 + (Math.log(documents) / Math.log(most.x)) * (area.right - area.x - 24);
    const y = (total) => area.bottom - 12 - (Math.log(total) / Math.log(most.y)) * (area.bottom - area.y - 24);
    this.points = all.map((point) => ({ ...point, x: x(point.documents), y: y(point.total) }));
    const outliers = this.points.slice(0, this.data.outliers.length);
    const others = this.points.slice(outliers.length);
    const about = `${count(outliers.length, "outlier")} among ${count(this.data.words, "word")}: ${outliers.slice(0, 10).map((point) => point.word).join(", ")}`;
    const picture = s(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": about },
      this.#axes(area, x, y, most),
      [1, 10, Infinity].map((most, i) => s("path", { class: "others", "stroke-width": (4 + 3 * i) * (width < 600 ? 0.6 : 1), d: dots(others.filter(({ words = 1 }) => words <= most && words > [0, 1, 10][i])) })),
      s("path", { class: "outliers", d: outliers.map((point) => `M${point.x.toFixed(1)} ${(point.y - DOT).toFixed(1)}l${DOT} ${DOT} -${DOT} ${DOT} -${DOT} -${DOT}z`).join("") }),
      placeNames(outliers, area).map((name) => s("text", { class: "named", x: name.x, y: name.y }, name.word)),
      this.#marked,
    );
    on(picture, "pointermove", (event) => this.#mark(this.#nearest(event)));
    on(picture, "pointerleave", () => this.#mark(null));
    on(picture, "click", (event) => {
      const point = this.#nearest(event);
      if (point) this.onWord(point.word);
    });
    this.#mark(null);
    this.place.replaceChildren(picture, this.#label);
  }

  #axes(area, x, y, most) {
    const diagonal = Math.min(most.x, most.y);
    const turn = (Math.atan2(y(diagonal) - y(1), x(diagonal) - x(1)) * 180) / Math.PI;
    return [
      ticks(most.x).map((tick) => [s("path", { class: "grid", d: `M${x(tick)} ${area.y}V${area.bottom}` }), s("text", { x: x(tick), y: area.bottom + 16, "text-anchor": "middle" }, tick.toLocaleString("en"))]),
      ticks(most.y).map((tick) => [s("path", { class: "grid", d: `M${area.x} ${y(tick)}H${area.right}` }), s("text", { x: area.x - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toLocaleString("en"))]),
      s("path", { class: "once", d: `M${x(1)} ${y(1)}L${x(diagonal)} ${y(diagonal)}` }),
      s("text", { x: x(diagonal) - 8, y: y(diagonal) - 4, "text-anchor": "end", transform: `rotate(${turn} ${x(diagonal)} ${y(diagonal)}) translate(0 18)` }, "once on each page"),
      s("text", { x: area.right, y: area.bottom + 36, "text-anchor": "end" }, "pages that have the word →"),
      s("text", { x: -area.y, y: 12, "text-anchor": "end", transform: "rotate(-90)" }, "how often it occurs →"),
    ];
  }

  #nearest(event) {
    const box = this.place.getBoundingClientRect();
    let found = null;
    let best = NEAR;
    for (const point of this.points) {
      const far = Math.hypot(point.x - (event.clientX - box.x), point.y - (event.clientY - box.y));
      if (far < best) [found, best] = [point, far];
    }
    return found;
  }

  #mark(point) {
    this.#label.hidden = !point;
    this.#marked.setAttribute("visibility", point ? "visible" : "hidden");
    if (!point) return;
    this.#marked.setAttribute("cx", point.x);
    this.#marked.setAttribute("cy", point.y);
    this.#label.textContent = this.#tell(point);
    const left = Math.min(point.x + 12, this.width - this.#label.offsetWidth - 4);
    Object.assign(this.#label.style, { left: `${Math.max(4, left)}px`, top: `${point.y < 60 ? point.y + 16 : point.y - 36}px` });
  }
}

/** `onWord` is called with a word that was chosen. */
export const outlierView = (data, onWord) => new OutlierPlot(data, onWord).root;
