#include "html/encoding_parts.h"

wn_encoding wn_encoding_guess(wn_arena *arena, wn_str bytes)
{
    (void)arena;
    (void)bytes;
    return wn_encoding_of(WN_ENCODING_WINDOWS_1252);
}
