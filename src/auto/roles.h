/*
 * Roles: what each block is for a reader – title, byline, body, caption, comment, teaser of another
 * article – by its markup, the names of the elements around it, its place and its first words. The
 * trees decide whether a block is kept; it has a role in either case.
 */
#ifndef WN_AUTO_ROLES_H
#define WN_AUTO_ROLES_H

#include "auto/features.h"
#include "page/selection.h"

/* What is known of the elements of a page, for the roles of their blocks. */
typedef struct wn_auto_roles {
    const wn_auto_features *features;
    uint16_t *regions; /* by element: WN_SAYS_… of a region around it, large or small */
    uint16_t *labels;  /* by element: WN_SAYS_… of a small element around it */
    uint32_t
        *posts; /* by element: the outermost one of several alike in the comments around; or 0 */
} wn_auto_roles;

/* Reads the elements of a page; false if out of memory. */
bool wn_auto_roles_prepare(wn_auto_roles *roles, const wn_auto_features *features, wn_arena *arena);

/* Whether names around a block say that readers' comments are in there. */
bool wn_auto_roles_in_comments(const wn_auto_roles *roles, uint32_t block);

/*
 * Gives every block of a selection its role; `page_type` is a winnow_page_type. Of a comment,
 * author, date and form are told apart (wn_role), and where one begins (WN_POST_COMMENT).
 */
void wn_auto_roles_assign(const wn_auto_roles *roles, int page_type, wn_selection *selection);

/*
 * The same for comments alone, which are always looked at. All other blocks get one of two roles
 * that say whether they are kept.
 */
void wn_auto_roles_assign_comments(const wn_auto_roles *roles, int page_type,
                                   wn_selection *selection);

/* Whether a block is a short text that labels an advertisement, as "Advertisement" does. */
bool wn_auto_is_ad_label(const wn_page *page, const wn_block *block);

/* The role of a block that is kept and of which nothing else is known. */
int wn_auto_role_of_kept(const wn_block *block);

/* The role of a block in navigation, a footer or a drawing, which is not judged. */
int wn_auto_role_of_edge(const wn_page *page, const wn_block *block);

#endif
