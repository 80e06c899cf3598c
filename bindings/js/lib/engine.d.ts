import type { Engine } from "./index.js";

export { WinnowError } from "./index.js";

/** The functions of the package for a module that you compiled yourself, from `winnow.wasm`. */
export function createEngine(module: WebAssembly.Module, random?: Pick<Crypto, "getRandomValues">): Engine;
