"""winnow.adapters.ray, as a function and in Ray's local mode where it is installed."""

import json
import os
import signal

import pytest
import winnow

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def limited():
    """Ray waits for its workers without an end; a test does not."""
    def end(*_):
        raise TimeoutError("Ray took more than 300 seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(300)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "pages.jsonl"
    lines = [json.dumps({"url": f"https://a.example/{i}", "html": f"<h1>Page {i}</h1><p>The mill turns for page {i} again."})
             for i in range(40)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def wanted(archive):
    return [(page.url, page.text) for page in winnow.extract_warc(archive, threads=1)]


def test_segments_as_a_function(archive):
    from winnow.adapters.ray import ExtractSegments, segments_of

    rows = segments_of([archive], split=500)
    assert len(rows) > 3
    extract = ExtractSegments(["url", "text"])
    tables = [table for row in rows for table in extract({"segment": [row["segment"]]})]
    found = pa.concat_tables(tables).to_pylist()
    assert [(row["url"], row["text"]) for row in found] == wanted(archive)
    with pytest.raises(ValueError, match="unknown method 'nonsense'"):
        ExtractSegments(["url"], method="nonsense")


def test_ray_in_local_mode(archive, limited, monkeypatch):
    monkeypatch.setenv("RAY_worker_niceness", "0")  # by default 15: where others use the machine, its workers hardly run
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    from winnow.adapters.ray import read_archives

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False,
             runtime_env={"env_vars": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}})
    try:
        rows = read_archives([archive], ["url", "text"], split=1000).take_all()
        assert sorted((row["url"], row["text"]) for row in rows) == sorted(wanted(archive))
    finally:
        ray.shutdown()
