// What the features of `auto` mean, in words (docs/methods/auto.md has the list).

const table = (text) => new Map(text.trim().split("\n").map((line) => line.trim().split(/\s*=\s*/)));

const own = table(`
  WORDS = words in it
  BYTES = length of its text
  WORD_LENGTH = mean length of its words
  LINK_SHARE = share of its text in links
  MARKS_PER_WORD = punctuation per word
  CALLS = exclamation and question marks
  ENDS_SENTENCE = ends like a sentence
  FIRST_UPPER = begins with a capital
  FIRST_LOWER = begins with a small letter
  UPPER_WORDS = words with a capital
  ALL_UPPER_WORDS = words in capitals
  OTHER_SIGNS = signs such as | and »
  ENDS_DOTS = ends with dots, as teasers do
  TITLE_SHARE = how much of the title it has
  OF_TITLE = how many of its words are in the title
  DESCRIPTION_SHARE = words of the description in it
  DATA_SHARE = words of the structured data in it
  TAG = its element
  VISIBILITY = how visible it is
  TEXT_MEAN = what its words say, on average
  TEXT_MAX = its word that speaks most for content
  TEXT_MIN = its word that speaks most against content
  TEXT_FIRST = what its first word says
  TEXT_WHOLE = what its whole text says
  ROLES_SUM = roles of the elements around it
  NAMES_SUM = class names around it, together
  NAMES_NEAR = class names close around it
  NAMES_MIDDLE = class names further around it
  PLACE = place on the page, in blocks
  WORD_PLACE = place on the page, in words
  INDEX = number of the block
  GOOD_BEFORE = good text before it
  GOOD_BEHIND = good text after it
  FROM_LARGEST = blocks from the longest text
  WORDS_FROM_LARGEST = words from the longest text
  FROM_TITLE = blocks from the title
  WORDS_FROM_TITLE = words from the title
  FROM_HEADING = blocks from the heading above
  COPIES = blocks with the same text
  BEST_UP = steps up to the best element
  BEST_DOWN = steps down to the best element`);

const parts = table(`
  WORD_SHARE = share of the page's words
  SHARE = share of the page's words
  LINK_SHARE = share of text in links
  COUNT = blocks
  BLOCK_WORDS = words per block
  GOOD_SHARE = share of good text
  MARKS = punctuation
  SHORT = short blocks
  KIN = siblings like it
  NAMESAKES = siblings of the same class
  PLACE = place among its siblings
  START = where it starts
  TAG = element
  ALIKE = how alike it is
  UP = steps to the common element`);

const plain = (name) => parts.get(name) ?? name.toLowerCase().replaceAll("_", " ");
const groups = [
  [/^NEAR_(.+)$/, (name) => `steps up to <${name.toLowerCase().replace("item", "li").replace("link", "a")}>`],
  [/^L0_(.+)$/, (name) => `its element: ${plain(name)}`],
  [/^L(\d)_(.+)$/, (level, name) => `element ${level} up: ${plain(name)}`],
  [/^PEAK(\d+)_(.+)$/, (share, way) => `steps ${way.toLowerCase()} to where ${share}% of the good text is`],
  [/^NEAR(\d+)_(.+)$/, (reach, name) => `${plain(name)} within ${reach} blocks`],
  [/^LEFT(\d)_(.+)$/, (steps, name) => `${steps} before it: ${plain(name)}`],
  [/^RIGHT(\d)_(.+)$/, (steps, name) => `${steps} after it: ${plain(name)}`],
  [/^PATH_(.+)$/, (name) => `blocks with the same path: ${plain(name)}`],
  [/^CLASS_(.+)$/, (name) => `blocks with the same classes: ${plain(name)}`],
  [/^NAMES_M(.)/, (side) => `the class name that speaks most ${side === "I" ? "against" : "for"} it`],
  [/^HEADING_/, () => "what the heading above says"],
  [/^PAGE_(.+)$/, (name) => `the page: ${plain(name)}`],
];

export function describeFeature(name) {
  for (const [form, say] of own.has(name) ? [] : groups) {
    const found = form.exec(name);
    if (found) return say(...found.slice(1));
  }
  return own.get(name) ?? plain(name);
}
