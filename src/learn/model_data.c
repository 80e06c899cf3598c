#include "learn/model_data.h"
const uint32_t wn_model_data[] = {0};
const uint32_t wn_model_data_count = 1;
