/*
 * Pages without content of their own: challenges and shells.
 *
 * Challenges are shown before a page, to tell people from programs. "Verifying you are human. This
 * may take a few seconds": such a page has a few words, none of them content, and a script of a
 * service that protects sites, or a telling title. Those scripts are on ordinary pages of guarded
 * sites as well, so only pages with hardly any text can be challenges.
 *
 * Shells are pages that scripts fill: hardly a word outside <noscript>, and either a message there
 * that asks for JavaScript or an empty root element of an application.
 */
#ifndef WN_AUTO_CHALLENGE_H
#define WN_AUTO_CHALLENGE_H

#include "page/page.h"

bool wn_auto_is_challenge(const wn_page *page);
bool wn_auto_is_shell(const wn_page *page);

/*
 * "You need to enable JavaScript to run this app." is for the browser; the name is the same in all
 * languages.
 */
bool wn_auto_asks_for_scripts(const wn_page *page, const wn_block *block);

#endif
