/* SPDX-License-Identifier: MIT */
/* A memory source on an emulated CMSIS-DAP probe, and the pieces that tests read through it. */
#ifndef TXTAP_TESTS_DAP_FIXTURE_H
#define TXTAP_TESTS_DAP_FIXTURE_H

#include "dap_probe.h"
#include "error_line.h"
#include "probe/dap/dap_source.h"

#define START                 FAKE_TARGET_START
#define DAP_FIXTURE_TIMEOUT   100 /* in ms */
#define DAP_FIXTURE_BYTES_MAX 8192

struct dap_fixture {
    struct dap_probe probe;
    struct dap_source *source;
    struct error error;
    uint8_t got[DAP_FIXTURE_BYTES_MAX];
};

extern struct dap_fixture fixture;
extern const struct dap_settings fixture_settings;
extern unsigned fixture_version; /* version of CMSIS-DAP: 2, or 1 for a probe with reports */

/* Returns a pipe to a new emulated probe of this version. */
struct dap_pipe fixture_pipe(size_t packet_bytes, unsigned packets, const struct debug_target *target);

/*
 * Opens a source on an emulated probe. The probe accepts packets of `packet_bytes`, and queues up to `packets` of them.
 * target: how the target differs from the usual target, or NULL.
 */
enum txtap_status fixture_open(size_t packet_bytes, unsigned packets, const struct dap_settings *settings,
                               const struct debug_target *target);
void fixture_begin(size_t packet_bytes, unsigned packets);
void fixture_end(void);

/* Reads pieces as a poll does: words before, across and after KiB boundaries, and an empty piece. */
enum txtap_status fixture_read(void);

/* Checks that the data equals the target's memory. */
void fixture_is_right(const char *when);

/* Reads the pieces, and checks them. */
void fixture_reads(const char *when);

#endif
