#!/usr/bin/env python3
"""The API reference that tools/gen_api.py makes has every public function, and links that lead somewhere."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import gen_api  # noqa: E402

HEADER = """/*
 * Title.
 *
 *     1. Part   what it has
 */
#ifndef X
/* ---- 1. Part ---- */

/* Makes one; see winnow_thing_free() and winnow_gone(). <b> is text. */
WINNOW_API winnow_thing *winnow_thing_new(const char *name,
                                          int size);
WINNOW_API void winnow_thing_free(winnow_thing *thing);

/* What it is. */
typedef struct winnow_thing {
    int size; /* of winnow_other() */

    int more;
} winnow_thing;

#ifdef __cplusplus
}
#endif
"""


class Reference(unittest.TestCase):
    def test_every_exported_function_is_there(self):
        for header, symbols in (("winnow.h", "symbols.txt"),):
            text = gen_api.reference((ROOT / "include" / header).read_text(encoding="utf-8"))
            names = re.findall(r"^(winnow_\w+)$", (ROOT / "tests/abi" / symbols).read_text(), re.MULTILINE)
            self.assertGreater(len(names), 50)
            code = "\n".join(re.findall(r"```c\n(.*?)```", text, re.DOTALL))
            self.assertEqual([name for name in names if not re.search(rf"\b{name}\(", code)], [])

    def test_links_lead_to_headings(self):
        for header in ("winnow.h", "winnow-io.h"):
            text = gen_api.reference((ROOT / "include" / header).read_text(encoding="utf-8"))
            anchors = re.findall(r"^###.*\{ #(\w+) \}$", text, re.MULTILINE)
            self.assertEqual(len(anchors), len(set(anchors)), "an anchor is there twice")
            self.assertEqual(set(re.findall(r"\]\(#(\w+)\)", text)) - set(anchors), set())

    def test_a_small_header(self):
        text = gen_api.reference(HEADER)
        self.assertIn("### `winnow_thing_new()`, `winnow_thing_free()` { #winnow_thing_new }", text)
        self.assertIn("[`winnow_thing_free()`](#winnow_thing_new)", text)
        self.assertIn("`winnow_gone()`", text)
        self.assertNotIn("[`winnow_gone()`]", text)
        self.assertIn("\\<b> is text", text)
        self.assertIn("winnow_thing *winnow_thing_new(const char *name,\n                               int size);", text)
        self.assertIn("    int size; /* of winnow_other() */\n\n    int more;\n} winnow_thing;", text)
        self.assertIn("```text\n1. Part   what it has\n```", text)


if __name__ == "__main__":
    unittest.main()
