// What two texts have in common: Myers' algorithm ("An O(ND) Difference Algorithm and Its Variations",
// 1986) on what is left between a common start and a common end; first on lines, then on the words of
// lines that were changed.

const MOST_STEPS = 1500; // differences that are looked for; sequences that differ in more are told as replaced

/** [{ kind: "same" | "gone" | "new", words: [...] }] from text `a` to text `b`; words have their spaces. */
export function diffTexts(a, b) {
  const lines = (text) => text.match(/[^\n]*\n+|[^\n]+$/g) ?? [];
  const words = (text) => text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  const parts = [];
  let gone = [];
  const flush = (fresh) => {
    const changed = gone.length > 0 && fresh.length > 0;
    if (changed) for (const part of diff(words(gone.join("")), words(fresh.join("")))) add(parts, part.kind, part.words);
    else add(parts, gone.length > 0 ? "gone" : "new", words([...gone, ...fresh].join("")));
    gone = [];
  };
  for (const part of diff(lines(a), lines(b))) {
    if (part.kind === "new" || gone.length > 0) flush(part.kind === "new" ? part.words : []);
    if (part.kind === "gone") gone = part.words;
    if (part.kind === "same") add(parts, "same", words(part.words.join("")));
  }
  if (gone.length > 0) flush([]);
  return parts;
}

/** The same for two sequences; spaces around an item do not matter. */
export function diff(a, b) {
  const bareA = a.map((word) => word.trim());
  const bareB = b.map((word) => word.trim());
  let start = 0;
  while (start < a.length && start < b.length && bareA[start] === bareB[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && bareA.at(-1 - end) === bareB.at(-1 - end)) end++;
  const parts = [];
  let [x, y] = [0, 0];
  const take = (kind, times) => {
    if (kind === "new") add(parts, kind, b.slice(y, y + times));
    else add(parts, kind, a.slice(x, x + times));
    if (kind !== "new") x += times;
    if (kind !== "gone") y += times;
  };
  take("same", start);
  for (const kind of shortest(bareA.slice(start, a.length - end), bareB.slice(start, b.length - end))) take(kind, 1);
  take("same", end);
  return parts;
}

function add(parts, kind, words) {
  if (words.length === 0) return;
  if (parts.at(-1)?.kind === kind) parts.at(-1).words.push(...words);
  else parts.push({ kind, words: [...words] });
}

function replaced(a, b) {
  return [...a.map(() => "gone"), ...b.map(() => "new")];
}

// The kinds of the steps from `a` to `b`.
function shortest(a, b) {
  if (a.length === 0 || b.length === 0) return replaced(a, b);
  const trace = [];
  const most = Math.min(a.length + b.length, MOST_STEPS);
  const reach = new Int32Array(2 * most + 3).fill(-1); // by diagonal, from -most - 1
  const at = (k) => k + most + 1;
  reach[at(1)] = 0;
  for (let d = 0; d <= most; d++) {
    const row = new Int32Array(d + 1);
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[at(k - 1)] < reach[at(k + 1)]);
      let x = down ? reach[at(k + 1)] : reach[at(k - 1)] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[at(k)] = x;
      row[(k + d) / 2] = x;
      if (x >= a.length && x - k >= b.length) {
        trace.push(row);
        return walkBack(trace, a, b);
      }
    }
    trace.push(row);
  }
  return replaced(a, b);
}

// From the end to the start, through the rows of what was reached.
function walkBack(trace, a, b) {
  const path = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d > 0; d--) {
    const before = trace[d - 1];
    const at = (k) => (Math.abs(k) <= d - 1 ? before[(k + d - 1) / 2] : -1);
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const from = down ? at(k + 1) : at(k - 1);
    const fromY = from - (down ? k + 1 : k - 1);
    while (x > from && y > fromY && !(down ? y === fromY + 1 && x === from : x === from + 1 && y === fromY)) {
      path.push("same");
      x--;
      y--;
    }
    path.push(down ? "new" : "gone");
    if (down) y--;
    else x--;
  }
  while (x > 0 && y > 0) {
    path.push("same");
    x--;
    y--;
  }
  return path.reverse();
}
