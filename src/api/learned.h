/*
 * What the handles to learned things hold; winnow_site is in page/site.h.
 */
#ifndef WN_API_LEARNED_H
#define WN_API_LEARNED_H

#include "auto/model.h"
#include "extract/noise.h"
#include "winnow.h"

struct winnow_model {
    char *bytes; /* that the model points into */
    wn_auto_model model;
};

struct winnow_noise {
    wn_noise words;
};

#endif
