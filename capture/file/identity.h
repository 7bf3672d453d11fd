/* SPDX-License-Identifier: MIT */
/*
 * The description of a recording or a target: the rate of its time stamps, its firmware, and the meaning of its user
 * events and interrupts. A recording contains its description, so that later commands need no options for it.
 */
#ifndef TXTAP_CAPTURE_FILE_IDENTITY_H
#define TXTAP_CAPTURE_FILE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/inner/recording.h"
#include "txtap/recording.h"

#define IDENTITY_TEXTS_MAX  18 /* texts of one or two firmwares, and all files of --definitions */
#define IDENTITY_TEXT_BYTES 512

/* A text of definitions, in any format of definitions.h. */
struct identity_text {
    bool of_user; /* true: from the user; false: made from the firmware's ELF file */
    char *text;   /* length bytes and a NUL */
    size_t length;
};

/* {0}: nothing is known. */
struct identity {
    struct txtap_rate rate;
    char *stacks; /* the lines of stacks.h; NULL: not known */
    char *about;  /* lines "KEY VALUE": see recording.md; NULL: not known */
    struct identity_text texts[IDENTITY_TEXTS_MAX];
    size_t text_count;
    char *functions; /* definitions of the functions of an ELF file, not for recordings; NULL: no file */
    bool scanned;    /* identity_scan() has read a file; false for a stream, whose blocks the reader takes */
    char *piece;     /* the beginning of a text whose other pieces follow; NULL: no such text */
    struct txtap_recording_pieces pieces; /* of the text in `piece` */
};

/* Takes a block of a recording; ignores blocks of other types. A later rate replaces an earlier rate. A text that is
 * known already is not added again: each file of a recording repeats all texts. */
void identity_take(struct identity *identity, const struct txtap_recording_item *block);

/*
 * Takes the blocks of the files that describe the recording, without reading the other blocks. "-" is standard input,
 * which must be at its first byte. Ignores files that are not regular, not a recording, or damaged: the reader of the
 * recording reports them.
 */
void identity_scan(struct identity *identity, const char *const *paths, size_t count);

/* Adds a copy of a text, unless it is known already. A text of the firmware replaces a text with which it begins. Once
 * there are IDENTITY_TEXTS_MAX texts, ignores further texts. */
void identity_add_text(struct identity *identity, bool of_user, const char *text, size_t length);

/* Adds a line to `about`, unless the value is empty or has a line feed. */
void identity_add_about(struct identity *identity, const char *key, const char *value);

/* Adds the files of --definitions. TXTAP_ERROR_SYSTEM, _SPACE: error has the file and the cause. */
enum txtap_status identity_add_files(struct identity *identity, const char *const *paths, size_t count,
                                     struct error *error);

/* Writes the firmware and the version of txtap in a few words, escaped for a terminal; "": not known. Returns `out`. */
const char *identity_text(const struct identity *identity, char out[static IDENTITY_TEXT_BYTES]);

void identity_free(struct identity *identity);

#endif
