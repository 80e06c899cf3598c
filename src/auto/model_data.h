/*
 * The numbers of the model that the library carries, and the names of the sets it was trained on;
 * tools/train writes model_data.c.
 */
#ifndef WN_AUTO_MODEL_DATA_H
#define WN_AUTO_MODEL_DATA_H

#include <stddef.h>
#include <stdint.h>

extern const uint32_t wn_auto_model_data[];
extern const uint32_t wn_auto_model_data_count;
extern const char *const wn_auto_model_sets[]; /* ends with NULL */

#endif
