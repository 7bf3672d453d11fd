/* SPDX-License-Identifier: MIT */
/* In front of an analysis, a screen or an exporter of changes: translates the events of other kernels for it.
 * ThreadX's pass as they are. */
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

/* All 0 but next: ThreadX's events. */
struct translation {
    struct txtap_sink next;
    struct txtap_zephyr_logger *logger; /* NULL: not that */
    struct translated_ctf *ctf;         /* the same */
};

/* From now on events are those of the event logger. */
enum txtap_status translation_from_logger(struct translation *translation, struct error *error);

/* From now on there are bytes of CTF, as the metadata in that file describes them. registry: learns names; borrowed. */
enum txtap_status translation_from_ctf(struct translation *translation, const char *metadata,
                                       struct txtap_registry *registry, struct error *error);

/* The same of a directory that txtap wrote. The caller frees *stream, which has *length bytes of CTF. */
enum txtap_status translation_from_directory(struct translation *translation, const char *path,
                                             struct txtap_registry *registry, uint8_t **stream, size_t *length,
                                             struct error *error);

/* Of a dump of CTF: how many bytes there are without the zeros behind its last record. */
size_t translation_filled(const struct translation *translation, const uint8_t *bytes, size_t length);

/* A sink: self is a struct translation. */
enum txtap_status translation_take(void *self, const struct txtap_item *item);

/* No further items come. */
enum txtap_status translation_end(struct translation *translation);

/* What such events do not say, in a few words; NULL: they are ThreadX's. */
const char *translation_lacks(const struct translation *translation);

void translation_free(struct translation *translation);

#endif
