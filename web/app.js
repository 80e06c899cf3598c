// What was given, what is shown of it, and how the parts follow each other (docs/web.md names them). The
// address holds what is shown (method, threshold, tab, sample), never the page itself.
import { isArchive, readArchive, unpackPage } from "./archive.js";
import { cloudView } from "./cloud.js";
import { CompareView } from "./compare.js";
import { $, count, h, makeTabs, on, percent, wordsOf } from "./dom.js";
import { findEngines } from "./engines.js";
import { OriginalView } from "./original.js";
import { blocksView, jsonView, metadataView, plainView, readerView } from "./result.js";
import { VisualView } from "./visual.js";
import { showWhy } from "./why.js";

const SKELETON_AFTER = 150; // milliseconds

const tabs = [
  ["read", "Read"],
  ["md", "Markdown"],
  ["txt", "Text"],
  ["json", "JSON"],
  ["meta", "Metadata"],
  ["blocks", "Blocks"],
  ["cloud", "Cloud"],
  ["compare", "Compare"],
];

const state = {
  engine: null,
  server: null,
  page: null, // { name, bytes, url, charset }
  record: null,
  method: "auto",
  threshold: null, // null: the page's own
  tab: "read",
  selected: -1,
  turn: 0, // of the last request; answers to earlier ones are dropped
};

const original = new OriginalView((number) => select(number));
let visual = null;
let chooseTab = null;

// ---- Messages

function notify(message, action) {
  const box = $("notice");
  box.hidden = !message;
  box.replaceChildren(message ?? "", action ?? "", message ? h("button", { class: "quiet", onclick: () => notify(null), "aria-label": "Close this message" }, "✕") : "");
}

// `retry` is what failed, for when a token was missing.
function fail(error, retry) {
  if (error.status === 401) askForToken(retry);
  else notify(`That did not work: ${error.message}. The page is still there; try another method, or open it again.`);
}

function askForToken(retry) {
  const input = h("input", { type: "password", "aria-label": "Token" });
  const button = h("button", "Use it");
  on(button, "click", () => {
    sessionStorage.setItem("token", input.value);
    notify(null);
    retry?.();
  });
  notify("This server wants a token. ", h("span", input, button));
}

// ---- The request

function methodText() {
  return state.method === "auto" && state.threshold !== null ? `auto:threshold=${state.threshold}` : state.method;
}

function skeletonAfterAWhile() {
  const panel = $("result-panel");
  return setTimeout(() => panel.replaceChildren(h("div", { class: "skeleton", "aria-label": "Working" }, Array.from({ length: 9 }, () => h("i")))), SKELETON_AFTER);
}

// Asks for the record; false if something else was asked for in the meantime.
async function explain(turn) {
  const started = performance.now();
  const record = await state.engine.explain(methodText());
  if (turn !== state.turn) return false;
  state.ms = performance.now() - started;
  state.record = record;
  return true;
}

/** Opens a page: bytes that were pasted, dropped, fetched, or are ours. */
async function open(page) {
  const turn = ++state.turn;
  const waiting = skeletonAfterAWhile();
  notify(null);
  state.page = page;
  state.threshold = null;
  showOnly("work");
  select(-1);
  try {
    await state.engine.open(page.bytes, { url: page.url, charset: page.charset });
    if (!(await explain(turn))) return;
    visual = null;
    document.title = `${state.record.title ?? page.name} – winnow`;
    await showResult();
    showOriginal();
  } catch (error) {
    fail(error);
  } finally {
    clearTimeout(waiting);
  }
}

// With the images of these origins, if the person wants that.
async function showOriginal(origins) {
  try {
    if (await original.show(state.page, state.record, origins)) notify("This page is large: the left side shows only its beginning.");
  } catch (error) {
    notify(`The page could not be shown: ${error.message}`);
  }
  $("images").hidden = original.images.length === 0;
  $("images").setAttribute("aria-pressed", String(Boolean(origins)));
  if (!$("panel-visual").hidden) showVisual();
}

async function toggleImages() {
  if ($("images").getAttribute("aria-pressed") === "true") return showOriginal();
  const { askForImages } = await import("./images.js");
  askForImages(original.images, notify, showOriginal);
}

/** The same page by another method or with another threshold. */
async function again() {
  if (!state.page) return;
  const turn = ++state.turn;
  try {
    if (!(await explain(turn))) return;
    if (!original.update(state.record)) {
      select(-1);
      showOriginal();
    }
    await showResult();
    if (state.selected >= 0) select(state.selected);
  } catch (error) {
    if (turn === state.turn) fail(error);
  }
}

// ---- The result

const status = {
  empty: "no content was found",
  partial: "only a part: a limit was reached",
  "not-html": "this does not look like a web page",
  "too-large": "too large for this method",
};

function showFacts() {
  const { record, ms } = state;
  const blocks = record.blocks ?? [];
  const [words, ...unit] = count(wordsOf(record.text ?? "").length, "word").split(" ");
  const facts = [
    h("span", h("b", words), ` ${unit}`),
    h("span", { title: "Blocks of text that were kept, of all on the page" }, h("b", blocks.filter((block) => block.kept).length), ` of ${count(blocks.length, "block")}`),
    record.page_type && h("span", record.page_type),
    record.confidence && h("span", { title: "The word F1 to be expected: how well this is likely to match what a person would keep" }, "confidence ", h("b", percent(record.confidence))),
    h("span", { title: "Time for this answer" }, `${Math.max(1, Math.round(ms))} ms`),
    status[record.status] && h("span", { class: "warn" }, status[record.status]),
  ];
  $("facts").replaceChildren(...facts.filter(Boolean));
  const cut = record.threshold;
  if (state.threshold === null && cut > 0 && cut <= 1) $("cut").value = Math.round((1 - cut) * 100);
  const isAuto = state.method === "auto";
  $("slider").hidden = !isAuto;
  $("cut").setAttribute("aria-valuetext", `Blocks from ${percent(cut ?? 0)} on are kept`);
  $("cut").title = `Blocks that are at least ${percent(cut ?? 0)} likely to be content are kept`;
  $("cut-reset").setAttribute("aria-pressed", String(state.threshold === null));
}

async function resultView() {
  const { engine, record } = state;
  const method = methodText();
  if (record.status === "not-html" && !record.text) return h("p", { class: "nothing" }, "This is not a web page: it looks like another kind of file.");
  switch (state.tab) {
    case "md":
      return plainView(await engine.write(method, "md", { links: true, formatting: true }), record);
    case "txt":
      return plainView(await engine.write(method, "txt"), record);
    case "json":
      return jsonView(record);
    case "meta":
      return metadataView(record);
    case "blocks":
      return blocksView(record);
    case "cloud":
      return cloudView(await engine.cloud(method));
    case "compare":
      return new CompareView(engine, engine.methods, method).show();
    default:
      if (!record.text) return h("p", { class: "nothing" }, "No content was found on this page. Move the slider to more, or try the method all.");
      return readerView(await engine.write(method, "html", { links: true, formatting: true }), record);
  }
}

async function showResult() {
  const turn = state.turn;
  const { tab } = state;
  showFacts();
  const panel = $("result-panel");
  const view = await resultView();
  if (turn !== state.turn || tab !== state.tab) return;
  const place = panel.scrollTop;
  panel.replaceChildren(view, ...(tab === "read" ? [themePicker()] : []));
  panel.scrollTop = panel.dataset.tab === tab ? place : 0;
  panel.dataset.tab = tab;
  markSelected(false);
  saveAddress();
}

function themePicker() {
  const { dataset } = document.documentElement;
  const picker = h("select", { "aria-label": "Colours" }, ["auto", "light", "sepia", "dark"].map((name) => h("option", name)));
  picker.value = dataset.theme ?? "auto";
  on(picker, "change", () => (dataset.theme = picker.value));
  return h("div", { class: "themes" }, picker);
}

function showVisual() {
  visual ??= new VisualView($("panel-visual"), state.engine);
  if (state.page) visual.show();
}

// ---- Selecting a block

function select(number) {
  state.selected = number;
  original.select(number);
  showWhy(state.record?.blocks?.[number], state.record, () => select(-1));
  markSelected(true);
}

function markSelected(scroll) {
  const panel = $("result-panel");
  for (const element of panel.querySelectorAll(".selected")) element.classList.remove("selected");
  const marked = [...panel.querySelectorAll(`[data-block="${state.selected}"]`)];
  for (const element of marked) element.classList.add("selected");
  if (scroll && marked[0]) marked[0].scrollIntoView({ block: "nearest" });
}

// ---- What was given

const looksLikeHtml = (text) => /<[a-z!/][^>]*>/i.test(text);
const looksLikeAddress = (text) => /^(https?:\/\/\S+|[^\s/:.]+(\.[^\s/:.]+)+([:/?#]\S*)?)$/i.test(text.trim());

async function takeText(text) {
  if (looksLikeHtml(text)) return open({ name: "pasted HTML", bytes: new TextEncoder().encode(text), charset: "utf-8", url: null });
  if (!looksLikeAddress(text)) return notify("That is neither an address nor HTML. Paste the source of a page, or drop a file.");
  if (!state.server?.fetches) return notify("This page fetches nothing by itself. Save the page and drop the file here, or start: winnow serve --fetch");
  const url = /^https?:/i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
  const waiting = skeletonAfterAWhile();
  try {
    const page = await state.server.fetchPage(url);
    await open({ name: url, ...page });
  } catch (error) {
    fail(error);
  } finally {
    clearTimeout(waiting);
  }
}

async function takeFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (isArchive(file.name, bytes)) return showArchive(file.name, await readArchive(bytes));
    await open({ name: file.name, bytes: await unpackPage(bytes), charset: null, url: null });
    understood(`file ${file.name}`);
  } catch (error) {
    fail(error);
  }
}

function showArchive(name, pages) {
  if (pages.length === 0) return notify(`${name} holds no pages that could be read.`);
  understood(`archive with ${count(pages.length, "page")}`);
  const back = h("button", { id: "archive-back", class: "quiet", onclick: () => showArchive(name, pages) }, "Archive");
  $("archive-back")?.remove();
  $("collection-open").after(back);
  const list = h("ul", { class: "hits" }, pages.map((page) => h("li", h("button", { onclick: () => open({ name: page.url, ...page }) }, page.url), h("p", `${Math.ceil(page.bytes.length / 1000).toLocaleString("en")} KB`))));
  $("collection").replaceChildren(h("div", { class: "inner" }, h("h2", name), h("p", `${count(pages.length, "page")}; choose one`), list));
  showOnly("collection");
}

const understood = (text) => ($("understood").textContent = text);

async function openSample(name) {
  const response = await fetch(`samples/${name}.html`);
  if (!response.ok) return notify("The sample pages are not here.");
  await open({ name, sample: name, bytes: new Uint8Array(await response.arrayBuffer()), charset: "utf-8", url: `https://example.org/${name}` });
  understood(`sample: ${name}`);
}

// ---- What is on the screen

function showOnly(name) {
  for (const id of ["empty", "work", "collection"]) $(id).hidden = id !== name;
  $("switch").hidden = name !== "work";
  if (name !== "work") $("why").hidden = true;
}

function showSide(name) {
  for (const id of ["original", "result"]) $(id).classList.toggle("behind", id !== name);
  for (const button of $("switch").children) button.setAttribute("aria-pressed", String(button.dataset.side === name));
  original.measure();
}

function saveAddress() {
  const parts = new URLSearchParams();
  if (state.page?.sample) parts.set("sample", state.page.sample);
  if (state.method !== "auto") parts.set("method", state.method);
  if (state.threshold !== null) parts.set("threshold", state.threshold);
  if (state.tab !== "read") parts.set("tab", state.tab);
  history.replaceState(null, "", `${location.pathname}${location.search}#${parts}`);
}

async function restoreAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (tabs.some(([name]) => name === parts.get("tab"))) chooseTab(parts.get("tab"));
  if (state.engine.methods.some((method) => method.name === parts.get("method"))) state.method = $("method").value = parts.get("method");
  if (!/^(article|thread|shop)$/.test(parts.get("sample") ?? "")) return;
  const threshold = Number(parts.get("threshold"));
  await openSample(parts.get("sample"));
  if (!(threshold > 0 && threshold <= 1)) return;
  state.threshold = threshold;
  $("cut").value = Math.round((1 - threshold) * 100);
  await again();
}

// ---- Controls

function fillControls() {
  $("result-tabs").replaceChildren(
    ...tabs.map(([name, label], i) => h("button", { role: "tab", id: `tab-${name}`, "aria-controls": "result-panel", "aria-selected": String(i === 0), tabindex: i ? "-1" : "0" }, label)),
  );
  chooseTab = makeTabs($("result-tabs"), (tab) => {
    state.tab = tab.id.slice(4);
    $("result-panel").setAttribute("aria-labelledby", tab.id);
    if (state.record) showResult().catch(fail);
  });
  makeTabs($("original").querySelector('[role="tablist"]'), (tab) => {
    const isVisual = tab.id === "tab-visual";
    $("panel-page").hidden = isVisual;
    $("panel-visual").hidden = !isVisual;
    if (isVisual) showVisual();
    else original.measure();
  });
  const methods = state.engine.methods.filter((method) => !method.needs_noise);
  $("method").replaceChildren(...methods.map(({ name, summary }) => h("option", { value: name, title: summary }, name)));
  $("method").value = state.method;
  on($("method"), "change", () => {
    state.method = $("method").value;
    state.threshold = null;
    again();
  });
  on($("cut"), "input", () => {
    state.threshold = (100 - $("cut").value) / 100;
    again();
  });
  on($("cut-reset"), "click", () => {
    state.threshold = null;
    again();
  });
}

function listen() {
  on($("input-form"), "submit", (event) => {
    event.preventDefault();
    if ($("input").value.trim()) takeText($("input").value);
  });
  on($("input"), "input", () => {
    const text = $("input").value;
    understood(!text.trim() ? "" : looksLikeHtml(text) ? "HTML" : looksLikeAddress(text) ? "an address" : "");
  });
  // A text field has one line: what is pasted is taken as it was.
  on(document, "paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!looksLikeHtml(text)) return;
    event.preventDefault();
    $("input").value = "";
    understood(`HTML, ${Math.ceil(text.length / 1000)} KB`);
    takeText(text);
  });
  on($("file-open"), "click", () => $("file").click());
  on($("file"), "change", () => $("file").files[0] && takeFile($("file").files[0]));
  on(window, "dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  on(window, "dragleave", (event) => !event.relatedTarget && document.body.classList.remove("dropping"));
  on(window, "drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) takeFile(file);
    else takeText(event.dataTransfer.getData("text/plain"));
  });
  document.querySelectorAll("[data-sample]").forEach((button) => on(button, "click", () => openSample(button.dataset.sample)));
  on($("result-panel"), "click", (event) => {
    const element = event.target.closest("[data-block]");
    if (element && !event.target.closest("a") && !String(getSelection())) select(Number(element.dataset.block));
  });
  for (const button of $("switch").children) on(button, "click", () => showSide(button.dataset.side));
  on($("copy"), "click", copyShown);
  on($("help-open"), "click", showHelp);
  on($("images"), "click", toggleImages);
  on($("roles"), "click", () => {
    original.roles = !original.roles;
    $("roles").setAttribute("aria-pressed", String(original.roles));
    original.draw();
  });
  on($("collection-open"), "click", async () => {
    showOnly("collection");
    const { showCollection } = await import("./collection.js");
    const show = () => showCollection($("collection"), state.server, fail).catch((error) => fail(error, show));
    show();
  });
  listenToDivider();
}

async function copyShown() {
  const text = state.tab === "json" ? JSON.stringify(state.record, null, 2) : $("result-panel").innerText;
  await navigator.clipboard?.writeText(text).catch(() => {});
  $("copy").textContent = "Copied";
  setTimeout(() => ($("copy").textContent = "Copy"), 1200);
}

function listenToDivider() {
  const divider = $("divider");
  const set = (share) => {
    const left = Math.min(80, Math.max(20, share));
    $("work").style.setProperty("--left", `${left}fr`);
    $("work").style.setProperty("--right", `${100 - left}fr`);
    divider.setAttribute("aria-valuenow", Math.round(left));
  };
  on(divider, "pointerdown", (event) => divider.setPointerCapture(event.pointerId));
  on(divider, "pointermove", (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const box = $("work").getBoundingClientRect();
    set(((event.clientX - box.x) / box.width) * 100);
  });
  on(divider, "keydown", (event) => {
    const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key];
    if (step) set(Number(divider.getAttribute("aria-valuenow")) + step);
  });
}

// ---- Keyboard

const keys = [
  ["/", "go to the input", () => $("input").focus()],
  ["o", "choose a file", () => $("file").click()],
  ["1 … 8", "show the result in another form", null],
  ["j, k", "select the next or the previous block", null],
  ["[, ]", "keep less, keep more", null],
  ["0", "let winnow choose how much to keep", () => $("cut-reset").click()],
  ["v", "visual blocks, or the page", () => $($("panel-visual").hidden ? "tab-visual" : "tab-page").click()],
  ["r", "what each block is, or not", () => $("roles").click()],
  ["i", "the images of the page, or none", () => $("images").click()],
  ["c", "copy what is shown", () => copyShown()],
  ["Escape", "close the reasons", () => select(-1)],
  ["?", "this list", () => showHelp()],
];

function showHelp() {
  $("help-keys").replaceChildren(...keys.flatMap(([key, what]) => [h("dt", h("kbd", key)), h("dd", what)]));
  $("help").showModal();
}

function moveCut(step) {
  const cut = $("cut");
  cut.value = Number(cut.value) + step;
  cut.dispatchEvent(new Event("input"));
}

function selectNext(step) {
  const blocks = state.record?.blocks ?? [];
  const next = Math.min(blocks.length - 1, Math.max(0, state.selected + step));
  if (blocks.length > 0) select(next);
}

function listenToKeys() {
  on(window, "keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=range]), select, textarea, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || (typing && event.key !== "Escape")) return;
    if (event.key === "Enter" && event.target.matches?.(".block")) return select(Number(event.target.dataset.block));
    if (event.key >= "1" && event.key <= String(tabs.length) && state.record) return chooseTab(tabs[event.key - 1][0]);
    const step = { j: 1, k: -1 }[event.key] ?? (event.target === $("scroller") && { ArrowDown: 1, ArrowUp: -1 }[event.key]);
    if (step) {
      event.preventDefault();
      return selectNext(step);
    }
    if (event.key === "[" || event.key === "]") return moveCut(event.key === "]" ? 5 : -5);
    const found = keys.find(([key]) => key === event.key);
    if (!found?.[2]) return;
    event.preventDefault();
    found[2]();
  });
}

// ---- Start

async function start() {
  try {
    Object.assign(state, await findEngines(new URLSearchParams(location.search).get("engine")));
  } catch (error) {
    if (error.status === 401) return askForToken(start);
    return notify("winnow could not be loaded: neither its module nor a server is here. Build it with “make web”, or start “winnow serve”.");
  }
  const { engine, server } = state;
  $("where").textContent =
    engine.name === "local"
      ? "Everything happens in this browser. Nothing you open here is sent anywhere."
      : "Pages are sent to the server that this page came from, and nowhere else.";
  if (server?.fetches) $("input").placeholder = "Paste an address or HTML, or drop a page or a web archive";
  $("collection-open").hidden = !server?.store;
  fillControls();
  listen();
  listenToKeys();
  showSide("result");
  document.documentElement.dataset.ready = engine.name;
  await restoreAddress();
}

start();
