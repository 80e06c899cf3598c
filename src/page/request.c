#include "page/request.h"

#include <stddef.h>

const char *const wn_param_no_yes[] = {"no", "yes", NULL};
