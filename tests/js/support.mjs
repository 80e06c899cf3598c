// What the tests of the JavaScript package share.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const program = process.env.WINNOW_PROGRAM ?? path.join(root, "build/winnow");

/** The folder of a data set; null if it is not there. */
export function dataSet(name) {
  try {
    const folder = execFileSync(path.join(root, "tools/data"), [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return folder && existsSync(path.join(folder, name)) ? path.join(folder, name) : null;
  } catch {
    return null;
  }
}

export function pagesOf(folder) {
  return readdirSync(path.join(folder, "html"))
    .filter((name) => name.endsWith(".html"))
    .sort()
    .map((name) => path.join(folder, "html", name));
}

/** A package of npm that only tests need; null if it is not installed. */
export function npmPackage(name) {
  try {
    return createRequire(path.join(process.env.WINNOW_NODE_MODULES, "x"))(path.join(process.env.WINNOW_NODE_MODULES, name));
  } catch {
    return null;
  }
}

/** Debian's Chromium, driven by Playwright; null if one of them is not there. `flags` are further ones for Chromium. */
export async function openBrowser(...flags) {
  const playwright = npmPackage("playwright-core");
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
  if (!playwright || !executablePath) return null;
  return playwright.chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...flags] });
}

// What the program writes before each page of several, and between two of them.
const heads = {
  txt: (name) => `(?:^|\\n)==> (${name}) <==\\n`,
  md: (name) => `(?:^|\\n)<!-- (${name}) -->\\n\\n`,
};

/** What the program writes for each page of a folder, by its path; "" for those without content. */
export function programOutput(folder, pages, format) {
  const output = execFileSync(program, ["extract", "-q", "-f", format, ...pages], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  const name = `${folder.replace(/[^\w/]/g, "\\$&")}/html/[^/\n]*`;
  const pieces = output.split(new RegExp(heads[format](name)));
  const texts = new Map(pages.map((page) => [page, ""]));
  for (let i = 1; i < pieces.length; i += 2) texts.set(pieces[i], pieces[i + 1]);
  return texts;
}
