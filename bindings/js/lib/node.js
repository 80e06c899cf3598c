// For Node.js, Deno and Bun: the module is a file beside this one.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { createEngine, WinnowError } from "./engine.js";

const module = new WebAssembly.Module(readFileSync(new URL("./winnow.wasm", import.meta.url)));

export const { extract, parse, countWords, methods, version } = createEngine(module, webcrypto);
export { createEngine, WinnowError };
