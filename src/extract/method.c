#include "extract/method.h"

#include <string.h>

const wn_method wn_methods[] = {
    {"auto", "the main content, found by text, links and structure (default)", wn_select_auto},
    {"all", "all visible text, nothing removed", wn_select_all},
    {NULL, NULL, NULL},
};

const wn_method *wn_method_find(const char *name)
{
    for (const wn_method *method = wn_methods; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}
