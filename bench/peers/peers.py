"""Extractors from PyPI, one per run: see README.md for what every peer program prints and writes.

    peers.py NAME SET OUT
    peers.py --list
"""

import json
import re
import sys
import time
from importlib.metadata import version
from pathlib import Path

WARM_UP = 20  # pages that are extracted before the clock starts
CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)""", re.I)


def decode(page):
    """For tools that take text: the encoding the page declares, else UTF-8."""
    found = CHARSET.search(page[:4096])
    try:
        return page.decode(found.group(1).decode() if found else "utf-8", errors="replace")
    except LookupError:
        return page.decode("utf-8", errors="replace")


def trafilatura():
    from trafilatura import extract
    return lambda page, url: extract(page, url=url)


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(page, url):
        tree = HTMLTree.parse(bytes_to_str(page, detect_encoding(page)))
        return extract_plain_text(tree, main_content=True)
    return extract


def readability_lxml():
    from readability import Document
    return lambda page, url: Document(decode(page), url=url).summary()


BLOCK_END = re.compile(r"</(?:p|div|li|h[1-6]|t[dhr]|blockquote|pre|section|article|dd|dt|figcaption)>|<br\b", re.I)


def html_to_text(html):
    """For tools that return HTML: their text, with a line end where a block ends. Outside the timing."""
    from lxml.html import fromstring
    html = BLOCK_END.sub(lambda end: "\n" + end.group(0), html)
    return fromstring(html).text_content() if html.strip() else ""


def justext():
    import justext as package
    stop_words = package.get_stoplist("English")

    def extract(page, url):
        return "\n".join(p.text for p in package.justext(page, stop_words) if not p.is_boilerplate)
    return extract


def newspaper4k():
    from newspaper import Article, Config
    config = Config()
    config.fetch_images = False  # from the web

    def extract(page, url):
        article = Article(url, config=config)
        article.download(input_html=decode(page))
        article.parse()
        return article.text
    return extract


def goose3():
    from goose3 import Goose
    goose = Goose({"enable_image_fetching": False})
    return lambda page, url: goose.extract(raw_html=decode(page), url=url).cleaned_text


def boilerpy3():
    from boilerpy3.extractors import ArticleExtractor
    extractor = ArticleExtractor(raise_on_failure=False)
    return lambda page, url: extractor.get_content(decode(page))


RETURN_HTML = {"readability-lxml"}

# Name, package on PyPI, what makes its function from bytes and address to text.
TOOLS = {
    "trafilatura": ("trafilatura", trafilatura),
    "resiliparse": ("resiliparse", resiliparse),
    "readability-lxml": ("readability-lxml", readability_lxml),
    "jusText": ("justext", justext),
    "newspaper4k": ("newspaper4k", newspaper4k),
    "goose3": ("goose3", goose3),
    "boilerpy3": ("boilerpy3", boilerpy3),
}


def quietly(extract, page, url):
    """The text, and whether the tool failed: on real pages some of them raise anything."""
    try:
        return extract(page, url) or "", False
    except Exception:  # noqa: BLE001
        return "", True


def main():
    if sys.argv[1] == "--list":
        print("\n".join(TOOLS))
        return
    name, folder, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    package, make = TOOLS[name]
    extract = make()
    with open(folder / "pages.jsonl", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    loaded = [((folder / "html" / f"{p['id']}.html").read_bytes(), p.get("url")) for p in pages]
    for page, url in loaded[:WARM_UP]:
        quietly(extract, page, url)
    start = time.process_time()
    results = [quietly(extract, page, url) for page, url in loaded]
    seconds = time.process_time() - start
    out.mkdir(parents=True, exist_ok=True)
    for page, (text, _) in zip(pages, results):
        text = html_to_text(text) if name in RETURN_HTML else text
        (out / f"{page['id']}.txt").write_text(text, encoding="utf-8", errors="replace")
    print(json.dumps({"name": name, "version": version(package), "pages": len(pages), "seconds": seconds,
                      "failed": sum(failed for _, failed in results)}))


main()
