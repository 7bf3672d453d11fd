/* SPDX-License-Identifier: MIT */
/* From the options to a ring: opens the memory source and the ELF file, and finds the ring. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_H

#include <stdbool.h>

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
    bool live;                  /* the target may be running: not an image, not a file */
    bool file;                  /* attach_file() opened the source */
    bool announced;             /* the probe announced itself on standard error, so it also reports at the end */
    struct elf_file *elf;       /* or NULL */
    struct firmware_check
        firmware;   /* whether the target runs the firmware of the ELF file; if not, the symbols do not apply */
    bool recording; /* the trace was on at the last check */
};

/*
 * On success close the attachment. On failure error is one line, and nothing stays open; if there are several
 * candidates they are listed on standard error first. With options->target.wait it waits for the server, the target and
 * the ring until stop_requested(), or for options->target.wait_seconds, or else for options->seconds if that limit is
 * set.
 */
enum txtap_status attach(const struct options *options, struct attachment *attachment, struct error *error);
void attach_close(struct attachment *attachment);

/*
 * The same for a file that holds the target's memory; the symbols of options->target.elf say where the ring is. memory
 * belongs to the attachment until that is closed. On failure error is one line and nothing stays open.
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

/* Sets requests and bytes read to the totals of all connections, including those for finding the ring. */
void attach_account(const struct attachment *attachment, struct stream_stats *stats);

/* ---- attach_check.c ---- */

/*
 * Reads the firmware's variables in one exchange and sets what they say. Needs an ELF file whose symbols apply; if the
 * trace was switched off, checks again whether they do. On failure error is one line.
 */
enum txtap_status attach_check_variables(struct attachment *attachment, struct target_state *target,
                                         struct error *error);

/* CORE_UNKNOWN where the probe cannot be asked without stopping the core. */
enum core_state attach_core(const struct attachment *attachment);

/*
 * Why the target writes nothing, as one clause: the core is halted, or the firmware switched its trace off. NULL: no
 * reason is known.
 */
const char *attach_silence(struct attachment *attachment);

#endif
