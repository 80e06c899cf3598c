// The pages of a WARC file, also compressed. The program reads more: ARC, zstd, damaged files.

const MOST_PAGES = 500;
const MOST_ATTEMPTS = 8; // to find the end of a compressed record
const latin1 = new TextDecoder("latin1");

async function unpack(bytes, form) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(form));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const isGzip = (bytes, at = 0) => bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;

// Each record is a gzip member. Browsers unpack one member and do not say where it ends: that is where the
// next one starts that it can be unpacked up to.
async function* members(bytes) {
  const starts = [];
  for (let at = bytes.indexOf(0x1f); at >= 0; at = bytes.indexOf(0x1f, at + 1)) if (isGzip(bytes, at)) starts.push(at);
  starts.push(bytes.length);
  for (let i = 0; i + 1 < starts.length; ) {
    let next = i + 1;
    let data = null;
    for (; next < starts.length && next <= i + MOST_ATTEMPTS && !data; next++)
      data = await unpack(bytes.subarray(starts[i], starts[next]), "gzip").catch(() => null);
    if (data) yield data;
    i = data ? next - 1 : i + 1;
  }
}

// "Name: value" lines up to a blank one; names in small letters.
function readHead(bytes, at) {
  const limit = Math.min(bytes.length, at + 65536);
  const text = latin1.decode(bytes.subarray(at, limit));
  const end = text.search(/\r?\n\r?\n/);
  if (end < 0) return null;
  const [first, ...lines] = text.slice(0, end).split(/\r?\n/);
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  return { first, fields, body: at + end + (text[end] === "\r" ? 4 : 2) };
}

async function dechunk(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const size = end < 0 ? 0 : parseInt(latin1.decode(bytes.subarray(at, end)), 16);
    if (!size) break;
    pieces.push(bytes.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 2;
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

// The page of an HTTP response, or null if it is something else.
async function pageOf(payload, url) {
  const head = readHead(payload, 0);
  if (!head?.first.startsWith("HTTP/")) return null;
  const type = head.fields.get("content-type") ?? "";
  if (type && !/html/i.test(type)) return null;
  let bytes = payload.subarray(head.body);
  if (/chunked/i.test(head.fields.get("transfer-encoding") ?? "")) bytes = await dechunk(bytes);
  const coding = /gzip|deflate/.exec(head.fields.get("content-encoding") ?? "")?.[0];
  if (coding) bytes = await unpack(bytes, coding).catch(() => bytes);
  return { url, bytes, charset: /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? null };
}

async function* records(bytes) {
  const pieces = isGzip(bytes) ? members(bytes) : [bytes];
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      while (piece[at] === 10 || piece[at] === 13) at++;
      const head = readHead(piece, at);
      if (!head?.first.startsWith("WARC/")) break;
      const length = Number(head.fields.get("content-length")) || 0;
      yield { fields: head.fields, payload: piece.subarray(head.body, head.body + length) };
      at = head.body + length;
    }
  }
}

export const isArchive = (name, bytes) => /\.warc(\.gz)?$/i.test(name) || latin1.decode(bytes.subarray(0, 5)) === "WARC/";

/** The pages of an archive: [{ url, bytes, charset }]. */
export async function readArchive(bytes) {
  const pages = [];
  for await (const { fields, payload } of records(bytes)) {
    if (fields.get("warc-type") !== "response") continue;
    const page = await pageOf(payload, (fields.get("warc-target-uri") ?? "").replace(/^<|>$/g, ""));
    if (page && page.bytes.length > 0) pages.push(page);
    if (pages.length === MOST_PAGES) break;
  }
  return pages;
}

/** A file as a page: also one that is compressed as a whole. */
export const unpackPage = (bytes) => (isGzip(bytes) ? unpack(bytes, "gzip") : bytes);
