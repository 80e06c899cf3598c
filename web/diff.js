// What two texts have in common: the longest common sequence of lines, then of the words in lines that
// were changed, by the usual table of lengths.

const LARGEST = 4e6; // cells of the table; what would need more is told as replaced

/** [{ kind: "same" | "gone" | "new", words: [...] }] from text `a` to text `b`; words have their spaces. */
export function diffTexts(a, b) {
  const lines = (text) => text.match(/[^\n]*\n+|[^\n]+$/g) ?? [];
  const words = (texts) => texts.join("").match(/\s*\S+(\s+$)?/g) ?? [];
  const parts = [];
  let gone = [];
  const flush = (fresh) => {
    if (gone.length > 0 || fresh.length > 0) for (const part of diff(words(gone), words(fresh))) add(parts, part.kind, part.words);
    gone = [];
  };
  for (const part of diff(lines(a), lines(b))) {
    if (part.kind !== "gone") flush(part.kind === "new" ? part.words : []);
    if (part.kind === "gone") gone = part.words;
    if (part.kind === "same") add(parts, "same", words(part.words));
  }
  flush([]);
  return parts;
}

function add(parts, kind, words) {
  if (words.length === 0) return;
  if (parts.at(-1)?.kind === kind) parts.at(-1).words.push(...words);
  else parts.push({ kind, words: [...words] });
}

/** The same for two sequences; spaces around an item do not matter. */
export function diff(a, b) {
  const same = (x, y) => a[x].trim() === b[y].trim();
  let start = 0;
  while (start < a.length && start < b.length && same(start, start)) start++;
  let [x, y] = [a.length, b.length];
  while (x > start && y > start && same(x - 1, y - 1)) x--, y--;
  const parts = [];
  add(parts, "same", a.slice(0, start));
  middle(parts, a.slice(start, x), b.slice(start, y));
  add(parts, "same", a.slice(x));
  return parts;
}

function middle(parts, a, b) {
  const [bareA, bareB] = [a, b].map((items) => items.map((item) => item.trim()));
  const width = b.length + 1;
  const small = (a.length + 1) * width <= LARGEST;
  const lengths = new Uint16Array(small ? (a.length + 1) * width : 0); // of what follows both places
  if (small)
    for (let x = a.length - 1; x >= 0; x--)
      for (let y = b.length - 1; y >= 0; y--)
        lengths[x * width + y] =
          bareA[x] === bareB[y] ? lengths[(x + 1) * width + y + 1] + 1 : Math.max(lengths[(x + 1) * width + y], lengths[x * width + y + 1]);
  let [x, y] = [0, 0];
  while (x < a.length || y < b.length) {
    if (small && x < a.length && y < b.length && bareA[x] === bareB[y]) add(parts, "same", [a[x++]]), y++;
    else if (x < a.length && (y === b.length || !small || lengths[(x + 1) * width + y] >= lengths[x * width + y + 1])) add(parts, "gone", [a[x++]]);
    else add(parts, "new", [b[y++]]);
  }
}
