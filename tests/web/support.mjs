// What the tests of the web page share: a server of static files, and a browser that tells what it does.
import { createReadStream, existsSync, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

import { openBrowser, root } from "../js/support.mjs";

export { openBrowser, root };

export const artifacts = path.join(root, "build/web-artifacts");
mkdirSync(artifacts, { recursive: true });

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves web/ as any server of files would; `requests` are the paths that were asked for. */
export async function serveFiles({ hide = [] } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = path.join(root, "web", name === "/" ? "index.html" : path.normalize(name));
    requests.push(name);
    if (hide.some((start) => name.startsWith(start)) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, requests, close: () => server.close() };
}

/** A server that answers for all hosts of a browser opened with `flag`; `hits` are the addresses that reached it. */
export async function serveHosts(answer) {
  const hits = [];
  const server = createServer((request, response) => {
    const address = `http://${request.headers.host}${request.url}`;
    hits.push(address);
    const { status = 200, headers = {}, body } = answer(address);
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { flag: `--host-resolver-rules=MAP *.example 127.0.0.1:${server.address().port}`, hits, close: () => server.close() };
}

/** A tab with the page in it, ready; `events` has what it asked for and what went wrong in it. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const tab = await context.newPage();
  const events = { requests: [], errors: [], dialogs: [] };
  tab.on("request", (request) => events.requests.push(request.url()));
  tab.on("pageerror", (error) => events.errors.push(error.message));
  tab.on("console", (message) => message.type() === "error" && events.errors.push(message.text()));
  tab.on("dialog", (dialog) => {
    events.dialogs.push(dialog.message());
    dialog.dismiss();
  });
  await tab.goto(address);
  await tab.waitForSelector("html[data-ready]");
  return { tab, events, close: () => context.close() };
}

/** Gives a page to the file input, and waits for its result. */
export async function openFile(tab, name, content) {
  const turn = await tab.evaluate(() => document.querySelector("#facts").replaceChildren());
  await tab.setInputFiles("#file", { name, mimeType: "text/html", buffer: Buffer.from(content) });
  await tab.waitForSelector("#facts > span");
  return turn;
}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
