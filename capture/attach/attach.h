/* SPDX-License-Identifier: MIT */
/* From options to a trace buffer: opens the memory source and the ELF file, and finds the control header. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "attach/probe.h"
#include "base/failure.h"
#include "locate/elf_file.h"
#include "locate/firmware_check.h"
#include "locate/txtb.h"
#include "options/options.h"
#include "stream/follow.h"
#include "stream/session.h"
#include "txtap/header.h"
#include "txtap/source.h"

struct attachment {
    const struct options *options;
    struct probe probe;
    struct txtap_source source; /* the probe's, or a file's */
    bool live;                  /* a target that may be running, not an image */
    bool announced;             /* the probe has said what is to be known of it */
    struct elf_file *elf;       /* or NULL */
    struct timespec elf_time;   /* of the file when it was read, and its size: firmware is flashed again */
    int64_t elf_bytes;
    struct firmware_check
        firmware;     /* whether the target runs what the ELF file says; if not, its symbols say nothing */
    bool recording;   /* at the last look */
    uint32_t address; /* of the control header */
    struct txtap_header header;
    enum locate_how how;
    struct locate_result found;
    struct reader_place reader; /* READER_TXTB: of ThreadX's ring */
};

/*
 * On success the attachment is to be closed. On failure error is one line (of several candidates, all are listed on
 * standard error before), nothing stays open. With options->target.wait what is not there yet is waited for, until
 * stop_requested(), or for options->target.wait_seconds, without that for options->seconds if there is such a limit.
 */
enum txtap_status attach(const struct options *options, struct attachment *attachment,
                         char error[static ERROR_TEXT_BYTES]);
void attach_close(struct attachment *attachment);

/*
 * For a target that comes and goes: the way to it, as follow.h wants it. The attachment stays as attach() left it until
 * drop() closes its connection; find() reads the ELF file again if it is another one by now.
 */
struct follow_ports attach_ports(struct attachment *attachment);
struct session_place attach_place(const struct attachment *attachment);

/* Sets requests and bytes read to what the server answered in all, with what it took to find the buffer. */
void attach_account(const struct attachment *attachment, struct session_stats *stats);

/* The exit code for what attach() or a later read returned. */
int attach_exit_code(enum txtap_status status);

#endif
