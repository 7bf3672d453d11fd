/* SPDX-License-Identifier: MIT */
/* Finds the ring that the options describe: opens the memory source and the ELF file, and searches. */
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

/* The target to attach to, and how. Strings are borrowed until attach_close(). */
struct attach_config {
    const char *elf; /* the firmware's ELF file, or NULL */
    struct probe_options probe;
    struct ring_config ring;
    bool wait;           /* wait for the server, the target and the ring */
    double wait_seconds; /* time limit of this wait; 0: no limit */
    bool quiet;          /* only errors on standard error */
};

struct attachment {
    struct attach_config config;
    const struct ring_kind *ring; /* config.ring.kind */
    struct poller_place place;    /* place of the ring: see attach_place() */
    struct probe probe;
    struct txtap_source source; /* reads the target's memory, or a file */
    bool live;                  /* the target may be running: it is neither an image nor a file */
    bool file;                  /* attach_file() opened the source */
    bool announced; /* the probe's message was printed on standard error, so its last message must also be printed */
    struct elf_file *elf; /* or NULL */
    struct firmware_check
        firmware;   /* whether the target runs the ELF file's firmware; if it does not, the symbols do not apply */
    bool recording; /* the trace was on at the last check */
};

/*
 * Attaches to a target. After success close the attachment. On failure error is one line, and nothing stays open; if
 * there are several candidates, they are listed on standard error first. With config->wait it waits for the server, the
 * target and the ring until stop_requested(), or for config->wait_seconds.
 */
enum txtap_status attach(const struct attach_config *config, struct attachment *attachment, struct error *error);
void attach_close(struct attachment *attachment);

/*
 * Attaches, like attach(), to a file that contains the target's memory; the symbols of config->elf tell where the ring
 * is. `memory` belongs to the attachment until the attachment is closed. On failure error is one line and nothing stays
 * open.
 */
enum txtap_status attach_file(const struct attach_config *config, const struct trace_file_request *request,
                              struct attachment *attachment, struct memory_file *memory, struct error *error);

/* Returns the calls by which event_stream.h follows a target that may disappear and return. The attachment stays as
 * attach() left it until drop() closes its connection. find() reads the ELF file again if it has changed. */
struct event_stream_ports attach_ports(struct attachment *attachment);

/* Returns the present place of the ring, for a poller. */
struct poller_place attach_place(const struct attachment *attachment);

/* Sets requests and bytes read to the totals of all connections, including those for finding the ring. */
void attach_account(const struct attachment *attachment, struct stream_stats *stats);

/*
 * Returns the reason why the target writes nothing, as one clause: the core is halted, or the firmware switched its
 * trace off.
 * NULL: unknown.
 */
const char *attach_silence(struct attachment *attachment);

#endif
