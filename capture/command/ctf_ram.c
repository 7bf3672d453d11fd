/* SPDX-License-Identifier: MIT */
/* "txtap tail", "snapshot" and "decode" for Zephyr's CTF in RAM. */
#include "command/ctf_ram.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/live.h"
#include "file/memory_file.h"
#include "output/ctf_directory.h"
#include "output/report.h"
#include "ring/ctf_ram_reader.h"

#define LIMIT_US 10000000

struct ram_tail {
    const struct options *options;
    struct ctf_directory directory;
    struct live live;
    struct session_stats *stats; /* where records are counted */
    bool said_full;
    bool cut;                     /* a trace ended before its last byte */
    char error[ERROR_TEXT_BYTES]; /* of the sink's */
};

/* ---- the end of a trace ---- */

static void say_trace(struct ram_tail *tail, uint64_t rest, bool all_zero)
{
    const struct ctf_directory *directory = &tail->directory;
    const struct txtap_ctf_counter *counter = &directory->counter;

    tail->cut = tail->cut || (rest > 0 && !all_zero);
    if (counter->stopped && !all_zero)
        fprintf(stderr,
                "txtap: %s: at byte %" PRIu64 " the record 0x%" PRIx32
                ", which the metadata does not have: what follows is left out: is it the metadata of this build?\n",
                ctf_directory_name(directory), counter->bytes, counter->id);
    if (!counter->stopped && rest > 0 && !all_zero)
        fprintf(stderr, "txtap: %s: the last %" PRIu64 " bytes are no whole record, and are left out\n",
                ctf_directory_name(directory), rest);
    if (tail->options->quiet)
        return;
    if (directory->knows_layout)
        fprintf(stderr, "txtap: %s: %" PRIu64 " records, %" PRIu64 " bytes\n", ctf_directory_name(directory),
                counter->records, directory->bytes);
    else
        fprintf(stderr, "txtap: %s: %" PRIu64 " bytes\n", ctf_directory_name(directory), directory->bytes);
}

static enum txtap_status end_trace(struct ram_tail *tail, char error[static ERROR_TEXT_BYTES])
{
    uint64_t rest;
    bool all_zero;
    enum txtap_status status = ctf_directory_end(&tail->directory, &rest, &all_zero, error);

    if (status == TXTAP_OK)
        say_trace(tail, rest, all_zero);
    return status;
}

/* ---- the sink ---- */

static enum txtap_status take_bytes(struct ram_tail *tail, const uint8_t *bytes, size_t length)
{
    uint64_t before = tail->directory.counter.records;
    enum txtap_status status = ctf_directory_write(&tail->directory, bytes, length, tail->error);

    tail->stats->events += tail->directory.counter.records - before;
    return status;
}

/* A trace that restarted has times of its own: it gets a directory of its own. */
static enum txtap_status begin_next(struct ram_tail *tail)
{
    enum txtap_status status = end_trace(tail, tail->error);

    tail->said_full = false;
    return status == TXTAP_OK ? ctf_directory_next(&tail->directory, tail->options->force, tail->error) : status;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    switch (item->kind) {
    case TXTAP_ITEM_BYTES:
        return take_bytes(self, item->bytes.at, item->bytes.length);
    case TXTAP_ITEM_RESTART:
        return begin_next(self);
    default:
        return TXTAP_OK;
    }
}

/* One record at least, nobody knows how many. */
static void count_loss(struct session_stats *stats)
{
    stats->lost++;
    stats->lost_estimate++;
    stats->gaps++;
    stats->lost_exact = false;
}

/* At least the record that did not fit is lost; how many came after it the target does not count. */
static void note_full(struct ram_tail *tail, const struct txtap_zephyr_ram *ram)
{
    if (!ram->full || tail->said_full)
        return;
    tail->said_full = true;
    count_loss(tail->stats);
    fprintf(stderr,
            "txtap: %s: ram_tracing is full: the target discards all that comes, and does not count it: a larger "
            "CONFIG_RAM_TRACING_BUFFER_SIZE holds more\n",
            ctf_directory_name(&tail->directory));
}

/* ---- tail ---- */

static enum txtap_status after_step(void *self, bool idle)
{
    struct ram_tail *tail = self;
    const struct session *session = &tail->live.follower.session;

    (void)idle;
    if (session->reader_self != NULL)
        note_full(tail, zephyr_ram_of(session));
    return TXTAP_OK;
}

static int run_tail(const struct options *options, struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    static struct ram_tail tail;
    enum txtap_status status =
        ctf_directory_open(&tail.directory, options->output, options->ring.ctf_metadata, options->force, error);

    tail.options = options;
    tail.stats = &tail.live.follower.session.stats;
    if (status != TXTAP_OK)
        return EXIT_FAILED;
    status = live_begin(&tail.live, options, attachment, (struct txtap_sink){take, &tail}, error);
    if (status == TXTAP_OK) {
        status = live_follow(&tail.live, after_step, &tail, error);
        if (status < TXTAP_OK && !*error)
            failure(error, status, "%s", tail.error);
        if (status >= TXTAP_OK)
            status = end_trace(&tail, error);
        else
            (void)end_trace(&tail, tail.error);
        ctf_directory_close(&tail.directory);
        return live_end(&tail.live, status, error);
    }
    ctf_directory_close(&tail.directory);
    return attach_exit_code(status);
}

/* ---- once ---- */

/* Start-up code clears the buffer, or Ctrl-C or the time limit ended the copy. */
static void note_part(struct ram_tail *tail, uint64_t copied, uint64_t until)
{
    tail->cut = true;
    if (until == UINT64_MAX)
        fprintf(stderr, "txtap: %s: interrupted: nothing was read\n", ctf_directory_name(&tail->directory));
    else
        fprintf(stderr,
                "txtap: %s: only %" PRIu64 " of %" PRIu64 " bytes were read: the copy was interrupted, or the firmware "
                "cleared the buffer\n",
                ctf_directory_name(&tail->directory), copied, until);
}

/* Up to what was there when it was looked at first. */
static enum txtap_status read_once(struct ram_tail *tail, const struct session_place *place, struct session *session,
                                   char error[static ERROR_TEXT_BYTES])
{
    const struct session_settings settings = {.from = TXTAP_RING_FROM_OLDEST, .now_us = now_us};
    uint64_t deadline = now_us() + LIMIT_US, until = UINT64_MAX;
    enum txtap_status status = session_init(session, place, &settings, (struct txtap_sink){take, tail}, error);
    uint64_t copied = 0;

    if (status != TXTAP_OK)
        return status;
    tail->stats = &session->stats;
    while (status == TXTAP_OK && !stop_requested() && now_us() < deadline) {
        const struct txtap_zephyr_ram *ram = zephyr_ram_of(session);

        status = session_step(session, error);
        if (until == UINT64_MAX)
            until = ram->head;
        copied = ram->next;
        if (ram->next >= until || ram->cleared) {
            note_full(tail, ram);
            break;
        }
    }
    if (status == TXTAP_OK && copied < until)
        note_part(tail, copied, until);
    if (status < TXTAP_OK && !*error)
        failure(error, status, "%s", tail->error);
    return status;
}

static enum txtap_status make_directory(const struct options *options, const struct session_place *place,
                                        struct session_stats *stats, char error[static ERROR_TEXT_BYTES])
{
    static struct session session;
    static struct ram_tail tail;
    enum txtap_status status =
        ctf_directory_open(&tail.directory, options->output, options->ring.ctf_metadata, options->force, error);

    if (status != TXTAP_OK)
        return status;
    tail.options = options;
    status = read_once(&tail, place, &session, error);
    *stats = session.stats;
    if (status >= TXTAP_OK)
        status = end_trace(&tail, error);
    if (tail.cut)
        count_loss(stats);
    session_free(&session);
    ctf_directory_close(&tail.directory);
    return status;
}

static int run_snapshot(const struct options *options, struct attachment *attachment,
                        char error[static ERROR_TEXT_BYTES])
{
    const struct session_place place = attach_place(attachment);
    struct session_stats stats = {.lost_exact = true};
    uint64_t begin = now_us();
    enum txtap_status status = make_directory(options, &place, &stats, error);

    attach_account(attachment, &stats);
    if (status < TXTAP_OK || !report_stats_json(options, &stats, (double)(now_us() - begin) / 1e6))
        return EXIT_FAILED;
    return options->strict && stats.lost > 0 ? EXIT_LOST : EXIT_DONE;
}

int ram_command(const struct options *options)
{
    return live_command(options, options->command->streams ? run_tail : run_snapshot);
}

/* ---- of a file ---- */

/* The file is a dump of ram_tracing: how much of it is filled only its records say. */
static enum txtap_status decode_dump(const struct options *options, struct input *input, struct session_stats *stats,
                                     char error[static ERROR_TEXT_BYTES])
{
    static struct ram_tail tail;
    struct image_source *image;
    size_t length;
    const uint8_t *bytes;
    enum txtap_status status = image_load(&image, input, 0, error);

    if (status != TXTAP_OK)
        return status;
    status = ctf_directory_open(&tail.directory, options->output, options->ring.ctf_metadata, options->force, error);
    if (status == TXTAP_OK) {
        tail.options = options;
        tail.stats = stats;
        bytes = image_bytes(image, &length);
        status = take_bytes(&tail, bytes, length);
        if (status != TXTAP_OK)
            failure(error, status, "%s", tail.error);
        else
            status = end_trace(&tail, error);
        if (tail.cut)
            count_loss(stats);
        stats->bytes_read = length;
        ctf_directory_close(&tail.directory);
    }
    image_source_of(image).ops->close(image);
    return status;
}

enum txtap_status ram_decode(const struct options *options, struct input *input, struct session_stats *stats,
                             char error[static ERROR_TEXT_BYTES])
{
    static struct attachment attachment; /* of a file instead of a target */
    static struct memory_file memory;
    struct session_place place;
    enum txtap_status status;

    if (options->target.elf == NULL)
        return decode_dump(options, input, stats, error);
    status = attach_file(options, &attachment, &memory, input, error);
    if (status != TXTAP_OK)
        return status;
    place = attach_place(&attachment);
    status = make_directory(options, &place, stats, error);
    attach_close(&attachment);
    return status;
}
