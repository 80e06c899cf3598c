/*
 * Fuzzes robots.txt: any file, any path. It ends, the delay is bounded, and the same question has the same
 * answer.
 */
#include "fuzz.h"

#include "io/robots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wn_str text = wn_str_from((const char *)data, size);
    const char *end = size ? memchr(data, '\n', size) : NULL;
    wn_str path = end ? wn_str_between(text.ptr, end) : WN_STR("/");
    wn_str robots = wn_str_from_offset(text, end ? path.len + 1 : 0);
    bool allowed = wn_io_robots_allow(robots, WN_STR("winnow"), path);
    FUZZ_CHECK(allowed == wn_io_robots_allow(robots, WN_STR("WINNOW"), path));
    double delay = wn_io_robots_delay(robots, WN_STR("winnow"));
    FUZZ_CHECK(delay >= 0 && delay <= 60);
    return 0;
}
