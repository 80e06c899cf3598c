// For browsers and their workers: the module is fetched from where this file came from. The import
// waits for it, so that the functions themselves need no promise.
import { createEngine, WinnowError } from "./engine.js";

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: HTTP status ${response.status}`);
  // Servers that do not know .wasm name another type, which streaming does not take.
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

const module = await load(new URL("./winnow.wasm", import.meta.url));

export const { extract, parse, countWords, methods, version } = createEngine(module);
export { createEngine, WinnowError };
