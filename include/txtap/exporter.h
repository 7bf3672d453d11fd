/* SPDX-License-Identifier: MIT */
/* Events out, as text in one of several formats, to a sink. One loop drives all formats: a new one is a file and a row.
 */
#ifndef TXTAP_EXPORTER_H
#define TXTAP_EXPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/registry.h"
#include "txtap/status.h"

struct txtap_sink {
    /* Takes all bytes or says why not. TXTAP_END: the reader went away, which is no error. */
    enum txtap_status (*write)(void *self, const char *bytes, size_t length);
    void *self;
};

/* Events between two delivered ones that were not delivered. */
struct txtap_gap {
    uint64_t seq;  /* of the first event lost */
    uint64_t lost; /* how many */
    bool exact;    /* false: at least that many */
};

struct txtap_exporter_options {
    double tick_hz; /* > 0: time is shown in seconds; 0: in ticks */
    bool color;     /* ANSI colour, text only */
    unsigned profile;
};

struct txtap_exporter {
    const struct txtap_exporter_ops *ops;
    struct txtap_sink sink;
    const struct txtap_registry *registry; /* names; borrowed */
    const struct txtap_header *header;     /* borrowed */
    struct txtap_exporter_options options;
    unsigned context_width; /* text: columns of the context so far */
};

/* Each returns what the sink said: TXTAP_OK, TXTAP_END or an error. Each line is one write. */
struct txtap_exporter_ops {
    const char *name; /* as in --format */
    enum txtap_status (*begin)(struct txtap_exporter *self);
    enum txtap_status (*event)(struct txtap_exporter *self, const struct txtap_event *event);
    enum txtap_status (*gap)(struct txtap_exporter *self, const struct txtap_gap *gap);
    enum txtap_status (*end)(struct txtap_exporter *self);
};

/* The format of that name, or NULL. */
const struct txtap_exporter_ops *txtap_exporter_find(const char *name);

/* "text, jsonl": the names of all formats, for help and messages. */
const char *txtap_exporter_names(void);

#endif
