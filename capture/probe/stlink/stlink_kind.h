/* SPDX-License-Identifier: MIT */
/* The common parts of the two rows for an ST-Link, over USB and through stlink-server. */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_KIND_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_KIND_H

#include "probe/probe.h"
#include "probe/stlink/stlink_source.h"

#define STLINK_KIND_NAME_BYTES 100

/* An open ST-Link. */
struct stlink_kind {
    struct stlink_source *source;
    const char *core;                  /* the core's name in the chip's row; NULL without --chip */
    char name[STLINK_KIND_NAME_BYTES]; /* printable: "ST-Link/V2-1", or the server's name */
};

/* Returns true if an ST-Link reaches the chip that the user names. */
bool stlink_kind_fits(const struct probe_options *options);

/* Opens an ST-Link over a pipe. Takes ownership of the pipe, even on failure. settings: `port` and `khz` are set from
 * the options. Fails like stlink_source_open(); TXTAP_ERROR_USAGE: the chip has no such core. */
enum txtap_status stlink_kind_open(struct stlink_kind **out, struct stlink_pipe pipe, struct stlink_settings *settings,
                                   const struct probe_options *options, unsigned timeout_ms, struct error *error);

/* Functions of struct probe_kind. self: a struct stlink_kind. */
void stlink_kind_close(void *self);
void stlink_kind_describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES]);
void stlink_kind_print(void *self, const struct probe_options *options);
void stlink_kind_announce(void *self, const struct probe_options *options);
enum core_state stlink_kind_core(void *self);

#endif
