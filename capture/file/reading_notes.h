/* SPDX-License-Identifier: MIT */
/* What the user should know of files that were read: lines that are told when reading is over. */
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

/* The next note, for failure(): its status must not be TXTAP_OK. NULL: there is no room, and it counts as one more. */
static inline struct error *reading_notes_add(struct reading_notes *notes)
{
    if (notes->count < READING_NOTES_MAX)
        return &notes->at[notes->count++];
    notes->more++;
    return NULL;
}

#endif
