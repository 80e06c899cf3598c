/*
 * Notes go with their marks: a text that refers to something that is not there has lost a part.
 *
 * The notes may be anywhere on the page, in a footer too, and look like lists of links to the trees
 * that judge them. Two kinds stay where they are: on pages that sell something, notes are what
 * lawyers want to be said, and the literature of a paper is no part of its text.
 */
#ifndef WN_AUTO_NOTES_H
#define WN_AUTO_NOTES_H

#include "page/selection.h"

/* Keeps the notes whose marks are kept. The selection is that of the whole page. */
void wn_auto_notes_keep(const wn_page *page, wn_selection *selection);

#endif
