// The drawer at the bottom: why the selected block was kept or dropped.
import { $, h, on, percent } from "./dom.js";
import { describeFeature } from "./features.js";
import { kindOf, verdictOf } from "./original.js";

const FAR = 999; // the library's value for "nowhere near"

function sentence(block, threshold) {
  const fate = block.kept ? "Kept" : "Dropped";
  if (block.probability === undefined) return `${fate}: ${block.reason}`;
  const chance = percent(block.probability);
  if (!threshold || threshold > 1) return `${fate}: ${chance} likely to be content`;
  const cut = percent(threshold);
  const above = block.probability >= threshold;
  if (above === block.kept) return `${fate}: ${chance} likely to be content, ${above ? "at or above" : "below"} the cut of ${cut}`;
  return `${fate} although it is ${chance} likely to be content: ${block.reason}`;
}

function chanceBar(block, threshold) {
  const children = [h("i", { style: { width: percent(block.probability) } })];
  if (threshold > 0 && threshold <= 1)
    children.push(
      h("b", { style: { left: percent(threshold) } }),
      h("span", { style: { left: `${Math.min(88, Math.max(12, threshold * 100))}%` } }, `cut ${percent(threshold)}`),
    );
  return h(
    "div",
    { class: `chance-bar ${block.kept ? "kept" : "dropped"}`, role: "img", "aria-label": `Probability ${percent(block.probability)}, cut ${percent(threshold)}` },
    children,
  );
}

// Shares are in thousandths; "ends like a sentence" is true or not.
function shownValue(feature, value) {
  if (value === FAR) return ": nowhere near";
  if (/^(ENDS_|FIRST_(UPPER|LOWER))/.test(feature)) return value ? "" : ": no";
  if (/SHARE$|UPPER_WORDS$|^OF_TITLE$/.test(feature)) return `: ${percent(value / 1000)}`;
  return `: ${feature.endsWith("BLOCK_WORDS") ? Math.round(value / 10) : value}`;
}

// A diverging bar for each feature that spoke for or against.
function featureChart(reasons) {
  const most = Math.max(...reasons.map((reason) => Math.abs(reason.weight)), 0.5);
  return h(
    "ul",
    { class: "features" },
    reasons.map(({ feature, value, weight }) => {
      const size = `${(Math.abs(weight) / most) * 100}%`;
      const side = weight >= 0 ? { left: "0" } : { right: "100%" };
      return h(
        "li", h("abbr", { title: `${feature} = ${value}` }, describeFeature(feature), shownValue(feature, value)),
        h("span", { class: "bar-place", "aria-hidden": "true" }, h("i", { class: weight < 0 ? "minus" : "", style: { width: size, ...side } })),
        h("span", { class: "number" }, (weight < 0 ? "−" : "+") + Math.abs(weight).toFixed(1)),
      );
    }),
  );
}

// What tests/cases takes: a page, and what is expected of it.
function testCase(block, record) {
  return JSON.stringify({ url: record.url, method: record.method, kind: block.kind, kept: block.kept, path: block.path, text: block.text }, null, 2);
}

export function showWhy(block, record, onClose) {
  const drawer = $("why");
  drawer.hidden = !block;
  if (!block) return;
  const threshold = record.threshold ?? 0;
  const copy = h("button", { class: "quiet", title: "Its text, place and verdict as JSON" }, "Copy as test case");
  on(copy, "click", async () => {
    await navigator.clipboard?.writeText(testCase(block, record)).catch(() => {});
    copy.textContent = "Copied";
  });
  const reasons = block.reasons ?? [];
  const facts = [
    h("blockquote", { dir: "auto" }, block.text),
    h("p", { class: "path" }, h("code", block.path || "no place in the tree")),
  ];
  drawer.replaceChildren(
    h(
      "header", h("h2", sentence(block, threshold)),
      h("span", copy, h("button", { class: "quiet", "aria-label": "Close (Escape)", onclick: onClose }, "✕")),
    ),
    h(
      "div",
      { class: "columns" },
      h("div", h("span", { class: `verdict ${verdictOf(block, threshold)}` }, [kindOf(block), block.role].filter(Boolean).join(" · ")), facts, block.probability === undefined ? null : chanceBar(block, threshold)),
      reasons.length > 0
        ? h("div", h("p", "What spoke for it and against it, compared with a usual block of this page"), featureChart(reasons))
        : h("div", h("p", block.reason)),
    ),
  );
}
