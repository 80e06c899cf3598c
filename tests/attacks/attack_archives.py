"""Attacks on archives, compression and what servers send."""

import gzip
import json
import socket
import struct
import threading
import zlib

from attack import attack, repeated

READ = "extract -m all -f jsonl {folder}/a.warc"
PAGE = b"<p>The text of a page.</p>"


# ---- Making archives -------------------------------------------------------------------------------


def record(block, kind=b"response", url=b"http://a.org/", more=b"", content_type=b"application/http; msgtype=response"):
    return (b"WARC/1.0\r\nWARC-Type: " + kind + b"\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Target-URI: " + url +
            b"\r\nContent-Type: " + content_type + b"\r\n" + more + b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n")


def response(body, headers=b""):
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + headers + b"\r\n" + body


def chunked(body, size=1, extension=b""):
    parts = [b"%x" % len(body[i:i + size]) + extension + b"\r\n" + body[i:i + size] + b"\r\n" for i in range(0, len(body), size)]
    return b"".join(parts) + b"0\r\n\r\n"


def zstd_frame(content, window=0x50, block=None, blocks=1):
    """A frame of blocks that are not compressed, or of blocks of RLE if `block` is their length."""
    head = b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([window])
    if block is not None:
        repeated = [struct.pack("<I", last | 1 << 1 | block << 3)[:3] + content[:1] for last in (0, 1)]
        return head + repeated[0] * (blocks - 1) + repeated[1]
    parts = [content[i:i + 100_000] for i in range(0, len(content), 100_000)] or [b""]
    return head + b"".join(struct.pack("<I", (i == len(parts) - 1) | len(part) << 3)[:3] + part for i, part in enumerate(parts))


def xxh32(data):
    """Of fewer than 16 bytes, which is enough for the header of an LZ4 frame."""
    p2, p3, p4, p5, mask = 2246822519, 3266489917, 668265263, 374761393, 0xFFFFFFFF
    h = (p5 + len(data)) & mask
    for byte in data:
        h = (h + byte * p5) & mask
        h = ((h << 11 | h >> 21) & mask) * 2654435761 & mask
    h = (h ^ h >> 15) * p2 & mask
    h = (h ^ h >> 13) * p3 & mask
    return h ^ h >> 16


def lz4_frame(content):
    descriptor = b"\x60\x40"
    head = b"\x04\x22\x4d\x18" + descriptor + bytes([xxh32(descriptor) >> 8 & 0xFF])
    parts = [content[i:i + 60_000] for i in range(0, len(content), 60_000)]
    return head + b"".join(struct.pack("<I", len(part) | 1 << 31) + part for part in parts) + b"\0\0\0\0"


def warc(*parts):
    return {"a.warc": b"".join(parts)}


# ---- WARC and ARC ----------------------------------------------------------------------------------

repeated("warc", "extract -m all -f jsonl {page}", 50_000,
         version_lines=b"WARC/1.0\r\n", endless_header=(b"WARC/1.0\r\n", b"a: b\r\n"), header_without_colons=(b"WARC/1.0\r\n", b"x\r\n"),
         endless_line=(b"WARC/1.0\r\nWARC-Type: ", b"x"), folded_lines=(b"WARC/1.0\r\nWARC-Type: response\r\n", b" x\r\n"),
         lengths=(b"WARC/1.0\r\n", b"Content-Length: 9\r\n"), huge_length=b"WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
         no_lengths=b"WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n", empty_records=record(b""), line_ends_between=(record(b"x"), b"\r\n"),
         nul_after_record=(record(b"x"), b"\0"), arc_lines=(b"filedesc://x 1.2.3.4 20240101000000 text/plain 9\n1 0 x\n\n\n", b"http://a/ 1.2.3.4 20240101000000 text/html 0\n\n"),
         arc_of_words=(b"filedesc://x 1.2.3.4 20240101000000 text/plain 9\n1 0 x\n\n\n", b"http "))

for name, block in {
        "tiny_responses": response(PAGE), "other_records": b"x", "long_header": response(PAGE, b"A: " + b"b" * 4000 + b"\r\n"),
        "many_headers": response(PAGE, b"a: b\r\n" * 700), "tiny_chunks": response(chunked(PAGE * 40), b"Transfer-Encoding: chunked\r\n"),
        "long_extensions": response(chunked(PAGE, 1, b";" + b"x" * 200), b"Transfer-Encoding: chunked\r\n"),
        "no_end_of_header": b"HTTP/1.1 200 OK\r\n" + b"a" * 3000, "statuses": b"HTTP/1.1 200 OK\r\n" * 50,
        "encodings": response(gzip.compress(PAGE), b"Content-Encoding: gzip\r\n"),
        "encodings_in_encodings": response(PAGE, b"Content-Encoding: " + b"gzip, " * 300 + b"\r\n"),
        "damaged_encoding": response(gzip.compress(PAGE)[:-9], b"Content-Encoding: gzip\r\n"),
        "not_compressed_at_all": response(PAGE * 20, b"Content-Encoding: gzip\r\n"),
        "deflated": response(zlib.compress(PAGE * 20), b"Content-Encoding: deflate\r\n"),
        "wrong_brotli": response(b"\x5b\xff\xff\xff" * 50, b"Content-Encoding: br\r\n")}.items():
    whole = record(block)
    repeated("warc", READ, 50_000, **{f"warc_{name}": (b"", whole)})
    from attack import ATTACKS
    one = ATTACKS[-1]
    one.make = (lambda make: lambda n: warc(make(n)))(one.make)


@attack("warc", READ, 50_000)
def one_response_of_tiny_chunks(n):
    return warc(record(response(chunked(b"x" * (n // 6)), b"Transfer-Encoding: chunked\r\n")))


@attack("warc", READ, 50_000)
def one_chunk_size_without_end(n):
    return warc(record(response(b"0" * n, b"Transfer-Encoding: chunked\r\n")))


@attack("warc", READ, 50_000)
def one_chunk_extension_without_end(n):
    return warc(record(response(b"1;" + b"x" * n, b"Transfer-Encoding: chunked\r\n")))


@attack("warc", READ, 50_000)
def trailers_without_end(n):
    return warc(record(response(b"0\r\n" + b"a: b\r\n" * (n // 6), b"Transfer-Encoding: chunked\r\n")))


for verb in ("ls", "check", "cat", "cat --body"):
    attack("warc", f"warc {verb} -q {{folder}}/a.warc", 50_000)(
        type("", (), {"__call__": lambda self, n: warc(record(response(PAGE)) * (n // 250)), "__name__": "warc_" + verb.replace(" --", "_")})())


# ---- Compression -----------------------------------------------------------------------------------

GZ = "extract -m all -f jsonl {folder}/a.warc.gz"
CHECK = "warc check -q {folder}/a.warc.gz"
for command in (GZ, CHECK):
    which = "check" if command == CHECK else "extract"

    def compressed(make, name, command=command, n=30_000, which=which):
        attack("compression", command, n)(type("", (), {"__call__": lambda self, n: {"a.warc.gz": make(n)}, "__name__": f"{which}_{name}"})())

    member = gzip.compress(record(response(PAGE)))
    compressed(lambda n: gzip.compress(b"", 9) * (n // 20), "empty_members")
    compressed(lambda n, member=member: member * (n // len(member)), "one_member_each")
    compressed(lambda n, member=member: (member[:-12] + b"\0" * 12) * (n // len(member)), "damaged_members")
    compressed(lambda n: b"\x1f\x8b\x08\0\0\0\0\0\0\3" * (n // 10), "starts_of_members")
    compressed(lambda n: b"\x1f\x8b\x08\x08\0\0\0\0\0\3" + b"x" * n, "name_without_end")
    compressed(lambda n: b"\x1f\x8b\x08\x04\0\0\0\0\0\3\xff\xff" * (n // 12), "long_extra_fields")
    compressed(lambda n: gzip.compress(record(response(PAGE))) + b"\0" * n, "zeros_after_the_end")
    compressed(lambda n: gzip.compress(record(response(PAGE))) + b"\x1f\x8b" * (n // 2), "signatures_after_the_end")
    # Overlapping members: each byte looks like the start of one that reads far.
    compressed(lambda n: b"\x1f\x8b\x08\0\0\0\0\0\0\3\0\xff\xff\0\0" * (n // 15), "stored_blocks_that_overlap")
    compressed(lambda n: b"\x28\xb5\x2f\xfd" * (n // 4), "starts_of_frames")
    compressed(lambda n: zstd_frame(record(response(PAGE))) * (n // 250), "frames_of_zstd")
    compressed(lambda n: zstd_frame(b"") * (n // 9), "empty_frames_of_zstd")
    compressed(lambda n: zstd_frame(b"x" * 10, window=0xA8) * (n // 20), "large_windows_of_zstd")
    compressed(lambda n: struct.pack("<II", 0x184D2A50, 0) * (n // 8), "skippable_frames")
    compressed(lambda n: struct.pack("<II", 0x184D2A50, 0xFFFFFFF0) + b"x" * n, "skippable_frame_without_end")
    compressed(lambda n: lz4_frame(record(response(PAGE))) * (n // 250), "frames_of_lz4")
    compressed(lambda n: b"\x04\x22\x4d\x18" * (n // 4), "starts_of_lz4")


class Sized(dict):
    """Files whose size is what they expand to: time is measured against that."""


@attack("compression", "extract -m all -f jsonl --max-record 1M {folder}/a.warc.gz", 100_000)
def bomb_of_gzip(n):
    """A record that expands a thousandfold is cut at --max-record."""
    return {"a.warc.gz": gzip.compress(record(response(b"x" * (n * 200)))), "padding": b"x" * n}


@attack("compression", "extract -m all -f jsonl --max-record 1M {folder}/a.warc", 100_000)
def bomb_of_an_encoding(n):
    return {"a.warc": record(response(gzip.compress(b"x" * (n * 200)), b"Content-Encoding: gzip\r\n")), "padding": b"x" * n}


@attack("compression", "extract -m all -f jsonl --max-record 1M {folder}/a.warc", 100_000)
def bomb_in_a_bomb(n):
    inner = gzip.compress(gzip.compress(gzip.compress(b"x" * (n * 200))))
    return {"a.warc": record(response(inner, b"Content-Encoding: gzip, gzip, gzip\r\n")), "padding": b"x" * n}


@attack("compression", "warc cat -q {folder}/a.warc.zst", 100_000)
def bomb_of_zstd(n):
    block = (1 << 17) - 1
    return {"a.warc.zst": zstd_frame(record(b"x" * (n * 50))[:200]) + zstd_frame(b"x", block=block) * (n // 1000), "padding": b"x" * n}


@attack("compression", "warc check -q {folder}/a.warc.zst", 100_000)
def zeros_of_zstd(n):
    return {"a.warc.zst": zstd_frame(b"\0", block=(1 << 17) - 1) * (n // 1000), "padding": b"x" * n}


@attack("compression", "extract --from jsonl -f jsonl {folder}/a.jsonl.zst", 30_000)
def empty_lines_of_zstd(n):
    """Found by a performance fuzzer."""
    line = zstd_frame(b'{"html": "<p>one line"}\n')
    return {"a.jsonl.zst": line + zstd_frame(b"\n", block=(1 << 17) - 1) * (n // 300) + line, "padding": b"x" * n}


@attack("compression", "extract --from jsonl -f jsonl {folder}/a.jsonl.zst", 30_000)
def long_blank_lines_of_zstd(n):
    """Found by a performance fuzzer: white space was passed byte by byte, three times. A byte expands to 30,000."""
    line = zstd_frame(b'{"html": "<p>one line"}\n')
    blank = zstd_frame(b"\t", block=(1 << 17) - 1, blocks=100) + zstd_frame(b"\n")
    return {"a.jsonl.zst": line + blank * (n // 500) + line, "padding": b"x" * n}


@attack("compression", "warc check -q {folder}/a.warc.zst", 100_000)
def line_ends_before_a_record(n):
    """Found by a performance fuzzer: each was looked at as the possible start of a record."""
    line = zstd_frame(record(response(PAGE)))
    return {"a.warc.zst": line + zstd_frame(b"x") + zstd_frame(b"\n", block=(1 << 17) - 1, blocks=n // 20) + line, "padding": b"x" * n}


@attack("compression", "warc check -q {folder}/a.warc.zst", 100_000)
def line_ends_between_records(n):
    line = zstd_frame(record(response(PAGE)))
    return {"a.warc.zst": line + zstd_frame(b"\n", block=(1 << 17) - 1, blocks=n // 20) + line, "padding": b"x" * n}


@attack("compression", "warc check -q {folder}/a.warc.gz", 100_000)
def nearly_starts_of_records(n):
    return {"a.warc.gz": gzip.compress(record(response(PAGE)) + b"x" + b"\nWARC/" * (n * 60)), "padding": b"x" * n}


@attack("compression", "extract --from jsonl -f jsonl {folder}/a.jsonl.gz", 30_000)
def blank_lines_of_gzip(n):
    return {"a.jsonl.gz": gzip.compress(b'{"html": "<p>one line"}\n' + b" \r\n" * (n * 300)), "padding": b"x" * n}


@attack("compression", "extract -m all -f jsonl {folder}/a.html.gz", 30_000)
def members_of_one_page(n):
    return {"a.html.gz": gzip.compress(PAGE) * (n // 45)}


# ---- JSON lines ------------------------------------------------------------------------------------

LINES = "extract -m all -f jsonl {folder}/a.jsonl"


def line_attack(name, make, n=50_000):
    attack("json lines", LINES, n)(type("", (), {"__call__": lambda self, n: {"a.jsonl": make(n)}, "__name__": name})())


line_attack("tiny_lines", lambda n: '{"html":"<p>x"}\n' * (n // 16))
line_attack("lines_that_are_broken", lambda n: '{"html":\n' * (n // 9))
line_attack("blank_lines", lambda n: "\n" * n)
line_attack("one_line_of_brackets", lambda n: '{"a":' + "[" * n)
line_attack("one_line_of_objects", lambda n: '{"a":' * (n // 5))
line_attack("one_long_line", lambda n: json.dumps({"html": "<p>x" * (n // 4)}) + "\n")
line_attack("one_line_of_escapes", lambda n: '{"html":"' + "\\u0041" * (n // 6) + '"}\n')
line_attack("lone_escapes", lambda n: '{"html":"' + "\\ud800" * (n // 6) + '"}\n')
line_attack("many_fields", lambda n: "{" + ",".join(f'"a{i}":1' for i in range(n // 9)) + ',"html":"x"}\n')
line_attack("same_field", lambda n: "{" + ",".join('"html":"<p>x"' for i in range(n // 14)) + "}\n")
line_attack("long_numbers", lambda n: '{"a":' + "1" * n + "}\n")
line_attack("line_without_end", lambda n: '{"html":"' + "x" * n)


# ---- Servers ---------------------------------------------------------------------------------------


class Server:
    """Answers each connection with the same bytes; those that do not fit are not waited for."""

    folder_files = {}

    def __init__(self, answer, size):
        self.answer, self.size = answer, size
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                try:
                    request = connection.recv(65536)
                    robots = request.startswith(b"GET /robots.txt")
                    connection.sendall(self.answer(robots))
                except OSError:
                    pass

    def close(self):
        self.socket.close()


def serve(name, make, command="extract -m all --allow-private --timeout 5 {url}", robots=False):
    def start(n):
        answer = make(n)
        nothing = b"HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        return Server(lambda for_robots: answer if for_robots == robots else nothing, n)
    attack("fetch", command, 100_000)(type("", (), {"__call__": lambda self, n: start(n), "__name__": name})())


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
FETCH = "fetch -q --allow-private --timeout 5 --retries 0 --overwrite -o {folder}/out.warc {url}"
serve("response_headers", lambda n: OK + b"a: b\r\n" * (n // 6) + b"\r\nx")
serve("header_without_end", lambda n: OK + b"a: " + b"b" * n)
serve("cookies", lambda n: OK + b"Set-Cookie: a=b\r\n" * (n // 17) + b"\r\nx")
serve("responses_that_continue", lambda n: b"HTTP/1.1 100 Continue\r\n\r\n" * (n // 25) + OK + b"\r\nx")
serve("chunks_of_one_byte", lambda n: OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (n // 6) + b"0\r\n\r\n")
serve("trailers", lambda n: OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * (n // 6))
serve("statuses_without_sense", lambda n: b"HTTP/9.9 999 " + b"x" * n)
serve("not_http_at_all", lambda n: b"\0" * n)
serve("bomb_of_a_server", lambda n: OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"x" * n * 20),
      "extract -m all --allow-private --timeout 5 --max-bytes 1M {url}")
serve("encodings_of_a_server", lambda n: OK + b"Content-Encoding: " + b"gzip, " * 100 + b"\r\n\r\n" + b"x" * n)
serve("fetched_headers", lambda n: OK + b"a: b\r\n" * (n // 6) + b"\r\nx", FETCH)
serve("fetched_chunks", lambda n: OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (n // 6) + b"0\r\n\r\n", FETCH)
serve("rules_of_robots", lambda n: OK + b"\r\nUser-agent: *\r\n" + b"Disallow: /*a*b*c$\n" * (n // 19), FETCH, robots=True)
serve("stars_of_robots", lambda n: OK + b"\r\nUser-agent: *\r\nDisallow: /" + b"*a" * (n // 2), FETCH.replace("{url}", "{url}" + "a" * 2000), robots=True)
serve("agents_of_robots", lambda n: OK + b"\r\n" + b"User-agent: x\n" * (n // 14), FETCH, robots=True)
