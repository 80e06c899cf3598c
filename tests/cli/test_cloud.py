#!/usr/bin/env python3
"""`winnow cloud` from the outside.

    test_cloud.py build/winnow [-v] [NAME...]

Ends with a line "N passed, N failed, N skipped".
"""

import csv
import io
import json
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

WINNOW = "winnow"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "tests/support")]
import chromium  # noqa: E402
import outside  # noqa: E402

ARTICLE = os.path.join(ROOT, "tests/pages/article.html")
SVG = "{http://www.w3.org/2000/svg}"

THAI = """<!doctype html><html lang="th"><title>ข่าว</title><article><h1>ตำรวจตรวจสอบร้านข้าวแกง</h1>
<p>เจ้าหน้าที่ตำรวจเข้าตรวจสอบร้านข้าวแกงในตลาดหลังชาวบ้านแจ้งเหตุเพลิงไหม้เมื่อคืนที่ผ่านมา ตำรวจกล่าวว่าร้านข้าวแกง
เสียหายทั้งหมด แต่ไม่มีผู้บาดเจ็บ</p><p>เจ้าของร้านเล่าว่าเพลิงลุกไหม้อย่างรวดเร็ว ชาวบ้านช่วยกันดับเพลิงก่อนรถดับเพลิงมาถึง</p>
</article></html>"""


def page(text, attributes=' lang="en"', title="Mill"):
    return f"<!doctype html><html{attributes}><title>{title}</title><article><p>{text}</p></article></html>"


def cloud(*args, stdin=b"", **more):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([WINNOW, "cloud", *args], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, **more)


def draws():
    return cloud("-m", "all", stdin=page("mill")).returncode == 0


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def expect(self, result, code, message=""):
        self.assertEqual(result.returncode, code, result.stderr.decode())
        self.assertIn(message, result.stderr.decode())
        if not message and code == 0:
            self.assertEqual(result.stderr.decode(), "")
        return result.stdout


class Weights(Base):
    def weights(self, *args, **more):
        rows = list(csv.reader(io.StringIO(self.expect(cloud("-f", "csv", *args, **more), 0).decode())))
        self.assertEqual(rows[0], ["word", "count"])
        return {word: int(count) for word, count in rows[1:]}

    def test_counts(self):
        text = page("The mill, the MILL and the river's mill. River 1999 x.")
        self.assertEqual(self.weights("-m", "all", stdin=text), {"mill": 3, "river": 2})

    def test_json(self):
        text = page("mill mill river")
        found = json.loads(self.expect(cloud("-m", "all", "-f", "json", stdin=text), 0))
        self.assertEqual(found, {"pages": 1, "counted": 3, "different": 2, "words": [
            {"word": "mill", "count": 2}, {"word": "river", "count": 1}]})

    def test_words_and_min_count(self):
        text = page("aa aa aa bb bb cc", attributes="")
        self.assertEqual(self.weights("-m", "all", "--words", "1", stdin=text), {"aa": 3})
        self.assertEqual(self.weights("-m", "all", "-n2", stdin=text), {"aa": 3, "bb": 2})
        self.assertEqual(self.weights("-m", "all", "--min-count", "2", stdin=text), {"aa": 3, "bb": 2})

    def test_forms_of_a_word(self):
        text = page("They met Anna at two mills. Mills and a mill, said Anna.")
        self.assertEqual(self.weights("-m", "all", stdin=text), {"mills": 3, "Anna": 2, "met": 1})
        self.assertEqual(self.weights("-m", "all", "--no-stem", stdin=text), {"mills": 2, "Anna": 2, "met": 1, "mill": 1})
        # In a heading every word may have a capital.
        text = "<!doctype html><html lang=en><h1>The Wheel</h1><p>and the wheel of Anna"
        self.assertEqual(self.weights("-m", "all", stdin=text), {"wheel": 2, "Anna": 1})

    def test_stopwords_file(self):
        stop = self.write("stop.txt", "# mine\nMill\n")
        self.assertEqual(self.weights("-m", "all", "--stopwords", stop, stdin=page("the mill wheel")), {"wheel": 1})
        missing = cloud("-f", "csv", "--stopwords", self.path("none"), stdin=page("mill"))
        self.expect(missing, 2, "cannot read the stop words")
        self.expect(cloud("-f", "csv", "--stopwords", "/dev/zero", stdin=page("mill")), 2, "too long")

    def test_language_of_each_page(self):
        os.mkdir(self.path("pages"))
        self.write("pages/a.html", page("the mill die", ' lang="en"'))
        self.write("pages/b.html", page("die Mühle the", ' lang="de"'))
        found = self.weights("-q", "-m", "all", self.path("pages"))
        self.assertEqual(found, {"mill": 1, "die": 1, "Mühle": 1, "the": 1})
        found = self.weights("-q", "-m", "all", "--language", "de", self.path("pages"))
        self.assertEqual(found, {"mill": 1, "Mühle": 1, "the": 2})

    def test_language_is_guessed(self):
        text = page("Der Müller und die Mühle sind nicht an dem Bach, und das ist auch gut für den Müller.", "")
        self.assertEqual(self.weights("-m", "all", stdin=text).get("Müller"), 2)
        self.assertNotIn("und", self.weights("-m", "all", stdin=text))

    def test_method(self):
        text = "<!doctype html><nav><a href=/>Imprint</a></nav><article><p>" + "The old mill turns again. " * 20
        self.assertIn("Imprint", self.weights("-m", "all", stdin=text))
        self.assertNotIn("Imprint", self.weights(stdin=text))
        self.expect(cloud("-f", "csv", "-m", "none", stdin=text), 2, "none")

    def test_thai(self):
        found = self.weights("-m", "all", stdin=THAI)
        self.assertGreaterEqual(found.get("ตำรวจ", 0), 3)
        self.assertNotIn("ที่", found)

    def test_pictures_of_the_documentation(self):
        """They show Thai sites, a picture each, and are what their commands draw of today's words."""
        pages = os.path.join(ROOT, "tests/pages/thai-vietnamese/html")
        for name, site, words in (("cloud", "th-news", 60), ("cloud-th-health", "th-health", 40),
                                  ("cloud-th-recipe", "th-recipe", 40), ("cloud-th-forum", "th-forum", 40)):
            drawn = Path(ROOT, "docs", f"{name}.svg").read_text(encoding="utf-8")
            shown = set(re.findall(r"<title>(.*?):? [0-9]+", drawn))
            found = self.weights("-m", "xpath", "-n", str(words), os.path.join(pages, f"{site}.html"))
            self.assertTrue(shown and shown <= set(found), (name, shown - set(found)))
            self.assertGreater(len([word for word in shown if re.match("[\u0e00-\u0e7f]", word)]), len(shown) * 0.9)

    def test_jobs(self):
        os.mkdir(self.path("pages"))
        for i in range(60):
            self.write(f"pages/{i:02}.html", page(" ".join(f"mill{n}x" for n in range(i, 60)) + " mühle"))
        self.write("pages/99.html", b"%PDF-1.4 \x00")
        made = [cloud("-m", "all", "-j", jobs, "-f", "json", self.path("pages")) for jobs in ("1", "2", "7")]
        for result in made:
            self.expect(result, 1, "99.html': not a web page")
            self.assertEqual(result.stdout, made[0].stdout)
            self.assertEqual(result.stderr.count(b"cannot read"), 1)
        self.assertEqual(json.loads(made[0].stdout)["pages"], 60)
        self.assertEqual(json.loads(made[0].stdout)["words"][:2], [{"word": "mill59x", "count": 60},
                                                                  {"word": "mühle", "count": 60}])
        if draws():
            drawn = [cloud("-q", "-m", "all", "-j", jobs, self.path("pages")).stdout for jobs in ("1", "5")]
            self.assertEqual(drawn[0], drawn[1])

    def test_charset(self):
        text = page("Mühle Mühle", "").encode("latin-1")
        self.assertEqual(self.weights("-m", "all", "--charset", "latin1", stdin=text), {"Mühle": 2})


class Usage(Base):
    def test_wrong_values(self):
        for args, message in [
            (["--words", "0"], "--words"), (["--words", "2001"], "--words"), (["--words", "many"], "--words"),
            (["--min-count", "0"], "--min-count"), (["--seed", "-1"], "--seed"),
            (["--palette", "oceam"], "did you mean 'ocean'?"), (["--format", "gif"], "gif"),
            (["--language", "!"], "--language"), (["--charset", "no"], "charset"),
            (["-", "-"], "only once"),
        ] + [(["--size", size], "--size takes") for size in
             ("", "x", "800", "800x", "x600", "800x600x", "800*600", "49x600", "800x10001", "-800x600",
              "99999999999999999999x600", "8e2x600", " 800x600")]:
            with self.subTest(args=args):
                self.expect(cloud(*args, stdin=page("mill")), 2, message)

    def test_name_without_format(self):
        for name in ("cloud", "cloud.gif", "cloud."):
            self.expect(cloud("-o", self.path(name), ARTICLE), 2, "cannot tell the format")
            self.assertFalse(os.path.exists(self.path(name)))

    def test_format_by_name(self):
        self.expect(cloud("-o", self.path("a.CSV"), ARTICLE), 0)
        self.assertTrue(Path(self.path("a.CSV")).read_text().startswith("word,count\nwind,"))
        self.expect(cloud("-f", "json", "-o", self.path("b.csv"), ARTICLE), 0)
        json.loads(Path(self.path("b.csv")).read_text())

    def test_output_is_not_replaced_unasked(self):
        path = self.write("a.csv", "mine")
        self.expect(cloud("-o", path, ARTICLE), 2, "exists")
        self.assertEqual(Path(path).read_text(), "mine")
        self.expect(cloud("-o", path, "--overwrite", ARTICLE), 0)

    def test_no_words(self):
        for text in ("", page(""), page("the and 1999")):
            result = cloud("-m", "all", "-o", self.path("a.csv"), stdin=text)
            self.expect(result, 3, "there are no words")
            self.assertFalse(os.path.exists(self.path("a.csv")))
        self.expect(cloud("-f", "csv", "-m", "all", "--min-count", "9", stdin=page("mill")), 3, "--min-count")

    def test_failed_inputs(self):
        self.expect(cloud("-f", "csv", self.path("none.html")), 1, "none.html")
        result = cloud("-q", "-f", "csv", self.path("none.html"), ARTICLE)
        self.assertIn(b"wind,", self.expect(result, 1, "none.html"))
        self.expect(cloud("-f", "csv", self.write("a.html", b"%PDF-1.4\n\0\1\2")), 1, "not a web page")

    def test_help(self):
        self.assertIn(b"--palette", self.expect(cloud("--help"), 0))


class Pictures(Base):
    @classmethod
    def setUpClass(cls):
        if not draws():
            raise unittest.SkipTest("built without cairo and Pango")

    def svg(self, *args, **more):
        return ElementTree.fromstring(self.expect(cloud(*args, **more), 0))

    def words_of(self, root):
        return [g.find(SVG + "title").text for g in root.iter(SVG + "g")]

    def test_svg(self):
        root = self.svg("-m", "all", "--size", "640x400", ARTICLE)
        self.assertEqual((root.tag, root.get("width"), root.get("height")), (SVG + "svg", "640", "400"))
        words = self.words_of(root)
        self.assertEqual((len(words), words[0]), (100, "wind: 8"))
        known = {path.get("id") for path in root.iter(SVG + "path")}
        self.assertEqual({use.get("href")[1:] for use in root.iter(SVG + "use")}, known)
        self.assertTrue(all(re.fullmatch(r"(?:[mlcz][-\d ]*)+", path.get("d")) for path in root.iter(SVG + "path")))
        self.assertFalse(list(root.iter(SVG + "script")))

    def test_png(self):
        data = self.expect(cloud("-f", "png", "--size", "320x200", ARTICLE), 0)
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (320, 200))
        self.assertEqual(data[-8:-4], b"IEND")

    def test_pdf(self):
        data = self.expect(cloud("-f", "pdf", ARTICLE), 0)
        self.assertTrue(data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF"))
        self.assertRegex(data, rb"/MediaBox \[ 0 0 800 600 \]")

    def test_html(self):
        text = self.expect(cloud("-m", "all", "-f", "html", ARTICLE), 0).decode()
        self.assertIn('aria-label="wind: 8"', text)
        self.assertTrue(text.startswith("<!doctype html>"))
        self.assertNotRegex(text.replace('xmlns="http://www.w3.org/2000/svg"', ""), r"https?:|//|src=|@import")

    def test_titles_are_escaped(self):
        text = page("mill", title="&lt;script>alert(1)&lt;/script> &amp; \"more\"")
        found = self.expect(cloud("-m", "all", "-f", "html", stdin=text), 0).decode()
        self.assertIn("<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</title>", found)

    def test_seed(self):
        one, again, other = (self.expect(cloud("--seed", seed, ARTICLE), 0) for seed in "112")
        self.assertEqual(one, again)
        self.assertNotEqual(one, other)
        for form in ("png", "html"):
            self.assertEqual(cloud("-f", form, ARTICLE).stdout, cloud("-f", form, ARTICLE).stdout)

    def test_palettes(self):
        for name, paper in [("ocean", "#ffffff"), ("safe", "#ffffff"), ("night", "#14213d")]:
            root = self.svg("--palette", name, ARTICLE)
            self.assertEqual(root.find(SVG + "rect").get("fill"), paper)
            self.assertGreater(len({g.get("fill") for g in root.iter(SVG + "g")}), 3)

    def test_font(self):
        self.assertNotEqual(self.expect(cloud("--font", "DejaVu Serif", ARTICLE), 0),
                            self.expect(cloud("--font", "DejaVu Sans", ARTICLE), 0))
        self.expect(cloud("--font", "No Such Font", ARTICLE), 1, "there is no font 'No Such Font'")

    def test_sizes_follow_counts(self):
        root = self.svg("-m", "all", stdin=page("mill mill mill mill river", ""))
        scales = [float(re.search(r"scale\(([\d.]+)\)", g.get("transform"))[1]) for g in root.iter(SVG + "g")]
        self.assertAlmostEqual(scales[0] / scales[1], 2, places=2)

    def test_counts_that_were_written(self):
        counts = self.expect(cloud("-f", "csv", "-n", "500", ARTICLE), 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "counts.csv")
            with open(path, "wb") as file:
                file.write(counts if isinstance(counts, bytes) else counts.encode())
            self.assertEqual(self.expect(cloud("--counts", path, "-f", "csv", "-n", "500"), 0), counts)
            self.assertIn("<svg", str(self.expect(cloud("--counts", path, "-f", "svg"), 0)))
            self.expect(cloud("--counts", path, ARTICLE), 2, "--counts replaces the inputs")
            with open(path, "w") as file:
                file.write("word,count\nmill,many\n")
            self.expect(cloud("--counts", path), 2, "--counts needs a file written by --format csv")

    def test_no_room(self):
        result = cloud("--size", "50x50", ARTICLE)
        self.expect(result, 0, "words did not fit")
        self.assertEqual(cloud("-q", "--size", "50x50", ARTICLE).stderr, b"")

    def test_thai(self):
        root = self.svg("-m", "all", stdin=THAI)
        self.assertTrue(any(word.startswith("ตำรวจ: ") for word in self.words_of(root)))

    def test_missing_font(self):
        """Fonts without Thai: the message names the package."""
        fonts = "/usr/share/fonts/truetype/dejavu"
        if not os.path.isdir(fonts):
            self.skipTest("no DejaVu here")
        config = self.write("fonts.conf", f"<fontconfig><dir>{fonts}</dir><cachedir>{self.path('cache')}</cachedir></fontconfig>")
        env = {**os.environ, "FONTCONFIG_FILE": config}
        for text, package in [(THAI, "fonts-thai-tlwg"), (page("水车 水车", ' lang="zh"'), "fonts-noto-cjk")]:
            result = cloud("-m", "all", "-o", self.path("a.svg"), stdin=text, env=env)
            self.expect(result, 1, f"apt-get install {package}")
            self.assertFalse(os.path.exists(self.path("a.svg")))
        self.expect(cloud(ARTICLE, env=env), 0)

    def test_200_words_in_two_seconds(self):
        words = " ".join(f"{chr(97 + i % 26)}{'aeiou'[i % 5]}{chr(97 + i // 26)}{'xyz' * (i % 4)} " * (1 + 200 // (i + 1))
                         for i in range(200))
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime  # other tests run beside this one
        root = self.svg("-m", "all", "-n", "200", stdin=page(words, ""))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start, 2)
        self.assertEqual(len(self.words_of(root)), 200)

    def test_browser(self):
        """Chromium shows SVG and HTML without an error, and no two words overlap in it."""
        if not chromium.find():
            self.skipTest("chromium is not here")
        count = """(() => {
            const boxes = [...document.querySelectorAll('.w')].map(w => w.getBoundingClientRect());
            let over = 0;
            boxes.forEach((a, i) => boxes.slice(0, i).forEach(b => {
                over += a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            }));
            return [boxes.length, over, document.querySelectorAll('parsererror').length,
                    boxes.filter(b => !b.width).length].join();
        })()"""
        thai = self.write("thai.html", THAI)
        with chromium.Chromium() as browser:
            for source in (ARTICLE, thai):
                for name in ("a.svg", "a.html"):
                    self.expect(cloud("-m", "all", "-n40", "--overwrite", "-o", self.path(name), source), 0)
                    browser.inner_text(self.path(name))
                    found = browser.call("Runtime.evaluate", returnByValue=True, expression=count)["result"]
                    words, rest = found["value"].split(",", 1)
                    self.assertGreaterEqual(int(words), 15)
                    self.assertEqual(rest, "0,0,0")


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
