#include "eval/unicode.h"

uint32_t wn_char_lower(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    uint32_t low = 0, high = wn_lower_run_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (wn_lower_runs[middle].last < c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == wn_lower_run_count)
        return c;
    const wn_lower_run *run = &wn_lower_runs[low];
    if (c < run->first || (c - run->first) % run->step != 0)
        return c;
    return (uint32_t)((int32_t)c + run->distance);
}
