/* SPDX-License-Identifier: MIT */
/* Finds the ring that the options describe: opens the memory source and the ELF file, and searches. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_H

#include <stdbool.h>

#include "base/failure.h"
#include "file/identity.h"
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
    double wait_seconds; /* time limit for `wait`; 0: no limit */
    bool quiet;          /* print only errors on standard error */
};

struct attachment {
    struct attach_config config;
    const struct ring_kind *ring; /* config.ring.kind */
    struct poller_place place;    /* place of the ring: see attach_place() */
    struct probe probe;
    struct txtap_source source; /* reads the target's memory, or a file */
    bool live;                  /* the source is a target that may be running; false: an image or a file */
    bool file;                  /* attach_file() opened the source */
    bool announced;             /* attach() succeeded: attach_close() must print the probe's last message */
    struct elf_file *elf;       /* or NULL */
    struct firmware_check
        firmware;     /* whether the target runs the ELF file's firmware; if it does not, the symbols do not apply */
    bool recording;   /* the trace was on at the last check */
    bool only_memory; /* attach_memory() opened the target: there is no ring */
    struct guests *guests; /* read beside the ring; the command may set it after attach(). Borrowed; NULL: no guests */
};

/*
 * Attaches to a target. If config->wait is true, waits for the server, the target and the ring, until stop_requested()
 * or for at most config->wait_seconds. On success the caller closes the attachment. On failure error is one line, and
 * nothing stays open. If there are several candidates for the ring, prints a list of them on standard error.
 */
enum txtap_status attach(const struct attach_config *config, struct attachment *attachment, struct error *error);
void attach_close(struct attachment *attachment);

/* Attaches to a target without looking for a ring. config->elf is not NULL. ERROR_NOT_FOUND: the target runs other
 * firmware. Success and other failures are as in attach(). */
enum txtap_status attach_memory(const struct attach_config *config, struct attachment *attachment, struct error *error);

/* Returns true if a failure may pass: a server or a target may appear, the target may be flashed with the firmware of
 * the ELF file, or the firmware may call tx_trace_enable(). */
bool attach_may_pass(enum txtap_status status);

/* Attaches again after attach_memory(), if the connection was lost or the target runs other firmware. Waits like
 * attach() with config->wait. If the file at config->elf has changed, reads it again: attachment->elf may be another
 * file afterwards, even after a failure. */
enum txtap_status attach_again(struct attachment *attachment, struct error *error);

/* Checks after attach_memory() whether the target still runs the firmware of the ELF file. ERROR_NOT_FOUND: it runs
 * other firmware. Other statuses are those of the source's read(). */
enum txtap_status attach_check(struct attachment *attachment, struct error *error);

/* Attaches again like attach_again(), but tries only once. After a failure, call it again or close the attachment. */
enum txtap_status attach_retry(struct attachment *attachment, struct error *error);

/*
 * Attaches to a file that contains the target's memory. The ring is found by the symbols of config->elf. `memory`
 * belongs to the attachment until the attachment is closed. Success and failure are as in attach().
 */
enum txtap_status attach_file(const struct attach_config *config, const struct trace_file_request *request,
                              struct attachment *attachment, struct memory_file *memory, struct error *error);

/* Returns the functions with which event_stream.h follows a target that may disappear and return. The
 * connection of attach() stays open until drop() is called. find() reads the ELF file again if the file has changed. */
struct event_stream_ports attach_ports(struct attachment *attachment);

/* Returns the present place of the ring, for a poller. */
struct poller_place attach_place(const struct attachment *attachment);

/* Sets requests and bytes read to the totals of all connections, including those for finding the ring. */
void attach_account(const struct attachment *attachment, struct stream_stats *stats);

/* Describes the firmware, from the ELF file if the target runs it. */
void attach_identity(const struct attachment *attachment, struct identity *identity);

/*
 * Reads the firmware's variable SystemCoreClock (CMSIS): the frequency of the core, in hertz. Returns 0 if the firmware
 * has no such variable, the target runs other firmware, or the variable cannot be read or is 0.
 */
double attach_core_clock(const struct attachment *attachment);

/* Returns true if the firmware has the variable. */
bool attach_has_core_clock(const struct attachment *attachment);

/*
 * Returns why the target writes no events, as text without a full stop: the core is halted, or the firmware switched
 * its trace off. NULL: the reason is unknown.
 */
const char *attach_silence(struct attachment *attachment);

#endif
