/* SPDX-License-Identifier: MIT */
/* From the options to a ring: opens the memory source and the ELF file, and finds the ring. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_H

#include <stdbool.h>

#include "base/failure.h"
#include "file/trace_file.h"
#include "locate/elf_file.h"
#include "locate/firmware_check.h"
#include "probe/probe.h"
#include "ring/ring_kind.h"
#include "stream/event_stream.h"
#include "stream/poller.h"
#include "txtap/source.h"

/* What is attached to, and how. Strings are borrowed until attach_close(). */
struct attach_config {
    const char *elf; /* the firmware's ELF file, or NULL */
    struct probe_options probe;
    struct ring_config ring;
    bool wait;           /* for the server, the target and the ring */
    double wait_seconds; /* the limit of wait; 0: no limit */
    bool quiet;          /* only errors on standard error */
};

struct attachment {
    struct attach_config config;
    const struct ring_kind *ring; /* config.ring.kind */
    struct poller_place place;    /* of the ring: see attach_place() */
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
 * candidates they are listed on standard error first. With config->wait it waits for the server, the target and the
 * ring until stop_requested(), or for config->wait_seconds.
 */
enum txtap_status attach(const struct attach_config *config, struct attachment *attachment, struct error *error);
void attach_close(struct attachment *attachment);

/*
 * The same for a file that holds the target's memory; the symbols of config->elf say where the ring is. memory belongs
 * to the attachment until that is closed. On failure error is one line and nothing stays open.
 */
enum txtap_status attach_file(const struct attach_config *config, const struct trace_file_request *request,
                              struct attachment *attachment, struct memory_file *memory, struct error *error);

/*
 * For a target that comes and goes: the way to it, as event_stream.h wants it. The attachment stays as attach() left it
 * until drop() closes its connection; find() reads the ELF file again if it is another one by now.
 */
struct event_stream_ports attach_ports(struct attachment *attachment);

/* Where the ring is now, for a poller. */
struct poller_place attach_place(const struct attachment *attachment);

/* Sets requests and bytes read to the totals of all connections, including those for finding the ring. */
void attach_account(const struct attachment *attachment, struct stream_stats *stats);

/*
 * Why the target writes nothing, as one clause: the core is halted, or the firmware switched its trace off. NULL: no
 * reason is known.
 */
const char *attach_silence(struct attachment *attachment);

#endif
