// Who does the work: the engine in this browser if its module is there, else the server that this page came
// from. Both give the library's own records.

/** The engine of worker.js. */
class LocalEngine {
  name = "local";
  #worker;
  #calls = new Map();
  #next = 0;

  static async start() {
    const engine = new LocalEngine();
    engine.#worker = new Worker("worker.js", { type: "module" });
    engine.#worker.onmessage = ({ data }) => {
      const call = engine.#calls.get(data.id);
      engine.#calls.delete(data.id);
      if (data.error === undefined) call.resolve(data.result);
      else call.reject(new Error(data.error));
    };
    engine.#worker.onerror = (event) => {
      event.preventDefault();
      for (const call of engine.#calls.values()) call.reject(new Error("the engine could not be loaded"));
      engine.#calls.clear();
    };
    return Object.assign(engine, await new Promise((resolve, reject) => engine.#calls.set(0, { resolve, reject })));
  }

  #call(call, ...args) {
    return new Promise((resolve, reject) => {
      const id = ++this.#next;
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, args });
    });
  }

  open = (bytes, about) => this.#call("open", bytes, about);
  explain = (method) => this.#call("explain", method);
  write = (method, format, options = {}) => this.#call("write", method, format, options);
  segment = (options) => this.#call("segment", options);
  cloud = (method) => this.#call("cloud", method);
}

/** A `winnow serve`. */
class Server {
  name = "server";
  #page;

  static async find() {
    try {
      const response = await fetch("version");
      const about = response.ok ? await response.json() : null;
      if (about?.name !== "winnow") return null;
      return Object.assign(new Server(), { fetches: about.fetch, store: about.store });
    } catch {
      return null;
    }
  }

  async start() {
    this.methods = (await this.json("v1/methods")).methods;
    return this;
  }

  async #ask(path, init = {}) {
    const headers = new Headers(init.headers);
    const token = sessionStorage.getItem("token");
    if (token) headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(path, { ...init, headers });
    if (response.ok) return response;
    const text = await response.text();
    let message = text;
    try {
      message = JSON.parse(text).detail ?? text;
    } catch {
      // The answer is not JSON, and a sentence by itself.
    }
    throw Object.assign(new Error(message || `HTTP status ${response.status}`), { status: response.status });
  }

  async json(path, init) {
    return (await this.#ask(path, init)).json();
  }

  // The page is the body; everything else is in the query.
  #post(path, query) {
    const known = Object.entries({ url: this.#page.url, ...query }).filter(([, value]) => value != null);
    const charset = this.#page.charset ? `; charset=${this.#page.charset}` : "";
    return this.#ask(`${path}?${new URLSearchParams(known)}`, {
      method: "POST",
      body: this.#page.bytes,
      headers: { "content-type": `text/html${charset}` },
    });
  }

  /** The bytes of a page on the web; the server fetches it. */
  async fetchPage(url) {
    const response = await this.#ask(`v1/source?${new URLSearchParams({ url })}`, { method: "POST" });
    const { headers } = response;
    return { bytes: new Uint8Array(await response.arrayBuffer()), charset: headers.get("x-winnow-charset"), url: headers.get("x-winnow-url") };
  }

  async open(bytes, about) {
    this.#page = { ...about, bytes };
  }

  explain = async (method) => (await this.#post("v1/explain", { method })).json();
  write = async (method, format, options = {}) =>
    (await this.#post("v1/extract", { method, format, ...options })).text();
  segment = async ({ algorithm, pdoc }) =>
    (await this.#post("v1/segment", { algorithm, text: true, ...(algorithm === "vips" ? { pdoc } : {}) })).json();
  cloud = async (method) => (await this.#post("v1/cloud", { method, format: "json", words: 80 })).json();
}

/** { engine, server }; the server is null where there is none. ?engine=server prefers it. */
export async function findEngines(preferred) {
  const server = await Server.find();
  if (preferred !== "server" || !server) {
    try {
      return { engine: await LocalEngine.start(), server };
    } catch (error) {
      if (!server) throw error;
    }
  }
  return { engine: await server.start(), server };
}
