/*
 * Challenges: pages that stand in front of the page, to tell people from programs.
 *
 * "Verifying you are human. This may take a few seconds": such a page has a few words, none of them content,
 * and a script of a service that guards sites. Those scripts are on ordinary pages of guarded sites as well, so
 * only pages with hardly any text can be challenges.
 */
#ifndef WN_AUTO_CHALLENGE_H
#define WN_AUTO_CHALLENGE_H

#include "page/page.h"

bool wn_auto_is_challenge(const wn_page *page);

#endif
