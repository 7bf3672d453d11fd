/* SPDX-License-Identifier: MIT */
/*
 * Writes a directory for each fault: DIR/2026-01-02T03-04-05.678Z with core.elf, fault.txt and events.trx. The RAM is
 * read in short steps, so that the events of the target are also read meanwhile. Everything else comes from this copy.
 */
#ifndef TXTAP_CAPTURE_CRASH_CRASH_FILES_H
#define TXTAP_CAPTURE_CRASH_CRASH_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "crash/fault_watch.h"
#include "crash/ram_copy.h"
#include "ring/ring_kind.h"

#define CRASH_PATH_BYTES 512u

struct crash_files_setup {
    const char *directory; /* DIR; borrowed */
    uint32_t max;          /* number of directories that are written at most */
    const struct elf_file *elf;
    const struct memory_region *ram; /* RAM that the user declared */
    size_t ram_count;
    const struct ring_kind *ring;
    bool quiet;
    uint64_t (*now_us)(void);
    uint64_t (*wall_us)(void);
};

struct crash_files {
    struct crash_files_setup setup;
    struct ram_copy copy;
    uint64_t taken;   /* number of the watch's faults that were seen */
    uint32_t written; /* number of directories */
    bool busy;        /* the RAM is being copied */
    uint64_t wall_us; /* when the fault was seen */
    char cause[TXTAP_FAULT_TEXT_BYTES];
    char path[CRASH_PATH_BYTES]; /* the present directory */
};

/* Takes memory for a copy of the RAM, and creates the directory. Fails like ram_copy_open(), or with TXTAP_ERROR_SYSTEM
 * if the directory cannot be created or written. After success, call crash_files_close(). */
enum txtap_status crash_files_open(struct crash_files *files, const struct crash_files_setup *setup,
                                   struct error *error);
void crash_files_close(struct crash_files *files);

/*
 * Continues with the present fault, or begins with the next fault of the watch, for at most `limit_us`. place: the
 * ring, and the source to read from. readable: false if the target cannot be read now. Failures are printed, and do not
 * end the recording.
 */
void crash_files_step(struct crash_files *files, const struct fault_watch *watch, const struct poller_place *place,
                      bool readable, uint64_t limit_us);

/* Ends a copy that is not complete, and writes the files with the memory that was read. */
void crash_files_cut(struct crash_files *files, const struct poller_place *place);

#endif
