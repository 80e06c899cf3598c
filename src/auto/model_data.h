/* The numbers of the model that the library carries; model_data.c is written by tools/train. */
#ifndef WN_AUTO_MODEL_DATA_H
#define WN_AUTO_MODEL_DATA_H

#include <stdint.h>

extern const uint32_t wn_auto_model_data[];
extern const uint32_t wn_auto_model_data_count;

#endif
