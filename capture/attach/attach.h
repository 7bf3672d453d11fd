/* SPDX-License-Identifier: MIT */
/* From options to a ring: opens the memory source and the ELF file, and has the ring found. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/probe.h"
#include "base/failure.h"
#include "file/memory_file.h"
#include "locate/elf_file.h"
#include "locate/firmware_check.h"
#include "options/options.h"
#include "ring/ring_kind.h"
#include "stream/event_stream.h"
#include "stream/poller.h"
#include "txtap/source.h"

struct attachment {
    const struct options *options;
    const struct ring_kind *ring;
    struct poller_place place; /* of the ring: see attach_place() */
    struct probe probe;
    struct txtap_source source; /* the probe's, or a file's */
    bool live;                  /* a target that may be running, not an image */
    bool file;                  /* the source is a file's */
    bool announced;             /* the probe has said what is to be known of it */
    struct elf_file *elf;       /* or NULL */
    struct firmware_check
        firmware;   /* whether the target runs what the ELF file says; if not, its symbols say nothing */
    bool recording; /* at the last look */
};

/*
 * On success the attachment is to be closed. On failure error is one line (of several candidates, all are listed on
 * standard error before), nothing stays open. With options->target.wait what is not there yet is waited for, until
 * stop_requested(), or for options->target.wait_seconds, without that for options->seconds if there is such a limit.
 */
enum txtap_status attach(const struct options *options, struct attachment *attachment, struct error *error);
void attach_close(struct attachment *attachment);

/*
 * The same for a file that holds the target's memory, where options->target.elf says where the ring is. memory is the
 * attachment's until it is closed. On failure error is one line and nothing stays open.
 */
enum txtap_status attach_file(const struct options *options, struct attachment *attachment, struct memory_file *memory,
                              struct input *input, struct error *error);

/*
 * For a target that comes and goes: the way to it, as event_stream.h wants it. The attachment stays as attach() left it
 * until drop() closes its connection; find() reads the ELF file again if it is another one by now.
 */
struct event_stream_ports attach_ports(struct attachment *attachment);

/* Where the ring is now, for a poller. */
struct poller_place attach_place(const struct attachment *attachment);

/* Sets requests and bytes read to what the server answered in all, with what it took to find the buffer. */
void attach_account(const struct attachment *attachment, struct stream_stats *stats);

/* The exit code for what attach() or a later read returned. */
int attach_exit_code(enum txtap_status status);

#endif
