/* SPDX-License-Identifier: MIT */
/* No file is overwritten: each directory is new. A file is written completely or not at all. */
#include "crash/crash_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text_maker.h"
#include "crash/crash_core.h"
#include "crash/crash_text.h"
#include "output/output.h"
#include "output/report.h"

#define NAMES_MAX 9 /* directories of the same millisecond */

enum txtap_status crash_files_open(struct crash_files *files, const struct crash_files_setup *setup,
                                   struct error *error)
{
    memset(files, 0, sizeof *files);
    files->setup = *setup;
    if (strlen(setup->directory) > CRASH_PATH_BYTES / 2)
        return failure(error, TXTAP_ERROR_USAGE, "--on-fault: the path is longer than %u bytes", CRASH_PATH_BYTES / 2);
    if (mkdir(setup->directory, 0777) != 0 && errno != EEXIST)
        return failure(error, TXTAP_ERROR_SYSTEM, "--on-fault %.160s: %s\ngive a directory that can be created",
                       setup->directory, strerror(errno));
    if (access(setup->directory, W_OK | X_OK) != 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "--on-fault %.160s: %s\ngive a directory that can be written",
                       setup->directory, strerror(errno));
    return ram_copy_open(&files->copy, setup->elf, setup->ram, setup->ram_count, error);
}

void crash_files_close(struct crash_files *files)
{
    ram_copy_close(&files->copy);
}

/* ---- the files ---- */

static void path_of(const struct crash_files *files, const char *name, char path[static CRASH_PATH_BYTES])
{
    snprintf(path, CRASH_PATH_BYTES, "%.480s/%s", files->path, name);
}

static void say_failure(struct error *error)
{
    report_error(error);
    error_clear(error);
}

/* Creates the directory, with the time of the fault as its name. */
static bool create_directory(struct crash_files *files)
{
    time_t seconds = (time_t)(files->wall_us / 1000000);
    char stamp[32], suffix[8] = "";
    struct tm utc;

    gmtime_r(&seconds, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H-%M-%S", &utc);
    for (int i = 1; i <= NAMES_MAX; i++) {
        if (i > 1)
            snprintf(suffix, sizeof suffix, "-%d", i);
        snprintf(files->path, sizeof files->path, "%.300s/%s.%03uZ%s", files->setup.directory, stamp,
                 (unsigned)(files->wall_us / 1000 % 1000), suffix);
        if (mkdir(files->path, 0777) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    fprintf(stderr, "txtap: %s: %s: the fault's files are not written\n", files->path, strerror(errno));
    return false;
}

static bool write_text(const struct crash_files *files, struct crash_core *core, struct error *error)
{
    struct code_places *places = code_places_open(files->setup.elf);
    char path[CRASH_PATH_BYTES];
    struct text_maker maker;
    bool made = text_maker_begin(&maker);

    path_of(files, "fault.txt", path);
    if (made)
        crash_text_put(maker.out, core, places, files->cause);
    code_places_close(places);
    if (!made || !text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "%.200s: no memory", path) == TXTAP_OK;
    made = output_whole_file(path, maker.text, maker.length, false, error) == TXTAP_OK;
    free(maker.text);
    return made;
}

/* Writes the ring in the copy. False: error has the cause. */
static bool write_events(struct crash_files *files, const struct poller_place *place, uint64_t *events,
                         struct error *error)
{
    struct poller_place copied = *place;
    struct ring_copy ring = {.stats = {.lost_exact = true}};
    char path[CRASH_PATH_BYTES];
    enum txtap_status status;

    copied.source = ram_copy_source(&files->copy, "the copy of the RAM");
    copied.at_rest = true;
    status = files->setup.ring->copy(&copied, &ring, error);
    path_of(files, "events.trx", path);
    if (status == TXTAP_OK)
        status = output_whole_file(path, ring.bytes, ring.length, false, error);
    free(ring.bytes);
    *events = ring.events;
    return status == TXTAP_OK;
}

static void write_files(struct crash_files *files, const struct poller_place *place)
{
    const struct crash_files_setup *setup = &files->setup;
    char path[CRASH_PATH_BYTES], events_text[48] = "";
    struct error error = {0};
    struct crash_core core;
    uint64_t events;
    bool good;

    if (!create_directory(files))
        return;
    if (crash_core_open(&core, &files->copy, setup->elf, setup->ram, setup->ram_count, &error) != TXTAP_OK) {
        say_failure(&error);
        return;
    }
    good = write_text(files, &core, &error);
    if (!good)
        say_failure(&error);
    if (setup->ring->copy != NULL && write_events(files, place, &events, &error))
        snprintf(events_text, sizeof events_text, ", events.trx: %" PRIu64 " events", events);
    else if (setup->ring->copy != NULL)
        say_failure(&error);
    path_of(files, "core.elf", path);
    if (crash_core_write(&core, path, false, &error) != TXTAP_OK) {
        say_failure(&error);
        good = false;
    }
    crash_core_close(&core);
    files->written++;
    if (good && !setup->quiet)
        fprintf(stderr, "txtap: %s: fault.txt, core.elf: %" PRIu64 " bytes of RAM%s\n", files->path,
                files->copy.size - files->copy.missing, events_text);
    if (files->written == setup->max && !setup->quiet)
        fprintf(stderr, "txtap: %s: %" PRIu32 " director%s, the limit of --fault-limit: no more are written\n",
                setup->directory, setup->max, setup->max == 1 ? "y" : "ies");
}

/* ---- the copy ---- */

static void begin(struct crash_files *files, const struct fault_watch *watch, struct txtap_source source)
{
    files->taken = watch->faults;
    if (files->written >= files->setup.max)
        return;
    files->wall_us = files->setup.wall_us();
    strcpy(files->cause, watch->text);
    files->busy = ram_copy_begin(&files->copy, source) == TXTAP_OK;
    if (!files->busy)
        fprintf(stderr, "txtap: the target cannot be read: the fault's files are not written\n");
}

void crash_files_step(struct crash_files *files, const struct fault_watch *watch, const struct poller_place *place,
                      bool readable, uint64_t limit_us)
{
    uint64_t start = files->setup.now_us();
    enum txtap_status status = TXTAP_OK;

    if (!files->busy && watch->faults > files->taken && readable)
        begin(files, watch, place->source);
    if (!files->busy)
        return;
    while (readable && status == TXTAP_OK && files->setup.now_us() - start < limit_us)
        status = ram_copy_step(&files->copy, place->source);
    if (readable && status == TXTAP_OK)
        return;
    if (status != TXTAP_END)
        ram_copy_cut(&files->copy);
    files->busy = false;
    write_files(files, place);
}

void crash_files_cut(struct crash_files *files, const struct poller_place *place)
{
    ram_copy_cut(&files->copy);
    files->busy = false;
    write_files(files, place);
}
