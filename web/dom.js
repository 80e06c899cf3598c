// Elements from a name, properties and children; text is always text, never markup.

export const $ = (id) => document.getElementById(id);

export const on = (target, type, listener, options) => target.addEventListener(type, listener, options);

const SVG = "http://www.w3.org/2000/svg";

// Properties may be left out.
function fill(element, [properties, ...children]) {
  const given = properties?.constructor === Object;
  if (!given) children.unshift(properties);
  for (const [name, value] of Object.entries(given ? properties : {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export const h = (name, ...rest) => fill(document.createElement(name), rest);
export const s = (name, ...rest) => fill(document.createElementNS(SVG, name), rest);

/** Tabs as the ARIA practices want them: arrow keys move, one of them can be reached by Tab. */
export function makeTabs(list, onChoose) {
  const tabs = () => [...list.querySelectorAll('[role="tab"]')];
  const choose = (tab, focus) => {
    for (const other of tabs()) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
    }
    if (focus) tab.focus();
    tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    onChoose(tab);
  };
  on(list, "click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) choose(tab);
  });
  on(list, "keydown", (event) => {
    const all = tabs();
    const at = all.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    choose(all[(at + step + all.length) % all.length], true);
  });
  return (name) => {
    const tab = tabs().find((one) => one.id === `tab-${name}`);
    if (tab) choose(tab);
  };
}

export const percent = (share) => `${Math.round(share * 100)}%`;
export const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

/** Words of any script, for counts and comparisons. */
export function wordsOf(text) {
  return text.match(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?/gu) ?? [];
}
