/*
 * The table of the trees for roles, in the form that wn_auto_forest_find() finds; written by
 * tools/train/train_roles.py.
 */
#ifndef WN_AUTO_ROLE_DATA_H
#define WN_AUTO_ROLE_DATA_H

#include <stdint.h>

extern const uint32_t wn_auto_role_data[];
extern const uint32_t wn_auto_role_data_count;

/* Of the names of the features it was trained for. */
extern const uint32_t wn_auto_role_data_features;

#endif
