/*
 * Trees for roles: a small forest that corrects what the rules say (roles.h).
 *
 * Names and words are often wrong in ways that no single rule mends: "promo" is around teasers,
 * a linked line is a teaser or a menu. The trees see the answer of the rules together with all
 * else that is known of a block (role_features.h) and choose one of five roles, or none of them.
 * Comments stay what the rules say, because the records of comments are made from these.
 *
 * They cost as much as judging the page, so they are asked only if somebody looks at roles
 * (wn_request.roles). Their table is role_data.c, written by tools/train/train_roles.py.
 */
#ifndef WN_AUTO_ROLE_TREES_H
#define WN_AUTO_ROLE_TREES_H

#include "auto/role_features.h"

/* What the trees choose between; the last is none of the others. */
enum { WN_TREE_ROLES = 6 };
extern const uint8_t wn_auto_tree_roles[WN_TREE_ROLES];

/* Told of a page before the trees are asked, for training; see tools/dump_features.c. */
typedef struct wn_auto_role_listener {
    void (*hear)(void *user, const wn_auto_role_rows *rows);
    void *user;
} wn_auto_role_listener;

/*
 * Corrects the roles of a selection, which rules have given. `listener` may be NULL. Where memory
 * is out, those of the rules stay.
 */
void wn_auto_role_trees_correct(const wn_auto_roles *roles, int page_type, const uint16_t *chances,
                                const wn_auto_role_listener *listener, wn_arena *arena,
                                wn_selection *selection);

#endif
