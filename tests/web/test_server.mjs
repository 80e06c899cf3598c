// The page as `winnow serve` gives it: the server does the work, finds pages in a store, wants a token.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { npmPackage, program } from "../js/support.mjs";
import { artifacts, openBrowser, openFile, openPage, root, serveFiles, sleep } from "./support.mjs";

const hasServer = spawnSync(program, ["serve", "--help"]).status === 0;
const browser = hasServer ? await openBrowser() : null;
const skip = !hasServer ? "this program has no `serve`" : browser ? false : "Chromium or playwright-core is not here";
const sample = path.join(root, "web/samples/article.html");
let folder;
let store;

before(() => {
  if (skip) return;
  folder = mkdtempSync(path.join(tmpdir(), "winnow-web-"));
  store = path.join(folder, "store.db");
  const add = (label, ...pages) => execFileSync(program, ["corpus", "add", "-q", "-s", store, "--label", label, ...pages]);
  add("ours", path.join(root, "web/samples"));
  add("tests", path.join(root, "tests/pages/article.html"));
  copyFileSync(path.join(root, "tests/pages/article.html"), path.join(folder, "zz-copy.html"));
  add("tests", path.join(folder, "zz-copy.html"));
  execFileSync(program, ["corpus", "dedup", "-s", store], { stdio: "ignore" });
  execFileSync(program, ["corpus", "reindex", "-s", store], { stdio: "ignore" });
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

// Starts a server and gives its address.
async function serve(...options) {
  const server = spawn(program, ["serve", "--bind", "127.0.0.1:0", ...options], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    const hear = (bytes) => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+\/?/.exec(said);
      if (found) resolve(found[0].replace(/\/?$/, "/"));
    };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
    server.on("exit", () => reject(new Error(said)));
  });
  return { address, close: () => server.kill() };
}

// Pictures of a view, and what axe finds in it, on a desk and a telephone, light and dark.
async function checkView(tab, name) {
  const axe = npmPackage("axe-core");
  if (axe) await tab.evaluate(axe.source);
  for (const [screen, width, height] of [["desktop", 1440, 900], ["phone", 360, 740]])
    for (const colorScheme of ["light", "dark"]) {
      await tab.setViewportSize({ width, height });
      await tab.emulateMedia({ colorScheme });
      await sleep(200);
      await tab.screenshot({ path: path.join(artifacts, `${name}-${screen}-${colorScheme}.png`) });
      if (!axe) continue;
      const { violations } = await tab.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`), [], `${name}, ${screen}, ${colorScheme}`);
    }
  await tab.setViewportSize({ width: 1440, height: 900 });
  await tab.emulateMedia({ colorScheme: "light" });
}

function withServer(name, options, work, query = "?engine=server") {
  test(name, { skip }, async () => {
    const server = await serve(...options());
    const page = await openPage(browser, server.address + query);
    try {
      await work(page.tab, page.events);
      const errors = page.events.errors.filter((text) => !/40[14]|Content Security Policy/.test(text));
      assert.deepEqual(errors, []);
    } finally {
      await page.close();
      server.close();
    }
  });
}

withServer("the server does the work, with the same results", () => [], async (tab, events) => {
  assert.equal(await tab.getAttribute("html", "data-ready"), "server");
  assert.match(await tab.innerText("#where"), /sent to the server/);
  await tab.click('[data-sample="article"]');
  await tab.waitForSelector(".reader");
  await tab.click("#tab-txt");
  await tab.waitForSelector("pre.plain");
  assert.equal(await tab.textContent("pre.plain"), execFileSync(program, ["extract", sample], { encoding: "utf8" }));
  await tab.keyboard.press("j");
  assert.match(await tab.innerText("#why h2"), /^Dropped: \d+%/);
  assert.ok((await tab.locator("#why .features li").count()) >= 3);
  for (const [name, selector] of [["md", "pre.plain"], ["meta", ".card"], ["cloud", ".cloud svg text"], ["compare", ".diff"]]) {
    await tab.click(`#tab-${name}`);
    await tab.waitForSelector(selector);
  }
  await tab.keyboard.press("v");
  await tab.waitForSelector(".visual svg");
  await tab.selectOption('[aria-label="Algorithm"]', "vips");
  await tab.keyboard.press("]");
  await tab.waitForFunction(() => location.hash.includes("threshold"));
  await tab.selectOption("#method", "bte");
  await sleep(300);
  assert.equal(await tab.isVisible("#notice"), false);
  assert.ok(events.requests.every((url) => url.startsWith(tab.url().replace(/[?#].*/, ""))));
});

withServer("a collection: search, snippets, filters, texts, duplicates", () => ["--store", store], async (tab) => {
  await tab.click("#collection-open");
  await tab.waitForSelector(".hits li");
  assert.equal(await tab.locator(".hits li").count(), 4);
  await tab.fill('[type="search"]', "wind");
  await tab.press('[type="search"]', "Enter");
  await tab.waitForSelector(".hits mark");
  assert.equal(await tab.locator(".hits li").count(), 2);
  assert.match((await tab.locator(".hits mark").allInnerTexts()).join(), /^winds?(,winds?)*$/);
  await tab.click('.facets button:has-text("ours")');
  await tab.waitForFunction(() => document.querySelectorAll(".hits li").length === 1);
  await tab.click(".hits button");
  await tab.waitForSelector(".hits pre");
  assert.match(await tab.innerText(".hits pre"), /The mill that runs on two winds/);
  await checkView(tab, "collection");
  await tab.fill('[type="search"]', "nosuchword");
  await tab.press('[type="search"]', "Enter");
  await tab.waitForSelector("text=No page has these words");
  await tab.click("text=Duplicates");
  await tab.click("text=1 duplicate of page");
  await tab.waitForSelector("details .hits li");
  assert.equal(await tab.locator("details .hits li").count(), 2);
  await tab.click("details .hits button >> nth=0");
  await tab.waitForSelector("details pre");
  assert.match(await tab.innerText("details pre"), /How winnowing separates grain/);
  await checkView(tab, "duplicates");
});

withServer("labels narrow the list before any search", () => ["--store", store], async (tab) => {
  await tab.click("#collection-open");
  await tab.waitForSelector(".hits .tag");
  assert.deepEqual(await tab.locator('.facets button[title="label"]').allInnerTexts(), ["ours 3", "tests 1"]);
  await tab.click('.facets button:has-text("tests")');
  await tab.waitForFunction(() => document.querySelectorAll(".hits li").length === 1);
  assert.equal(await tab.innerText(".hits .tag"), "tests");
  await tab.click('.facets button[aria-pressed="true"]');
  await tab.waitForFunction(() => document.querySelectorAll(".hits li").length === 4);
});

withServer("outliers: a plot with names, hovering names the rest, a click finds pages", () => ["--store", store], async (tab) => {
  await tab.click("#collection-open");
  await tab.click("text=Outliers");
  await tab.waitForSelector(".plot svg");
  const data = await tab.evaluate(async () => (await fetch("v1/outliers")).json());
  assert.equal(await tab.locator(".words button").count(), data.outliers.length);
  assert.match(await tab.getAttribute(".plot svg", "aria-label"), new RegExp(`^${data.outliers.length} outliers among `));
  const names = await tab.locator(".plot .named").allTextContents();
  assert.ok(names.length >= 5 && names.includes(data.outliers[0].word), names.join());
  const boxes = await tab.locator(".plot .named").evaluateAll((all) => all.map((one) => one.getBBox()).map(({ x, y, width, height }) => ({ x, y, right: x + width, bottom: y + height })));
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(0, i)) assert.ok(a.x + 1 >= b.right || b.x + 1 >= a.right || a.y + 2 >= b.bottom || b.y + 2 >= a.bottom, `names do not overlap: ${names[i]} ${JSON.stringify(a)} ${JSON.stringify(b)}`);
  await tab.focus(".words button >> nth=2");
  await tab.waitForSelector(".plot .float-label:not([hidden])");
  assert.match(await tab.innerText(".plot .float-label"), new RegExp(`^${data.outliers[2].word} · \\d+ times? on \\d+ pages? · outlier$`));
  const corner = await tab.evaluate(() => {
    const box = document.querySelector(".plot svg").getBoundingClientRect();
    const [, x, y] = /M([\d.]+) ([\d.]+)/.exec([...document.querySelectorAll(".plot .others")].at(-1).getAttribute("d")); // many words in one place
    return { x: box.x + Number(x), y: box.y + Number(y) };
  });
  await tab.mouse.move(corner.x, corner.y);
  await tab.waitForFunction(() => /· 1 time on 1 page/.test(document.querySelector(".plot .float-label").innerText));
  await checkView(tab, "outliers");
  await tab.click(`.words button >> nth=0`);
  await tab.waitForSelector(".hits li");
  assert.equal(await tab.inputValue('[type="search"]'), data.outliers[0].word);
});

withServer("a page with images comes in a frame of its own, with a policy of its own", () => [], async (tab, events) => {
  await tab.context().route(/pictures\.example/, (route) => route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>' }));
  await openFile(tab, "x.html", '<h1>Images</h1><p>A page with an image and enough words to be kept as its content.</p><img src="http://pictures.example/a.svg">');
  await tab.waitForSelector("#images:not([hidden])");
  assert.ok(events.requests.every((url) => !url.includes("pictures")));
  await tab.click("#images");
  await tab.click("text=Load images");
  await tab.waitForFunction(() => document.querySelector("#stage iframe")?.contentDocument?.images[0]?.naturalWidth === 40);
  const response = await fetch(new URL("images.html", tab.url()));
  assert.equal(response.headers.get("content-security-policy"), "default-src 'none'; img-src http: https:; frame-ancestors 'self'");
  assert.equal(response.headers.get("x-frame-options"), "SAMEORIGIN");
});

test("an address: the server fetches the page", { skip }, async (t) => {
  const site = await serveFiles();
  const server = await serve("--fetch", "--allow-private");
  const probe = await fetch(`${server.address}v1/source?url=${site.url}`, { method: "POST" });
  if (probe.status === 404) {
    server.close();
    site.close();
    return t.skip("this server has no /v1/source");
  }
  const { tab, events, close } = await openPage(browser, server.address);
  try {
    await tab.fill("#input", `${site.url}samples/thread.html`);
    await tab.press("#input", "Enter");
    await tab.waitForSelector(".reader");
    assert.match(await tab.innerText("#result-panel"), /Sourdough does not rise overnight/);
    await tab.waitForFunction(() => document.querySelector("#stage iframe")?.contentDocument.body.innerText.includes("Similar threads"));
    assert.ok(events.requests.every((url) => url.startsWith(server.address)), "the browser itself asks nobody else");
    await tab.fill("#input", `${site.url}nosuch.html`);
    await tab.press("#input", "Enter");
    await tab.waitForSelector("#notice:not([hidden])");
    assert.match(await tab.innerText("#notice"), /404/);
    assert.match(await tab.innerText("#result-panel"), /Sourdough/, "the page is still there");
  } finally {
    await close();
    server.close();
    site.close();
  }
});

test("a token is asked for, and used", { skip }, async () => {
  const server = await serve("--token", "open-sesame");
  const tab = await browser.newPage();
  try {
    await tab.goto(`${server.address}?engine=server`);
    await tab.fill('[aria-label="Token"]', "wrong");
    await tab.click("text=Use it");
    await tab.fill('[aria-label="Token"]', "open-sesame");
    await tab.click("text=Use it");
    await tab.waitForSelector("html[data-ready]");
    await tab.click('[data-sample="article"]');
    await tab.waitForSelector(".reader");
  } finally {
    await tab.close();
    server.close();
  }
});

test("the files of the page come with a policy, and pages of others cannot use the server", { skip }, async () => {
  const server = await serve();
  try {
    const response = await fetch(server.address);
    assert.match(response.headers.get("content-security-policy"), /default-src 'none'/);
    assert.equal(await response.text(), readFileSync(path.join(root, "web/index.html"), "utf8"));
    const other = await fetch(`${server.address}v1/extract`, { method: "POST", body: "<p>x", headers: { origin: "http://evil.example" } });
    assert.ok(other.status >= 400);
  } finally {
    server.close();
  }
});
