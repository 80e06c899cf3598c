// The page as it came, shown inertly, with its blocks tinted. The frame is sandboxed without scripts and
// gets a copy of the page without scripts, addresses and event handlers; it is of our origin so that we can
// ask where its elements are (docs/web.md). Tints are drawn on one canvas over the part that is visible. The
// frame does not scroll by itself: the scroller around it has the page's height, and its position is passed on.
import { $, h, on, percent } from "./dom.js";
import { describeFeature } from "./features.js";

const MOST_TAGS = 20000; // and characters of a page that are shown; more would only be slow
const MOST_SHOWN = 4 << 20;
const UNSURE = 0.15; // distance from the threshold up to which a verdict is shown as unsure

const keptAttributes = new Set(
  ("class id lang dir width height colspan rowspan align valign bgcolor border cellpadding cellspacing hidden type value " +
    "placeholder checked selected disabled open start reversed alt color size face span rows cols").split(" "),
);
const removed =
  "script,style,link,meta,base,iframe,frame,object,embed,applet,template,audio,video,source,track,portal,fencedframe,title";

/** Kept, dropped or unsure: one word for colours and labels. */
export function verdictOf(block, threshold) {
  const near = block.probability !== undefined && threshold > 0 && Math.abs(block.probability - threshold) < UNSURE;
  return near ? "unsure" : block.kept ? "kept" : "dropped";
}

// ---- From bytes to an inert document

export function decode(bytes, encoding) {
  let decoder;
  try {
    decoder = new TextDecoder(encoding ?? "utf-8");
  } catch {
    decoder = new TextDecoder("windows-1252"); // encodings that only libraries still know
  }
  return decoder.decode(bytes).replace(/\r\n?/g, "\n");
}

// The places in a string of offsets in its UTF-8 form; `offsets` ascend.
function placesOf(text, offsets) {
  const places = [];
  let bytes = 0;
  let at = 0;
  for (const offset of offsets) {
    while (bytes < offset && at < text.length) {
      const code = text.charCodeAt(at++);
      if (code < 0x80) bytes += 1;
      else if (code < 0x800) bytes += 2;
      else if (code >= 0xd800 && code < 0xdc00) (bytes += 4), at++;
      else bytes += 3;
    }
    places.push(at);
  }
  return places;
}

// Writes the number of each block's element into its start tag.
function markElements(text, offsets, mark) {
  const pieces = [];
  let from = 0;
  placesOf(text, offsets).forEach((place, number) => {
    const name = /^<[a-z][^\s/>]*/i.exec(text.slice(place, place + 64));
    if (!name) return;
    const end = place + name[0].length;
    pieces.push(text.slice(from, end), ` ${mark}="${number}"`);
    from = end;
  });
  pieces.push(text.slice(from));
  return pieces.join("");
}

// The address of an image on a named host of the web, not on this computer or in its network; else null.
function addressOf(image, base) {
  const given = image.dataset.src ?? image.getAttribute("src") ?? "";
  const url = URL.canParse(given, base) ? new URL(given, base) : null;
  const { hostname } = url ?? {};
  return /^https?:/.test(url) && /\.[a-z][a-z0-9-]*$/.test(hostname) && !/\.(local|localhost|internal|lan|home)$/.test(hostname) && hostname !== location.hostname ? url : null;
}

function imagesOf(doc, url) {
  const base = doc.querySelector("base[href]")?.getAttribute("href");
  const whole = base && URL.canParse(base, url ?? undefined) ? new URL(base, url ?? undefined).href : url ?? undefined;
  return [...doc.querySelectorAll("img")].map((image) => [image, addressOf(image, whole)]).filter(([, address]) => address);
}

// Takes everything out that could load, run or lead elsewhere; gives the style sheets and the elements with
// styles of their own, which are applied later: parsed, the policy would stop them.
function defuse(doc, mark) {
  const sheets = [...doc.querySelectorAll("style")].map((style) => style.textContent);
  for (const element of doc.querySelectorAll(removed)) element.remove();
  for (const svg of doc.querySelectorAll("svg, math")) svg.replaceChildren();
  const styled = [];
  for (const element of doc.querySelectorAll("*")) {
    const style = element.getAttribute("style");
    for (const { name } of [...element.attributes])
      if (name !== mark && !keptAttributes.has(name.toLowerCase())) element.removeAttribute(name);
    if (style) styled.push([element, style]);
  }
  return { sheets, styled };
}

// Nothing is loaded from an address. The policy would stop it anyway, but then it was asked for. Escapes
// are undone first, as a name may be written with them; of those that mean something in CSS nothing is left.
const unescaped = (code, sign) => {
  const letter = code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : sign;
  return /[\\"'{}();\n]/.test(letter) ? "" : letter;
};
const withoutAddresses = (css) =>
  css.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))?/gi, (_, code, sign) => unescaped(code, sign ?? "")).replace(/(url|image-set|src)\(/gi, "none(");

const ownStyles = `
  :where(body) { font: 16px/1.5 system-ui, sans-serif; margin: 16px; color: #1c1c1a; background: #fff; }
  :where(img, svg) { background: #e4e4df; min-width: 8px; min-height: 8px; }
  img { max-width: 100% !important; }
  img:not([src]) { max-height: 160px !important; }
  :where(svg) { max-width: 24px; max-height: 24px; }
  html { scroll-behavior: auto !important; overflow: hidden !important; }
  * { animation: none !important; transition: none !important; }`;

// ---- The pane

export class OriginalView {
  #blocks = [];
  #threshold = 0;
  #rects = []; // by block: { x, y, width, height } in the frame's pixels, or null
  #byTop = []; // numbers of blocks, by the upper edge
  #frame = null;
  #nodes = []; // by block: an element or a range
  #hovered = -1;
  #selected = -1;
  #scale = 1;
  images = []; // elements and the addresses of their images
  roles = false; // whether the roles of blocks are written on them

  constructor(onSelect) {
    this.onSelect = onSelect;
    this.scroller = $("scroller");
    this.canvas = $("tints");
    this.label = $("label");
    on(this.scroller, "scroll", () => this.#scrolled(), { passive: true });
    on(this.scroller, "pointermove", (event) => this.#point(event));
    on(this.scroller, "pointerleave", () => this.#hover(-1));
    on(this.scroller, "click", (event) => this.onSelect(this.#blockAt(event)));
    new ResizeObserver(() => this.#measureSoon()).observe(this.scroller);
  }

  #measureSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.measure(), 100);
  }

  /**
   * Shows a page; its blocks are those of the record. Images are loaded from `origins`, if there are any. True
   * if only the beginning of the page is shown.
   */
  async show({ bytes, url }, record, origins) {
    this.#blocks = record.blocks ?? [];
    this.#threshold = record.threshold ?? 0;
    this.#selected = this.#hovered = -1;
    this.#nodes = this.#byTop = [];
    const mark = `data-w${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const offsets = [...new Set(this.#blocks.filter((b) => b.end > 0).map((b) => b.start))].sort((a, b) => a - b);
    const text = decode(bytes, record.encoding);
    let end = 0;
    for (let i = 0; i < MOST_TAGS && end >= 0; i++) end = text.indexOf("<", end + 1);
    const shown = text.slice(0, Math.min(end < 0 ? Infinity : end, MOST_SHOWN));
    const html = markElements(shown, offsets, mark);
    const doc = new DOMParser().parseFromString(html, "text/html");
    this.images = imagesOf(doc, url);
    const { sheets, styled } = defuse(doc, mark);
    await this.#fill(doc, sheets, styled, origins);
    this.#findNodes(mark, offsets);
    this.scroller.scrollTop = 0;
    this.measure();
    return shown.length < text.length;
  }

  /** The same page with other verdicts. */
  update(record) {
    if ((record.blocks ?? []).length !== this.#blocks.length) return false;
    this.#blocks = record.blocks ?? [];
    this.#threshold = record.threshold ?? 0;
    this.draw();
    return true;
  }

  async #fill(doc, sheets, styled, origins) {
    const frame = h("iframe", { sandbox: "allow-same-origin", title: "The page", tabindex: "-1" });
    // A document without an address has our policy, which lets no images in; one with an address has its own.
    if (origins) frame.src = "images.html";
    else frame.srcdoc = "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
    this.#frame?.remove();
    this.#frame = frame;
    const loaded = new Promise((resolve) => on(frame, "load", resolve, { once: true }));
    this.#place(frame);
    $("stage").prepend(frame);
    await loaded;
    const target = frame.contentDocument;
    if (origins) target.head.append(h("meta", { "http-equiv": "Content-Security-Policy", content: `default-src 'none'; img-src ${origins.join(" ")}` }));
    target.replaceChild(target.adoptNode(doc.documentElement), target.documentElement);
    const { CSSStyleSheet } = frame.contentWindow;
    target.adoptedStyleSheets = [ownStyles, ...sheets.map(withoutAddresses)].map((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      return sheet;
    });
    for (const [element, style] of styled) element.style.cssText = withoutAddresses(style);
    for (const [image, { origin, href }] of origins ? this.images : [])
      if (origins.includes(origin)) {
        on(image, "load", () => this.#measureSoon());
        image.src = href;
      }
  }

  // ---- Where blocks are

  // An element may have several blocks: text before, between and after its children. They share its texts.
  #findNodes(mark, offsets) {
    const doc = this.#frame.contentDocument;
    const numberOf = new Map(offsets.map((offset, number) => [offset, number]));
    const elements = [];
    for (const element of doc.querySelectorAll(`[${mark}]`)) elements[element.getAttribute(mark)] ??= element;
    const owners = new Map(); // element -> { blocks, texts }
    this.#nodes = this.#blocks.map((block, i) => {
      const element = block.end && elements[numberOf.get(block.start)];
      if (!element) return null;
      if (!owners.has(element)) owners.set(element, { blocks: [], texts: [] });
      owners.get(element).blocks.push(i);
      return element;
    });
    const walker = doc.createTreeWalker(doc.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (!/\S/.test(text.data)) continue;
      owners.get(text.parentElement.closest(`[${mark}]`))?.texts.push(text);
    }
    for (const [element, { blocks, texts }] of owners)
      if (blocks.length > 1 || element.querySelector(`[${mark}]`)) this.#shareTexts(blocks, texts);
  }

  #shareTexts(blocks, texts) {
    const doc = this.#frame.contentDocument;
    const dense = (text) => text.replace(/\s+/g, "");
    let at = 0;
    for (const number of blocks) {
      let left = dense(this.#blocks[number].text);
      const own = [];
      for (let i = at; i < texts.length && left; i++) {
        const text = dense(texts[i].data);
        if (left.startsWith(text)) {
          own.push(texts[i]);
          left = left.slice(text.length);
          at = i + 1;
        } else if (own.length > 0 && !text.startsWith(left)) break;
        else if (text.startsWith(left)) {
          own.push(texts[i]); // the rest of this text is the next block's
          break;
        }
      }
      if (own.length === 0) continue;
      const range = doc.createRange();
      range.setStartBefore(own[0]);
      range.setEndAfter(own.at(-1));
      this.#nodes[number] = range;
    }
  }

  // A pane that is narrower than pages expect shows them smaller, as telephones do.
  #place(frame) {
    const width = this.scroller.clientWidth || 600;
    const height = this.scroller.clientHeight || 600;
    const wide = matchMedia("(max-width: 760px)").matches ? width : Math.max(width, 800);
    this.#scale = width / wide;
    Object.assign($("stage").style, { width: `${width}px`, height: `${height}px` });
    Object.assign(frame.style, { width: `${wide}px`, height: `${height / this.#scale}px`, transform: `scale(${this.#scale})` });
  }

  measure() {
    if (!this.#frame?.contentDocument?.body || !this.scroller.clientWidth) return;
    this.#place(this.#frame);
    const view = this.#frame.contentWindow;
    view.scrollTo(0, 0);
    this.#rects = this.#nodes.map((node) => {
      const rect = node?.getBoundingClientRect();
      return rect && rect.width > 0 && rect.height > 0 ? rect : null;
    });
    this.#byTop = this.#rects.flatMap((rect, i) => (rect ? [i] : [])).sort((a, b) => this.#rects[a].y - this.#rects[b].y);
    const { documentElement, body } = this.#frame.contentDocument;
    const height = Math.max(documentElement.scrollHeight, body.scrollHeight) * this.#scale;
    $("spacer").style.height = `${Math.max(0, height - this.scroller.clientHeight)}px`;
    this.#scrolled();
  }

  #scrolled() {
    this.#frame?.contentWindow?.scrollTo(0, this.scroller.scrollTop / this.#scale);
    this.label.hidden = true;
    this.draw();
  }

  // ---- Tints

  draw() {
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    const ratio = devicePixelRatio || 1;
    const width = this.scroller.clientWidth;
    const height = this.scroller.clientHeight;
    const { canvas } = this;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const top = this.scroller.scrollTop / this.#scale;
    const bottom = top + height / this.#scale;
    for (const i of this.#byTop) {
      const rect = this.#rects[i];
      if (rect.y > bottom) break;
      if (rect.y + rect.height < top) continue;
      this.#tint(pen, i, rect.x * this.#scale, (rect.y - top) * this.#scale, rect.width * this.#scale, rect.height * this.#scale);
    }
  }

  #writeRole(pen, role, right, y) {
    pen.font = "11px system-ui, sans-serif";
    const width = pen.measureText(role).width + 8;
    pen.fillStyle = "#1c1c1a";
    pen.fillRect(right - width, y, width, 16);
    pen.fillStyle = "#fff";
    pen.fillText(role, right - width + 4, y + 12);
  }

  #tint(pen, number, x, y, width, height) {
    const block = this.#blocks[number];
    const verdict = verdictOf(block, this.#threshold);
    const chance = block.probability ?? (block.kept ? 1 : 0);
    const tints = { dropped: `rgb(90 90 86 / ${0.38 - 0.22 * chance})`, kept: `rgb(15 118 110 / ${0.06 + 0.2 * chance})`, unsure: hatch(pen) };
    pen.fillStyle = tints[verdict];
    pen.fillRect(x, y, width, height);
    if (block.kept) {
      pen.fillStyle = "#0f766e";
      pen.fillRect(x - 5, y, 3, height);
    }
    if (number === this.#selected || number === this.#hovered) {
      pen.strokeStyle = number === this.#selected ? "#0f766e" : "#1c1c1a";
      pen.lineWidth = number === this.#selected ? 3 : 1;
      pen.strokeRect(x - 1, y - 1, width + 2, height + 2);
    }
    if (this.roles && block.role) this.#writeRole(pen, block.role, x + width, Math.max(0, y - 6));
  }

  // ---- Pointing and selecting

  // The smallest block at a place: blocks may lie in others.
  #blockAt(event) {
    const box = this.scroller.getBoundingClientRect();
    const x = (event.clientX - box.x) / this.#scale;
    const y = (event.clientY - box.y + this.scroller.scrollTop) / this.#scale;
    let found = -1;
    let area = Infinity;
    for (const i of this.#byTop) {
      const rect = this.#rects[i];
      if (rect.y > y) break;
      const inside = x >= rect.x && x <= rect.x + rect.width && y <= rect.y + rect.height;
      if (inside && rect.width * rect.height < area) {
        found = i;
        area = rect.width * rect.height;
      }
    }
    return found;
  }

  #point(event) {
    const number = this.#blockAt(event);
    if (number !== this.#hovered) this.#hover(number);
    if (number < 0) return;
    const box = this.scroller.getBoundingClientRect();
    const x = Math.min(event.clientX - box.x + 12, Math.max(8, box.width - this.label.offsetWidth - 8));
    const below = event.clientY - box.y + 20;
    const y = below + this.label.offsetHeight > box.height ? below - 40 - this.label.offsetHeight : below;
    Object.assign(this.label.style, { left: `${x}px`, top: `${y}px` });
  }

  #hover(number) {
    this.#hovered = number;
    const block = this.#blocks[number];
    this.label.hidden = !block;
    if (block) {
      const parts = [kindOf(block), block.role, block.kept ? "kept" : "dropped", block.probability !== undefined && percent(block.probability)];
      this.label.textContent = `${parts.filter(Boolean).join(" · ")}\n${mainReason(block)}`;
    }
    this.draw();
  }

  select(number) {
    this.#selected = number;
    const rect = this.#rects[number];
    const top = rect ? rect.y * this.#scale : 0;
    const height = this.scroller.clientHeight;
    if (rect && (top < this.scroller.scrollTop || top + 40 > this.scroller.scrollTop + height))
      this.scroller.scrollTop = top - height / 3;
    this.draw();
  }
}

// What spoke most for the verdict; of blocks that were not weighed, why.
function mainReason({ kept, reasons, reason }) {
  const [best] = (reasons ?? []).filter(({ weight }) => weight > 0 === kept).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return best ? `${kept ? "for it" : "against it"}: ${describeFeature(best.feature)}` : reasons?.length ? "" : (reason ?? "");
}

export function kindOf(block) {
  return block.level ? `${block.kind} ${block.level}` : block.kind;
}

let pattern = null;
function hatch(pen) {
  if (pattern) return pattern;
  const tile = new OffscreenCanvas(8, 8);
  const small = tile.getContext("2d");
  small.fillStyle = "rgb(250 204 90 / 0.25)";
  small.fillRect(0, 0, 8, 8);
  small.strokeStyle = "rgb(180 110 0 / 0.55)";
  small.lineWidth = 1.5;
  small.beginPath();
  for (const shift of [-8, 0, 8]) {
    small.moveTo(shift, 8);
    small.lineTo(shift + 8, 0);
  }
  small.stroke();
  return (pattern = pen.createPattern(tile, "repeat"));
}
