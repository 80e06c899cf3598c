/*
 * Looks for archives that cost more than their share: of any kind and compression, whole and damaged.
 */
#include "cost.h"

#include "winnow-io.h"

static void read_archive(wn_str bytes, uint32_t choice)
{
    winnow_reader_settings settings = {
        .struct_size = sizeof settings,
        .kind = choice & 1 ? WINNOW_ARCHIVE_JSONL : WINNOW_ARCHIVE_DETECT,
        .max_record = 1 << 16,
    };
    winnow_reader *reader = winnow_reader_open_memory(bytes.ptr, bytes.len, &settings);
    FUZZ_CHECK(reader);
    while (winnow_reader_next(reader))
        continue;
    winnow_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return cost_test(data, size, read_archive);
}
