// libwinnow from JavaScript: the module's functions take and give numbers, this file makes strings,
// pages and errors of them. It knows neither files nor the network; node.js and browser.js give it
// the compiled module.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

// What the module asks its host for: a clock, for time limits, and random numbers, so that nobody
// can foresee its hashes. Both are functions of WASI.
function hostFunctions(memory, random) {
  return {
    wasi_snapshot_preview1: {
      clock_time_get(_clock, _precision, place) {
        const now = BigInt(Math.round(performance.now() * 1e6));
        new DataView(memory().buffer).setBigUint64(place, now, true);
        return 0;
      },
      random_get(place, size) {
        random.getRandomValues(new Uint8Array(memory().buffer, place, size));
        return 0;
      },
    },
  };
}

// maxNodes is "max_nodes" in the library.
const libraryName = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What the library says is wrong; `status` is its name: "bad-parameter", "unknown-method", … */
export class WinnowError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "WinnowError";
    this.status = status;
  }
}

/** The functions of the package, for one compiled module. */
export function createEngine(module, random = globalThis.crypto) {
  let exports;
  const instance = new WebAssembly.Instance(module, hostFunctions(() => exports.memory, random));
  exports = instance.exports;
  exports._initialize?.();

  // ---- Strings and bytes ------------------------------------------------------------------

  // The memory moves when it grows: a view is good until the next call.
  const memory = () => new Uint8Array(exports.memory.buffer);

  const noMemory = () => new WinnowError("out of memory", "no-memory");

  function give(bytes) {
    const place = exports.malloc(bytes.length + 1);
    if (!place) throw noMemory();
    const view = memory();
    view.set(bytes, place);
    view[place + bytes.length] = 0;
    return place;
  }

  function read(place, size) {
    const view = memory();
    if (size === undefined) size = view.indexOf(0, place) - place;
    return decoder.decode(view.subarray(place, place + size));
  }

  // Calls `use` with C strings (null: NULL), which live until it returns.
  function withStrings(strings, use) {
    const places = [];
    try {
      for (const string of strings)
        places.push(string == null ? 0 : give(encoder.encode(String(string))));
      return use(...places);
    } finally {
      for (const place of places) if (place) exports.free(place);
    }
  }

  // A string that the module made for us.
  function take(place) {
    if (!place) throw noMemory();
    try {
      return read(place);
    } finally {
      exports.winnow_free(place);
    }
  }

  const statusName = (status) => read(exports.winnow_status_name(status));

  // ---- Options ----------------------------------------------------------------------------

  const textOf = (value) => (value === true ? "yes" : value === false ? "no" : String(value));

  function setOption(options, name, value) {
    const status = withStrings([name, value], (n, v) => exports.winnow_options_set(options, n, v));
    if (status !== 0)
      throw new WinnowError(read(exports.winnow_js_options_error(options)), statusName(status));
  }

  // Calls `use` with a winnow_options of what `settings` has.
  function withOptions(settings, use) {
    const options = exports.winnow_options_new();
    if (!options) throw noMemory();
    try {
      for (const [name, value] of Object.entries(settings ?? {})) {
        if (value != null && name !== "method" && name !== "format")
          setOption(options, libraryName(name), textOf(value));
      }
      return use(options);
    } finally {
      exports.winnow_options_free(options);
    }
  }

  function formatNumber(name) {
    const number = withStrings([name], (n) => exports.winnow_js_format(n));
    if (number < 0) throw new WinnowError(`there is no format '${name}'`, "bad-parameter");
    return number;
  }

  // ---- Pages ------------------------------------------------------------------------------

  // What is forgotten instead of freed is freed with its JavaScript object.
  const forgotten = new FinalizationRegistry(({ handle, bytes }) => {
    exports.winnow_page_free(handle);
    exports.free(bytes);
  });

  class Selection {
    #page;
    #handle;
    #settings;

    constructor(page, handle, settings) {
      this.#page = page;
      this.#handle = handle;
      this.#settings = settings;
    }

    get status() {
      return statusName(exports.winnow_selection_status(this.#alive()));
    }

    get text() {
      return this.write("txt");
    }

    get markdown() {
      return this.write("md");
    }

    get html() {
      return this.write("html");
    }

    /** The record as an object. */
    get record() {
      return JSON.parse(this.write("json"));
    }

    write(format, settings) {
      const number = formatNumber(format);
      return withOptions({ ...this.#settings, ...settings }, (options) => {
        const size = give(new Uint8Array(4));
        try {
          const place = exports.winnow_write(this.#alive(), number, options, size);
          if (!place) throw noMemory();
          return read(place, new DataView(exports.memory.buffer).getUint32(size, true));
        } finally {
          exports.free(size);
        }
      });
    }

    free() {
      if (this.#handle && this.#page.isAlive) exports.winnow_selection_free(this.#handle);
      this.#handle = 0;
    }

    #alive() {
      if (!this.#handle || !this.#page.isAlive)
        throw new WinnowError("the page was freed", "bad-argument");
      return this.#handle;
    }
  }

  class Page {
    #handle;
    #bytes;
    #size;
    #settings;

    constructor(html, settings) {
      const bytes = typeof html === "string" ? encoder.encode(html) : bytesOf(html);
      // A JavaScript string is decoded already, whatever its <meta> says.
      this.#settings = typeof html === "string" ? { ...settings, charset: "utf-8" } : { ...settings };
      this.#size = bytes.length;
      this.#bytes = give(bytes);
      this.#handle = exports.winnow_page_new();
      if (!this.#handle) throw noMemory();
      forgotten.register(this, { handle: this.#handle, bytes: this.#bytes }, this);
      try {
        withOptions(this.#settings, (options) =>
          exports.winnow_parse(this.#handle, this.#bytes, this.#size, options),
        );
      } catch (error) {
        this.free();
        throw error;
      }
    }

    get isAlive() {
      return this.#handle !== 0;
    }

    get encoding() {
      return read(exports.winnow_page_encoding(this.#alive()));
    }

    select(method = "auto", settings = {}) {
      const all = { ...this.#settings, ...settings };
      const handle = withOptions(all, (options) =>
        withStrings([method], (name) => exports.winnow_select(this.#alive(), name, options)),
      );
      if (!handle)
        throw new WinnowError(read(exports.winnow_js_page_error(this.#handle)), "bad-parameter");
      return new Selection(this, handle, all);
    }

    /** The visual blocks of the page: the record of `winnow segment`. */
    segment({ algorithm = "evbe", pdoc = 5, width = 1366 } = {}) {
      this.#alive();
      const degree = algorithm === "vips" ? pdoc : 0;
      return JSON.parse(
        withStrings([this.#settings.charset], (charset) =>
          take(exports.winnow_js_segment(this.#bytes, this.#size, charset, degree, width)),
        ),
      );
    }

    free() {
      if (!this.#handle) return;
      forgotten.unregister(this);
      exports.winnow_page_free(this.#handle);
      exports.free(this.#bytes);
      this.#handle = 0;
    }

    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
      this.free();
    }

    #alive() {
      if (!this.#handle) throw new WinnowError("the page was freed", "bad-argument");
      return this.#handle;
    }
  }

  function bytesOf(data) {
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new TypeError("a page is a string, an ArrayBuffer or a view of one");
  }

  // ---- What the package exports -----------------------------------------------------------

  function parse(html, settings = {}) {
    return new Page(html, settings);
  }

  function extract(html, settings = {}) {
    const page = parse(html, settings);
    try {
      return page.select(settings.method ?? "auto").write(settings.format ?? "txt");
    } finally {
      page.free();
    }
  }

  function countWords(text, { language = "", words = 100 } = {}) {
    const bytes = encoder.encode(separateWords(text));
    const place = give(bytes);
    try {
      return JSON.parse(
        withStrings([language ?? ""], (code) =>
          take(exports.winnow_js_cloud(place, bytes.length, code, words)),
        ),
      );
    } finally {
      exports.free(place);
    }
  }

  return {
    extract,
    parse,
    countWords,
    methods: JSON.parse(take(exports.winnow_js_methods())),
    version: read(exports.winnow_version()),
  };
}

// Scripts that do not put spaces between words. The module has no dictionaries, but JavaScript
// engines do: a zero-width space after each word is what the library takes for a boundary.
const unspaced = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;

function separateWords(text) {
  if (!globalThis.Intl?.Segmenter || text.search(unspaced) < 0) return text;
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  return text.replace(unspaced, (run) =>
    Array.from(segmenter.segment(run), (part) => part.segment).join("\u200b"),
  );
}
