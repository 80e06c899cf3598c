/** A page: a string, or its bytes in any encoding. */
export type Html = string | ArrayBuffer | ArrayBufferView;

export type Format = "txt" | "md" | "json" | "jsonl" | "html" | "xml" | "tei" | "csv" | (string & {});

/** What became of a page. */
export type Status = "ok" | "empty" | "partial" | "not-html" | "no-memory" | "too-large" | (string & {});

export interface ParseOptions {
  /** The page's address, for its links and the record. */
  url?: string | null;
  /** The encoding that the HTTP header names; bytes only. A string is decoded already. */
  charset?: string | null;
  maxBytes?: number;
  maxNodes?: number;
  maxDepth?: number;
  maxAttributes?: number;
  /** Bytes of working memory; 0: no limit. */
  maxMemory?: number;
  /** For all calls on the page; 0: no limit. What was read by then is the result. */
  maxMilliseconds?: number;
}

export interface SelectOptions {
  /** Keep tables of data; default true. */
  tables?: boolean;
  /** Reasons, places and probabilities for every block in the record; default false. */
  explain?: boolean;
}

export interface WriteOptions {
  /** Keep links (not in plain text), list them in the record. */
  links?: boolean;
  /** Keep bold and italics (not in plain text). */
  formatting?: boolean;
  /** Keep images, by address and description. */
  images?: boolean;
  /** Text and Markdown begin with the metadata. */
  metadata?: boolean;
  /** The record lists the blocks that are kept. */
  blocks?: boolean;
  /** A whole document: XML declaration, `<html>` around HTML. */
  standalone?: boolean;
}

export interface ExtractOptions extends ParseOptions, SelectOptions, WriteOptions {
  /** "auto" by default; with parameters "auto:lean=precision", "lineblock:rule=all". */
  method?: string;
  /** "txt" by default. */
  format?: Format;
}

export interface Reason {
  feature: string;
  value: number;
  /** What it added to the log odds; below 0: it speaks against the block. */
  weight: number;
}

export interface Block {
  kind:
    | "paragraph"
    | "heading"
    | "list-item"
    | "term"
    | "detail"
    | "cell"
    | "code"
    | "quote"
    | "caption"
    | "form"
    | (string & {});
  level?: number;
  table?: number;
  row?: number;
  column?: number;
  text: string;
  kept: boolean;
  /** With `explain`. */
  reason?: string;
  /** With `explain`: "body > div#main > p". */
  path?: string;
  /** With `explain`: where its element starts and ends, in bytes of the page in UTF-8. */
  source?: [number, number];
  /** With `explain`, if the method judges by probabilities: 0 to 1. */
  probability?: number;
  reasons?: Reason[];
}

/** The JSON record of a page; docs/formats.md describes every field. */
export interface Record {
  id: string | null;
  url: string | null;
  status: Status;
  error: string | null;
  limited: string[];
  method: string | null;
  title: string | null;
  author: string | null;
  date: string | null;
  /** As declared; that of the text if none is declared, or clearly a wrong one. */
  language: string | null;
  language_source: "declared" | "text" | null;
  /** That a guess from the text is right, 0 to 1. */
  language_probability: number | null;
  encoding: string | null;
  authors: string[];
  modified: string | null;
  site: string | null;
  description: string | null;
  canonical: string | null;
  image: string | null;
  tags: string[];
  categories: string[];
  license: string | null;
  page_type: string | null;
  /** The word F1 to be expected, 0 to 1. */
  confidence: number | null;
  text: string | null;
  /** With `explain`: where each fact of the metadata was found. */
  sources?: { [field: string]: string };
  /** With `explain`: the probability from which on blocks are kept. */
  threshold?: number;
  blocks?: Block[];
  links?: { text: string; url: string }[];
  ms: number | null;
}

/** Which blocks of a page are content. It ends with its page. */
export interface Selection {
  readonly status: Status;
  readonly text: string;
  readonly markdown: string;
  readonly html: string;
  readonly record: Record;
  write(format: Format, options?: WriteOptions): string;
  /** Gives its memory back before the page is freed. */
  free(): void;
}

export interface VisualBlock {
  id: number;
  parent: number | null;
  name: string | null;
  rule: string;
  doc?: number;
  xpath: string;
  whole: boolean;
  box: { x: number; y: number; width: number; height: number };
  gp: { [name: string]: number };
  candidate: boolean;
  importance: number;
  rank: number;
  chosen: boolean;
  text: string;
}

/** The record of `winnow segment`; docs/segment.md describes it. */
export interface Segmentation {
  id: string | null;
  algorithm: "evbe" | "vips";
  pdoc?: number;
  title: string;
  encoding: string;
  width: number;
  height: number;
  leaves: number;
  blocks: VisualBlock[];
}

/** A page, parsed once; it can be selected from any number of times. */
export interface Page {
  /** False after free(). */
  readonly isAlive: boolean;
  /** The encoding that was used, by its WHATWG name. */
  readonly encoding: string;
  select(method?: string, options?: SelectOptions & WriteOptions): Selection;
  segment(options?: { algorithm?: "evbe" | "vips"; pdoc?: number; width?: number }): Segmentation;
  /** Gives its memory back. What is not freed is when JavaScript collects the object. */
  free(): void;
}

export interface WordCounts {
  pages: number;
  counted: number;
  different: number;
  words: { word: string; count: number }[];
}

export interface Parameter {
  name: string;
  help: string;
  default: string;
  allowed: string;
  choices?: string[];
}

export interface Method {
  name: string;
  summary: string;
  needs_layout: boolean;
  needs_noise: boolean;
  builds_tree: boolean;
  parameters: Parameter[];
}

export interface Engine {
  /** The main content of a page. */
  extract(html: Html, options?: ExtractOptions): string;
  parse(html: Html, options?: ParseOptions): Page;
  /** The most frequent words of a text, stop words left out. */
  countWords(text: string, options?: { language?: string | null; words?: number }): WordCounts;
  readonly methods: Method[];
  readonly version: string;
}

export const extract: Engine["extract"];
export const parse: Engine["parse"];
export const countWords: Engine["countWords"];
export const methods: Method[];
export const version: string;

export class WinnowError extends Error {
  readonly status: Status;
}

/** The same functions for a module that you compiled yourself, from `winnow.wasm`. */
export function createEngine(module: WebAssembly.Module, random?: Pick<Crypto, "getRandomValues">): Engine;
