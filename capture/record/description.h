/* SPDX-License-Identifier: MIT */
/* The blocks of a recording that describe it: the rate of the time stamps, the firmware, the definitions. */
#ifndef TXTAP_CAPTURE_RECORD_DESCRIPTION_H
#define TXTAP_CAPTURE_RECORD_DESCRIPTION_H

#include "file/identity.h"
#include "record/block_file.h"
#include "txtap/definitions.h"
#include "txtap/sample.h"

#define DESCRIPTION_RATE_BYTES (TXTAP_RECORDING_BLOCK_BYTES + 28u) /* size of a block with the rate */

#define DESCRIPTION_FUNCTIONS_BYTES 16384 /* limit for the definitions of functions */

struct description {
    const struct identity *identity; /* the description, but for the rate; borrowed, or NULL */
    struct txtap_rate rate, written; /* the best known rate, and the rate that is written in this file */
    const char *stacks;              /* the lines of stacks.h, written at the end of a file; borrowed, or NULL */
    size_t bytes;                    /* size of the blocks at the start of a file, without the rate and functions */
    char functions[DESCRIPTION_FUNCTIONS_BYTES]; /* definitions of the functions that events mention; grows */
    size_t functions_length;
    uint8_t sampled[TXTAP_DEFINITION_FUNCTIONS_MAX / 8]; /* a bit for each function whose name was noted for a sample */
    struct block_file *file;                             /* borrowed */
    uint8_t *payload;                                    /* room for any payload; borrowed */
    struct error *error;                                 /* borrowed */
};

/* Notes a rate, unless it is not known. */
void description_set_rate(struct description *description, const struct txtap_rate *rate);

/* Adds all blocks to a new file. The file keeps them until its next block. */
enum txtap_status description_begin(struct description *description);

/* Notes the names of the functions whose addresses are in an event with the row `info`, or NULL. definitions: may be
 * NULL. Returns true if a name is new. Once there are DESCRIPTION_FUNCTIONS_BYTES, ignores further names. */
bool description_learn_functions(struct description *description, const struct txtap_definitions *definitions,
                                 const struct txtap_event *event, const struct txtap_event_info *info);

/* Does the same for the function in which a sample of the program counter was taken. */
bool description_learn_pc(struct description *description, const struct txtap_definitions *definitions,
                          const struct txtap_sample *sample);

/* Adds the names of functions, if there are any. The file keeps them until its next block. */
enum txtap_status description_add_functions(struct description *description);

/* Returns the size of the block with the names of functions; 0: there are no names. */
size_t description_functions_bytes(const struct description *description);

/* Adds the rate, if it is known and differs from the rate that is written in this file. hold: as in block_file_add().
 */
enum txtap_status description_add_rate(struct description *description, bool hold);

/* Adds the stacks, if they are known. */
enum txtap_status description_add_stacks(struct description *description);

/* Returns the size of the block with the stacks; 0: they are not known. */
size_t description_stacks_bytes(const struct description *description);

/* Returns true if a reader of the unfinished file should get the rate soon. */
bool description_has_news(const struct description *description);

/* Returns the size of the rate at the start of a file, and at its end; 0: the rate is not known. */
size_t description_rate_bytes(const struct description *description);

#endif
