/* SPDX-License-Identifier: MIT */
/* Translates the events of other kernels for an analysis, a screen or an exporter of changes. ThreadX's events pass
 * unchanged. */
#ifndef TXTAP_CAPTURE_OUTPUT_TRANSLATION_H
#define TXTAP_CAPTURE_OUTPUT_TRANSLATION_H

#include "base/failure.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/inner/zephyr.h"

struct translated_ctf {
    struct txtap_ctf_layout layout;
    struct txtap_zephyr_ctf ctf;
};

/* If all members except `next` are 0, the events are ThreadX's. */
struct translation {
    struct txtap_sink next;
    struct txtap_zephyr_logger *logger; /* NULL: not this logger */
    struct translated_ctf *ctf;         /* NULL: no CTF */
};

/* Prepares the translation for events of Zephyr's event logger. */
enum txtap_status translation_from_logger(struct translation *translation, struct error *error);

/* Prepares the translation for CTF bytes, which the metadata file describes. registry: gets the names of objects;
 * borrowed. */
enum txtap_status translation_from_ctf(struct translation *translation, const char *metadata,
                                       struct txtap_registry *registry, struct error *error);

/* Does the same as translation_from_ctf(), for a directory that txtap wrote. The caller frees *stream, which has
 * *length bytes of CTF. */
enum txtap_status translation_from_directory(struct translation *translation, const char *path,
                                             struct txtap_registry *registry, uint8_t **stream, size_t *length,
                                             struct error *error);

/* Returns the number of bytes in a CTF dump without the zeros after its last record. */
size_t translation_filled(const struct translation *translation, const uint8_t *bytes, size_t length);

/* Takes an item. A sink's function: self is a struct translation. */
enum txtap_status translation_take(void *self, const struct txtap_item *item);

/* Ends the translation. Call it after the last item. */
enum txtap_status translation_end(struct translation *translation);

/* Returns the information that the events lack, in a few words; NULL for ThreadX's events, which lack nothing. */
const char *translation_lacks(const struct translation *translation);

void translation_free(struct translation *translation);

#endif
