/* SPDX-License-Identifier: MIT */
/*
 * The file of a lab: which boards there are, and how each is recorded. The file has the form of .txtap, with a section
 * [lab] for all boards and a section [board NAME] for each. A setting of a board is an option of txtap record. Only the
 * options of a list are accepted, so the file can name no program. Opens no file.
 */
#ifndef TXTAP_CAPTURE_LAB_LAB_FILE_H
#define TXTAP_CAPTURE_LAB_LAB_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

#define LAB_FILE_BYTES_MAX (256u << 10)
#define LAB_SETTINGS_MAX   4096u
#define LAB_BOARDS_MAX     256u
#define LAB_WORDS_MAX      64u /* options of a board */
#define LAB_NAME_BYTES     64  /* of a board, NUL included */
#define LAB_HOST_BYTES     64

struct board_setup {
    char name[LAB_NAME_BYTES]; /* letters, digits, '.', '_' and '-' */
    unsigned line;             /* of its section */
    char *publish; /* where recordings go instead of files: nats://HOST/SUBJECT; NULL: files in `store`; owned */
    char *target;  /* where recordings go: the store, or a place nats://HOST/SUBJECT; owned */
    char *store;   /* folder of its recordings; owned */
    char *elf;     /* firmware's ELF file, or NULL; owned */
    char *words[LAB_WORDS_MAX]; /* the first word_count: options of txtap record, "--hz=168M"; owned */
    size_t word_count;
};

/* {0}: empty. */
struct lab_file {
    char *publish; /* the same for all boards, without the last token of the subject, which is the name of the board;
 owned, or NULL */
    char *store;   /* folder of the lab; owned */
    char host[LAB_HOST_BYTES]; /* numeric address for metrics; "": no metrics */
    uint16_t port;
    struct board_setup *boards; /* board_count boards in the order of the file; owned */
    size_t board_count;
};

/*
 * Parses a file of `length` bytes. path: its name, for messages. folder: relative paths in the file are relative to it.
 * text[length] must be writable; the text is changed. TXTAP_ERROR_USAGE: error has the path, the line and the cause.
 * TXTAP_ERROR_SYSTEM: no memory. After a failure the struct is empty. After success call lab_file_free().
 */
enum txtap_status lab_file_parse(struct lab_file *file, const char *path, const char *folder, char *text, size_t length,
                                 struct error *error);
void lab_file_free(struct lab_file *file);

/* Returns true if both boards are recorded in the same way. */
bool board_setup_equal(const struct board_setup *one, const struct board_setup *other);

/* Returns the name of an option that the file can set; NULL: there are no more. */
const char *lab_file_option(size_t index);

#endif
