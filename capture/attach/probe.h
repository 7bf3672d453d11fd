/* SPDX-License-Identifier: MIT */
/*
 * The ways to a target's memory, as the options ask for them: one row each. Who uses a probe knows none of their names.
 */
#ifndef TXTAP_CAPTURE_ATTACH_PROBE_H
#define TXTAP_CAPTURE_ATTACH_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "options/target.h"
#include "probe/counting.h"
#include "stream/follow.h"
#include "txtap/source.h"

#define PROBE_TEXT_BYTES 160

/* One row. self is what open() made. Functions that are marked so may be NULL: there is nothing to be done. */
struct probe_kind {
    bool live; /* a target that may be running; otherwise memory that nobody writes */
    bool (*is_wanted)(const struct target_options *options);
    /*
     * On success *self is to be closed with close(), source included. On failure error is one line, and nothing stays
     * open. timeout_ms: for the connection, then for each exchange.
     */
    enum txtap_status (*open)(const struct target_options *options, unsigned timeout_ms, void **self,
                              struct txtap_source *source, struct error *error);
    void (*close)(void *self);
    /* What is read, in a few words: "stm32f4x.cpu, OpenOCD at 127.0.0.1:6666". */
    void (*describe)(void *self, const struct target_options *options, char out[static PROBE_TEXT_BYTES]);
    /* The lines of info about it, on standard output. */
    void (*print)(void *self, const struct target_options *options);
    /* What the user should know at the beginning, and at the end, on standard error. May be NULL. */
    void (*announce)(void *self, const struct target_options *options);
    void (*report)(void *self);
    /* Whether the core runs. May be NULL: nobody can be asked. */
    enum follow_core (*core)(void *self);
    /* The memory that there is. May be NULL: it is not known. */
    struct memory_region (*region)(void *self);
};

extern const struct probe_kind probe_openocd, probe_gdb, probe_image;

struct probe {
    const struct probe_kind *kind; /* NULL: none is open */
    void *self;
    struct txtap_source source;
    struct counting_source counting; /* of all connections so far */
};

/* Opens what the options ask for. probe: zero, or closed. Its address must not change until it is closed. */
enum txtap_status probe_open(struct probe *probe, const struct target_options *options, struct error *error);
void probe_close(struct probe *probe);

#endif
