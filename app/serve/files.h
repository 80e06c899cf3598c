/*
 * The files of the web page, which are part of the program: cmake/web_files.cmake makes the table
 * from what is in web/. Nothing is read from disk at run time.
 */
#ifndef WN_SERVE_FILES_H
#define WN_SERVE_FILES_H

#include "base/str.h"

typedef struct wn_serve_embedded {
    const char *path; /* "index.html", "js/app.js" */
    const char *start, *end;
} wn_serve_embedded;

/* Ends with a path that is NULL. */
extern const wn_serve_embedded wn_serve_files[];

#endif
