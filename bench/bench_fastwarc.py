"""The same as bench_warc.c with FastWARC (or with zstandard alone, of a .zst file): bench_fastwarc.py FILE"""

import sys
import time

path = sys.argv[1]
records = size = 0
start = time.process_time()
if path.endswith(".zst"):
    import zstandard
    with open(path, "rb") as file:
        reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, read_size=1 << 20)
        while piece := reader.read(1 << 20):
            size += len(piece)
else:
    from fastwarc.warc import ArchiveIterator
    for record in ArchiveIterator(path, parse_http=False):
        size += len(record.reader.read())
        records += 1
print(records, size, f"{time.process_time() - start:.6f}")
