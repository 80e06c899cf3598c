/*
 * The method `auto`, for the table of methods (extract/method.c).
 */
#ifndef WN_AUTO_AUTO_H
#define WN_AUTO_AUTO_H

#include "page/request.h"
#include "page/selection.h"

extern const wn_param *const wn_auto_params[];

void wn_auto_select(const wn_page *page, const wn_request *request, wn_arena *arena,
                    wn_selection *selection);

#endif
