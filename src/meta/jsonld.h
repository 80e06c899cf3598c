/*
 * JSON-LD: metadata in <script type="application/ld+json">.
 *
 * https://schema.org is the vocabulary. A script holds one thing, an array of things, or a
 * @graph of them; the page's main thing may be inside the thing that is the page. Things that
 * are parts of others (comments, reviews, related articles) are not looked at.
 */
#ifndef WN_META_JSONLD_H
#define WN_META_JSONLD_H

#include "base/array.h"
#include "base/json.h"
#include "meta/facts.h"

/* Its memory is reused script after script; zero it before the first. */
typedef struct wn_jsonld {
    wn_json json;
    wn_array(wn_json_id) things; /* still to be looked at, and those that were */
    wn_str language;             /* of the page, for its dates */
    wn_str headline;             /* of the first thing that has one */
} wn_jsonld;

/* Reads one script and offers what it says. */
void wn_meta_jsonld_read(wn_jsonld *jsonld, wn_facts *facts, wn_str script);
void wn_meta_jsonld_free(wn_jsonld *jsonld);

#endif
