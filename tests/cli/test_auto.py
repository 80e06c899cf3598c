#!/usr/bin/env python3
"""What `auto` says of pages, from outside: leanings, comments, types, models.

    tests/cli/test_auto.py WINNOW
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WINNOW = sys.argv.pop(1) if len(sys.argv) > 1 else "build/winnow"
ARTICLE = ROOT / "tests/pages/article.html"


def extract(*options, html=None):
    done = subprocess.run([WINNOW, "extract", "-q", *options], input=html, capture_output=True, text=True)
    return done.stdout


class Auto(unittest.TestCase):
    def test_leanings_nest(self):
        """Who wants recall gets at least what the balance gives, who wants precision at most."""
        words = [set(extract(*options, str(ARTICLE)).split()) for options in (["--precision"], [], ["--recall"])]
        self.assertTrue(words[0] <= words[1] <= words[2])
        self.assertTrue(words[1])

    def test_what_noscript_asks_the_browser_for_is_no_content(self):
        shell = "<title>Shop</title><body><noscript>{}</noscript><div id=root></div>"
        self.assertEqual(extract(html=shell.format("You need to enable JavaScript to run this app.")), "")
        self.assertIn("twelve oak", extract(html=shell.format("<p>The shop sells twelve oak tables and a hundred chairs.</p>")))

    def test_labels_of_advertisements_are_no_text_of_an_article(self):
        html = ARTICLE.read_text()
        first = html.index("</p>", html.index("Threshing loosens")) + len("</p>")
        noisy = html[:first] + "<p>Advertisement. Scroll to continue reading.</p>" + html[first:]
        self.assertEqual(extract(html=noisy), extract(html=html))
        self.assertIn("Advertisement. Scroll", extract("-m", "all", html=noisy))

    def test_words_that_scripts_would_show_are_no_text(self):
        part = ("<p>The program reads the number of sails from its argument, and turns them {0}, slowly at first, as the wind grows.</p>"
                "<pre>turn({0})</pre><template><p>Copied!</p></template>")
        text = extract("--recall", html="<title>Sails</title><h1>How to turn sails</h1>" + "".join(part.format(i) for i in range(8)))
        self.assertIn("turn(6)", text)
        self.assertNotIn("Copied!", text)

    def test_headings_in_wrappers_of_their_own(self):
        section = ("<div><div class=titlepage><div><div><h3 class=title>Chapter {0}</h3></div></div></div><div class=para>"
                   "The wheel number {0} of the mill turns in the stream, day and night, and the miller sleeps beside it.</div></div>")
        text = extract(html="<title>Mill</title><body><ul><li><a href=a>Home</a><li><a href=b>Next</a></ul><h1>The mill</h1>"
                            + "".join(section.format(i) for i in range(1, 13)))
        self.assertEqual(text.count("Chapter"), 12)

    def test_headings_with_labels_after_them(self):
        section = ("<div><h3 class=title>Chapter {0}</h3><ul class=tabs><li>C<li>Go</ul>"
                   "<p>The wheel number {0} of the mill turns in the stream, day and night, and the miller sleeps beside it.</p></div>")
        text = extract(html="<title>Mill</title><body><ul><li><a href=a>Home</a><li><a href=b>Next</a></ul><h1>The mill</h1>"
                            + "".join(section.format(i) for i in range(12)))
        self.assertEqual(text.count("Chapter"), 12)

    def test_links_after_an_article_are_no_text_of_it(self):
        text = ("<p>The mill on the hill has been turning backwards since the storm of last winter, says the miller, who has no plans "
                "to turn it round again before the harvest is in.</p><p>The miller is 80 years old, and he is looking for somebody "
                "who takes over.</p><p>He has no children, and the bakers of the town have no time for it, he says.</p><p>They bring their "
                "grain from far away now, because the flour is finer than that of other mills, and the bakers have begun to ask for "
                "nothing else.</p>")
        link = "<p><a href=/n>The mills of the south, and those who turn them, are another story.</a></p>"
        def kept(body):
            return "mills of the south" in extract(html=f"<!DOCTYPE html><title>The mill</title><article><h1>The mill</h1>{body}</article>")
        self.assertFalse(kept(text + link))
        self.assertFalse(kept(text + "<p>More of the mills of the south:</p>" + link))
        self.assertTrue(kept(text + link + "<p>He is 80 years old, and knows that he is the last of all the millers.</p>"))
        self.assertTrue(kept(text + link.replace("</a>", " https://mills.example</a>")))

    def test_signs_are_no_text(self):
        html = ARTICLE.read_text()
        first = html.index("</p>", html.index("Threshing loosens")) + len("</p>")
        self.assertEqual(extract(html=html[:first] + "<p>.</p><p>&#xE601;</p>" + html[first:]), extract(html=html))
        self.assertIn("\n*\n", extract(html=html[:first] + "<p>*</p>" + html[first:]))

    def test_signs_that_link_to_a_heading_are_not_links(self):
        section = ("<div><h3 class=title>Note<a href=#c{0}>\u2693\ufe0e</a></h3>"
                   "<p>The wheel number {0} of the mill turns in the stream, day and night, and the miller sleeps beside it.</p></div>")
        text = extract("-f", "md", html="<title>Mill</title><body><ul><li><a href=a>Home</a><li><a href=b>Next</a></ul><h1>The mill</h1>"
                                        + "".join(section.format(i) for i in range(12)))
        self.assertEqual(text.count("### Note"), 12)

    def test_why_a_page_has_no_content(self):
        def limited(html):
            record = json.loads(extract("-f", "jsonl", html=html))
            return record["status"], record["limited"]
        script = "<script src=app.js></script>"
        asks = "<noscript>Please enable JavaScript.</noscript>"
        self.assertEqual(limited(f"<title>Shop</title><body><div id=root>Loading …</div>{script}"), ("empty", ["needs-javascript"]))
        self.assertEqual(limited(f"<title>Shop</title><body>{asks}"), ("empty", ["needs-javascript"]))
        self.assertEqual(limited("<title>Just a moment...</title><p>Checking your browser"), ("empty", ["challenge"]))
        # A thread that is all in <noscript>, and a page with an application beside its text, have content.
        thread = "".join(f"<p>Post {i} says that the mill by the river is the oldest one in the valley, and asks who built it.</p>"
                         for i in range(5))
        self.assertEqual(limited(f"<title>Mill</title><noscript>{thread}<p>Best viewed with JavaScript.</p></noscript>"), ("ok", []))
        self.assertEqual(limited(f"<title>Mill</title><main><h1>Mill</h1>{thread}</main><div id=app></div>{script}"), ("ok", []))

    def test_cards_that_are_inline_elements(self):
        """Text between the blocks of such a card belongs to the block around it; this once took forever."""
        text = "".join(f"<p>At {i} in the morning the sails of the old mill begin to turn, slowly, and nobody touched the brake.</p>"
                       for i in range(3))
        cards = "".join(f"<span class=card><div><a href=/{i}>Storm damage along the dyke, part {i} of many</a></div>Overages"
                        f"<div><a href=/x{i}>Why the price of bread rises again, part {i}</a></div></span>" for i in range(3))
        html = f"<title>Mill</title><article><h1>Mill</h1>{text}</article><div class=related-posts><h2>Related posts</h2><div>{cards}</div></div>"
        done = subprocess.run([WINNOW, "extract", "-q", "-f", "jsonl", "--explain"], input=html, capture_output=True, text=True, timeout=60)
        record = json.loads(done.stdout)
        self.assertNotIn("Storm damage", record["text"])
        self.assertEqual({block["role"] for block in record["blocks"] if "bread" in block["text"]}, {"related"})

    def test_record_has_type_and_confidence(self):
        record = json.loads(extract("-f", "jsonl", str(ARTICLE)))
        self.assertEqual(record["page_type"], "article")
        self.assertTrue(0 < record["confidence"] <= 1)

    def test_other_methods_do_not_guess(self):
        record = json.loads(extract("-m", "all", "-f", "jsonl", str(ARTICLE)))
        self.assertIsNone(record["page_type"])
        self.assertIsNone(record["confidence"])

    def test_comments(self):
        paragraph = "<p>The mill on the river has been turning since the year of the great flood, and it still does today.</p>"
        comment = "<p>I have been there last summer with my family, and we all liked the old wheel very much indeed.</p>"
        html = (f"<title>The mill</title><body><article><h1>The mill</h1>{paragraph * 1}"
                f"<p>Its owner, a miller in the sixth generation, grinds wheat, rye and spelt, and sells the flour at the door.</p>"
                f"</article><div id='comments' class='comment-list'>{comment}</div>")
        self.assertNotIn("last summer", extract("--no-comments", "--recall", html=html))
        posts = f"<title>The mill</title><h1>The mill</h1><div class='comment'>{comment * 3}</div>"  # a page of nothing else
        self.assertIn("last summer", extract("--no-comments", html=posts))

    def test_comments_of_an_article_are_apart(self):
        record = json.loads(extract("-f", "jsonl", str(ARTICLE)))
        self.assertNotIn("buckwheat", record["text"])
        self.assertEqual(len(record["comments"]), 2)
        self.assertIn("buckwheat", record["comments"][1]["text"])
        self.assertEqual(json.loads(extract("-m", "all", "-f", "jsonl", str(ARTICLE)))["comments"], [])

    def test_author_and_date_of_comments(self):
        posts = "".join(f"<li class=comment><div class=comment-author>{name}</div><p><time class=comment-date>{date}</time></p>"
                        f"<p>{text}</p><a href=#>Reply</a></li>" for name, date, text in (
                            ("Ann", "3 May 2024", "My own mill has a wheel of oak."), ("Ben", "4 May 2024", "Mine has none.")))
        html = ARTICLE.read_text().replace("</body>", f"<ol id=comments>{posts}</ol></body>")
        comments = json.loads(extract("-f", "jsonl", html=html))["comments"]
        self.assertIn({"author": "Ann", "date": "3 May 2024", "text": "My own mill has a wheel of oak."}, comments)
        self.assertIn({"author": "Ben", "date": "4 May 2024", "text": "Mine has none."}, comments)

    def test_comments_with_footers(self):
        posts = "".join(f"<li class=comment><article><footer class=comment-meta><div class=comment-author>{name} says:</div>"
                        f"<div class=comment-metadata><time>{date}</time></div></footer><p>{text}</p></article></li>" for name, date, text in (
                            ("Ann", "3 May 2024", "My own mill has a wheel of oak."), ("Ben", "4 May 2024", "Mine has none.")))
        html = ARTICLE.read_text().replace("</body>", f"<ol id=comments>{posts}</ol><footer class=site>Ann says: imprint</footer></body>")
        record = json.loads(extract("--explain", "-f", "json", html=html))
        self.assertIn({"author": "Ann", "date": "3 May 2024", "text": "My own mill has a wheel of oak."}, record["comments"])
        self.assertEqual([block["role"] for block in record["blocks"] if block["text"].startswith("Ann says:")], ["comment", "navigation"])

    def test_what_leads_to_comments_is_none(self):
        html = ARTICLE.read_text().replace("<h1", "<div class='comments comment-count'><p>Talk of the town</p><p>Comments (52)</p></div><h1", 1)
        roles = {block["text"]: block["role"] for block in json.loads(extract("--explain", "-f", "json", html=html))["blocks"]}
        self.assertNotEqual(roles["Comments (52)"], "comment")
        self.assertNotEqual(roles["Talk of the town"], "comment")
        self.assertIn("comment", roles.values())

    def test_roles(self):
        blocks = json.loads(extract("--explain", "-f", "json", str(ARTICLE)))["blocks"]
        self.assertEqual([block["kind"] for block in blocks if block["role"] == "title"], ["heading"])
        self.assertIn("comment", {block["role"] for block in blocks})
        table = extract("--explain=full", str(ARTICLE))
        self.assertRegex(table, r"(?m)^fate +kind +role +reason")

    def test_with_and_without_roles(self):
        title = json.loads(extract("-f", "jsonl", str(ARTICLE)))["title"]
        self.assertIn(title, extract(str(ARTICLE)))
        self.assertNotIn(title, extract("--without", "title", str(ARTICLE)))
        self.assertIn("buckwheat", extract("--with", "comment,caption", str(ARTICLE)))
        self.assertNotIn("Log in", extract("--with", "comment", str(ARTICLE)))

    def test_wrong_roles_and_wishes(self):
        for wish in (["--with", "titel"], ["--without", "title,"], ["--comments", "--no-comments"]):
            done = subprocess.run([WINNOW, "extract", *wish, str(ARTICLE)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2 if wish != ["--without", "title,"] else 0, done.stderr)

    def test_explain_names_the_probability(self):
        self.assertRegex(extract("--explain=full", str(ARTICLE)), r"likely content: \d+\.\d %")
        self.assertRegex(extract("--explain", str(ARTICLE)), r"kept: \d+% likely to be content; for it: [a-z0-9]")

    def test_features_have_the_words_of_the_web_page(self):
        script, code = (ROOT / name for name in ("web/features.js", "app/cli/feature_words.c"))
        for table in ("own", "parts"):
            there = re.search(rf"const {table} = table\(`(.*?)`\)", script.read_text(), re.DOTALL).group(1)
            here = re.search(rf"meaning {table}\[\] = {{(.*?)}};", code.read_text(), re.DOTALL).group(1)
            self.assertEqual([tuple(re.split(r"\s*=\s*", line.strip())) for line in there.strip().split("\n")],
                             re.findall(r'{"(\w+)", "(.*?)"}', here))

    def test_explain_names_the_features_that_decided(self):
        blocks = json.loads(extract("--explain", "-f", "json", str(ARTICLE)))["blocks"]
        reasons = {block["text"]: block["reason"] for block in blocks}
        self.assertRegex(reasons["Related articles"], r"^unlikely content: .*; against it: [A-Z][A-Z0-9_]+ -?\d+ \(-\d+\.\d\)")
        self.assertEqual(reasons["Harvest"], "in navigation, a footer or a drawing")

    def test_explain_tells_what_blocks_of_a_kind_did_to_each_other(self):
        cards = "".join(f"<div class=card><h3 class=name>{name}</h3><p class=note>{note}</p></div>" for name, note in (
            ("Oats", "A grain for horses and for breakfast, sown in spring and cut in August."), ("Rye", "Bread.")))
        html = f"<!DOCTYPE html><title>Grains</title><main><h1>Grains</h1><div class=list>{cards}</div></main>"
        blocks = json.loads(extract("--explain", "-f", "json", html=html))["blocks"]
        chances = {block["text"]: re.match(r"\w+ content: (\d+\.\d) % with its kind, (\d+\.\d) % alone;", block["reason"])
                   for block in blocks}
        long, short = (float(chances[text].group(1)) for text in (blocks[2]["text"], "Bread."))
        long_alone, short_alone = (float(chances[text].group(2)) for text in (blocks[2]["text"], "Bread."))
        self.assertLess(abs(long - short), abs(long_alone - short_alone))

    def test_explaining_a_page_of_very_many_blocks_takes_no_longer_than_reading_it(self):
        html = "<title>Many</title>" + "<p>a" * 200000
        text = subprocess.run([WINNOW, "extract", "-q", "--explain=full"], input=html, capture_output=True, text=True,
                              timeout=30).stdout
        self.assertEqual(text.count("likely content: "), 200000)

    def test_notes_go_with_their_marks(self):
        text = "".join(f"<p>At {i} in the morning the sails of the old mill begin to turn, slowly, and nobody touched the brake"
                       f"{mark}.</p>" for i, mark in enumerate(["", "", '<sup><a href="#fn1">1</a></sup>', ""], 3))
        page = "<!doctype html><title>Mill</title><meta name=viewport><article><h1>Mill</h1>{}</article>" \
               "<footer><ol><li id=fn1>It was oiled. <a href=#r1>↩</a></ol><p>All rights reserved.</footer>"
        made = extract("-f", "md", html=page.format(text))
        self.assertIn("[^1]: It was oiled.", made)
        self.assertNotIn("All rights", made)
        self.assertNotIn("oiled", extract("-f", "md", html=page.format(text.replace("#fn1", "/other"))))

    def test_a_challenge_in_front_of_a_page_is_no_content(self):
        words = "<p>Verifying you are human. This may take a few seconds, while the connection is being reviewed.</p>"
        script = "<script>window._cf_chl_opt = {}</script>"
        self.assertEqual(extract(html=f"<title>Just a moment</title>{words}{script}"), "")
        self.assertIn("Verifying", extract("--recall", html=f"<title>Just a moment</title>{words}"))
        mill = "".join(f"<p>In winter {year} people by the river said that the old mill has never stood still, not for a day.</p>"
                       for year in range(1900, 1920))
        self.assertIn("the old mill", extract(html=f"{script}<title>Mills</title><article>{mill}</article>"))

    def test_folds_need_a_folder_of_models(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([WINNOW, "eval", "--folds", folder, ROOT / "tests/eval"], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
