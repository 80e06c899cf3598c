"""Many pages: order, bounds, threads, exceptions, iterators that are left."""

import gc
import itertools
import os
import signal
import sys
import threading
import time

import pytest
import winnow


def page(i, words=50):
    return f"<title>Page {i}</title><h1>Page {i}</h1><p>{'Take flour and water. ' * words}</p>"


def thread_count():
    return len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else None


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_in_order(threads):
    sizes = [1, 2000, 3, 500, 10]
    pages = [page(i, sizes[i % 5]) for i in range(300)]
    found = list(winnow.extract_many(pages, threads=threads))
    assert [p.title for p in found] == [f"Page {i}" for i in range(300)]
    assert [p.text for p in found] == [winnow.extract(p) for p in pages]


def test_items_of_every_kind(tmp_path, article):
    import gzip
    (tmp_path / "a.html").write_bytes(article)
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(article))
    items = [article, bytearray(article), article.decode(), tmp_path / "a.html", tmp_path / "a.html.gz",
             (article, "http://a.example/"), (article.decode(), None), winnow.Record(article, url="http://b.example/"),
             tmp_path / "nope"]
    pages = list(winnow.extract_many(items, threads=2))
    assert len({p.text for p in pages[:-1]}) == 1
    assert pages[5].url == "http://a.example/" and pages[7].url == "http://b.example/"
    assert pages[-1].status == "unreadable" and pages[-1].text == "" and "No such file" in pages[-1].error


def test_what_is_not_prepared_is_made_later(article):
    for formats in ([], "text", ["metadata"], ["json", "metadata"]):
        (found,) = winnow.extract_many([article], formats=formats)
        assert found.title and found.text == winnow.extract(article) and found.markdown and found.blocks


def test_bounded():
    taken = itertools.count()
    source = (page(next(taken)) for _ in range(10_000))
    many = winnow.extract_many(source, threads=2)
    for _ in range(10):
        next(many)
    assert next(taken) <= 10 + 2 * 32 + 2
    many.close()
    assert list(many) == []


def test_slow_sources_are_not_waited_for():
    """A page comes out soon, though the source has more to come."""
    def slow():
        for i in range(4):
            yield page(i)
            time.sleep(0.2)
    start = time.monotonic()
    next(winnow.extract_many(slow(), threads=2))
    assert time.monotonic() - start < 0.6


def test_exception_of_the_source_comes_after_the_pages_before_it():
    def source():
        yield page(0)
        yield page(1)
        raise KeyError("the source is broken")
    many = winnow.extract_many(source(), threads=2)
    assert [next(many).title, next(many).title] == ["Page 0", "Page 1"]
    with pytest.raises(KeyError, match="the source is broken"):
        next(many)
    assert list(many) == []


def test_wrong_item_is_raised_in_its_place():
    many = winnow.extract_many([page(0), 3, page(1)], threads=2)
    assert next(many).title == "Page 0"
    with pytest.raises(TypeError, match="a tuple of page and address"):
        next(many)


def test_left_half_way():
    before = thread_count()
    for _ in range(50):
        many = winnow.extract_many((page(i) for i in itertools.count()), threads=4)
        next(many)
        next(many)
        del many
    gc.collect()
    if before:
        assert thread_count() == before


def test_cycle_is_collected():
    class Source:
        def __iter__(self):
            return self
        def __next__(self):
            return page(0)
    before = thread_count()
    source = Source()
    source.many = winnow.extract_many(source, threads=2)
    next(source.many)
    del source
    gc.collect()
    if before:
        assert thread_count() == before


def test_with():
    with winnow.extract_many((page(i) for i in itertools.count()), threads=2) as many:
        assert next(many).status == "ok"
    with pytest.raises(StopIteration):
        next(many)


def test_iterator_asked_by_two_threads():
    def slow():
        for i in range(3):
            time.sleep(0.1)
            yield page(i)
    many = winnow.extract_many(slow(), threads=1)
    errors = []
    def ask():
        try:
            next(many)
        except ValueError as error:
            errors.append(error)
    threads = [threading.Thread(target=ask) for _ in range(2)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(errors) == 1


def test_threads_share_one_extractor(article, sample_pages):
    """A stress test; WINNOW_STRESS sets its seconds."""
    seconds = float(os.environ.get("WINNOW_STRESS", "2"))
    x = winnow.Extractor(format="markdown", links=True, timeout=30)
    pages = [path.read_bytes() for path in sample_pages] + [article * 3, page(1).encode()]
    expected = [x.extract(p) for p in pages]
    shared = [x.parse(p) for p in pages]
    end = time.monotonic() + seconds
    wrong = []

    def work(number):
        while time.monotonic() < end and not wrong:
            for i, html in enumerate(pages):
                if x.extract(html) != expected[i] or shared[i].markdown != expected[i]:
                    wrong.append(i)
                own = x.parse(html)
                if own.title != shared[i].title or [b.text for b in own.blocks] != [b.text for b in shared[i].blocks]:
                    wrong.append(i)
                if number % 2:
                    shared[i].select("bte").text
                    shared[i].explain()
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_signals_while_waiting():
    def forever():
        while True:
            yield page(0, 20000)
    def handler(*_):
        raise KeyboardInterrupt
    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            for _ in winnow.extract_many(forever(), threads=2):
                pass
        assert time.monotonic() - start < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize("call", ["extract", "parse"])
def test_keyboard_interrupt_in_a_long_call(call):
    html = "".join(f"<p class=c{i}>Take flour {i} and water.<b>x</b></p>" for i in range(700_000)).encode()
    start = time.monotonic()
    getattr(winnow, call)(html[: len(html) // 8], max_nodes=0)
    whole = (time.monotonic() - start) * 8
    def handler(*_):
        raise KeyboardInterrupt
    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            getattr(winnow, call)(html, max_nodes=0)
        assert time.monotonic() - start < max(0.9 * whole, 1.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert winnow.extract("<h1>Bread</h1><p>Take flour.") == "Bread\n\nTake flour.\n"


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_is_flat(sample_pages):
    """Resident memory after a tenth of the pages and after all; WINNOW_PAGES sets how many."""
    total = int(os.environ.get("WINNOW_PAGES", "20000"))
    pages = [path.read_bytes()[:20_000] for path in sample_pages] + [page(i).encode() for i in range(20)]
    x = winnow.Extractor(format="markdown", links=True)
    objects = []
    sizes = []
    for i in range(total):
        html = pages[i % len(pages)]
        match i % 8:
            case 0:
                x.extract(html, url="http://a.example/")
            case 1:
                p = winnow.parse(html)
                p.text, p.metadata, p.blocks, p.links, p.json(), p.select("bte").text, p.explain(), p.comments
            case 2:
                winnow.extract(html.decode("utf-8", "replace"), timeout=1)
            case 3 if i % 64 == 3:
                for p in winnow.extract_many([html] * 8, threads=2):
                    p.text, p.title
            case 4 if i % 64 == 4:
                list(winnow.read_warc(b'{"html": "<p>One"}\n' * 4))
                try:
                    winnow.extract(html, method="nope")
                except ValueError:
                    pass
            case 5 if i % 64 == 5:
                winnow.words("Take flour and water"), winnow.evaluate("a b", "a c"), winnow.methods()
            case _:
                winnow.extract(html)
        if i in (total // 10, total - 1):
            gc.collect()
            sizes.append(resident())
            objects.append(len(gc.get_objects()))
    print(f"resident after {total // 10}: {sizes[0] / 1e6:.1f} MB, after {total}: {sizes[1] / 1e6:.1f} MB")
    assert sizes[1] < sizes[0] * 1.02 + 2_000_000, sizes
    assert objects[1] - objects[0] < 200
