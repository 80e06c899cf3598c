// The most frequent words as a picture: the area of a word is proportional to its count, and each, the
// largest first, takes the free place nearest to the centre.
import { h, s } from "./dom.js";

const WIDTH = 800;
const HEIGHT = 460;

function boxesOf(words) {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  const most = words[0].count;
  const share = words.reduce((sum, { word, count }) => sum + (count / most) * Math.max(word.length, 2) * 0.62, 0);
  const largest = Math.min(96, Math.sqrt((WIDTH * HEIGHT * 0.42) / share));
  return words.map(({ word, count }) => {
    const size = Math.max(11, largest * Math.sqrt(count / most));
    pen.font = `600 ${size}px system-ui, sans-serif`;
    return { word, count, size, width: pen.measureText(word).width + 6, height: size * 1.15 };
  });
}

const overlaps = (a, b) => Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

// A spiral from the centre outwards, wider than high as the picture is.
function place(boxes) {
  const placed = [];
  for (const box of boxes) {
    for (let turn = 0; turn < 900; turn++) {
      const angle = turn * 0.35 + placed.length;
      const radius = turn * 0.62;
      box.x = WIDTH / 2 + Math.cos(angle) * radius * 1.5;
      box.y = HEIGHT / 2 + Math.sin(angle) * radius * 0.85;
      const inside = box.x - box.width / 2 > 0 && box.x + box.width / 2 < WIDTH && box.y - box.height / 2 > 0 && box.y + box.height / 2 < HEIGHT;
      if (inside && !placed.some((other) => overlaps(box, other))) {
        placed.push(box);
        break;
      }
    }
  }
  return placed;
}

export function cloudView(counts) {
  const { words } = counts;
  if (words.length === 0) return h("p", { class: "nothing" }, "There are no words to count.");
  const placed = place(boxesOf(words));
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Frequent words: ${words.slice(0, 10).map((w) => w.word).join(", ")}` },
    placed.map(({ word, count, size, x, y }) =>
      s("text", { x, y: y + size * 0.34, "font-size": size.toFixed(1), "text-anchor": "middle" }, word, s("title", `${word}: ${count}`)),
    ),
  );
  const rows = words.slice(0, 20).map(({ word, count }) => h("tr", h("td", { dir: "auto" }, word), h("td", count)));
  return h(
    "div",
    { class: "cloud" },
    picture,
    h("table", h("thead", h("tr", h("th", { scope: "col" }, "Word"), h("th", { scope: "col" }, "Count"))), h("tbody", rows)),
  );
}
