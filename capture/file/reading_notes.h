/* SPDX-License-Identifier: MIT */
/* Notes about files for the user: lines that are printed after reading. */
#ifndef TXTAP_CAPTURE_FILE_READING_NOTES_H
#define TXTAP_CAPTURE_FILE_READING_NOTES_H

#include "base/failure.h"

#define READING_NOTES_MAX 8

/* {0}: no notes. */
struct reading_notes {
    struct error at[READING_NOTES_MAX];
    size_t count;
    size_t more; /* notes that did not fit */
};

/*
 * Returns a new, empty note, which the caller fills with failure() and a status other than TXTAP_OK. Returns NULL if
 * there is no room; then `more` counts the note.
 */
static inline struct error *reading_notes_add(struct reading_notes *notes)
{
    if (notes->count < READING_NOTES_MAX)
        return &notes->at[notes->count++];
    notes->more++;
    return NULL;
}

#endif
