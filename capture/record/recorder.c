/* SPDX-License-Identifier: MIT */
/* Decides what is recorded: everything, or what is around triggers. */
#include "record/recorder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/runtime.h"
#include "record/recorder_parts.h"
#include "txtap/event.h"

/* What an event with a block of its own takes of the buffer. */
#define HISTORY_BLOCK_BYTES                                                                                            \
    (JOB_HEAD_BYTES * 3 + 2 * TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES +           \
     TXTAP_RECORDING_WORDS_HEAD + 1)

/* ---- triggers ---- */

static bool has_triggers(const struct recording *recording)
{
    return recording->setup.config.trigger_count > 0 || recording->setup.config.is_fired;
}

static bool is_open(struct recording *recording)
{
    recording->open = recording->open && recording->window_us <= recording->open_until_us;
    return recording->open;
}

/* By the target's clock, if its rate is known; else by the host's clock when the event was read. */
static void set_window_time(struct recording *recording, uint64_t ticks, uint64_t now)
{
    double tick_hz = recording->setup.config.tick_hz;

    recording->window_us = tick_hz > 0 ? (uint64_t)((double)ticks / tick_hz * 1e6) : now;
}

static const char *trigger_of(const struct recording *recording, const struct txtap_event *event)
{
    const struct record_config *config = &recording->setup.config;
    /* As the exporters choose it: every name that is shown must also work in a trigger. */
    unsigned profile = config->profile | (recording->objects.registry->usbx ? 0 : TXTAP_PROFILE_USER_1025);
    const struct txtap_event_info *row = txtap_definitions_event(recording->setup.definitions, event->id, profile);

    for (size_t i = 0; i < config->trigger_count; i++)
        if (txtap_filter_passes(&config->triggers[i].filter, recording->objects.registry, event, row))
            return config->triggers[i].text;
    return NULL;
}

/* Records what was kept of the time before the trigger. */
static enum txtap_status put_history(struct recording *recording)
{
    uint64_t before_us = recording->setup.config.before_us, now = recording->window_us;
    const struct history_item *item;
    enum txtap_status status = TXTAP_OK;

    if (!history_trim(&recording->history, now > before_us ? now - before_us : 0))
        recording->short_histories++;
    while (status == TXTAP_OK && (item = history_take(&recording->history))) {
        struct txtap_item old = {.kind = item->is_gap ? TXTAP_ITEM_GAP : TXTAP_ITEM_EVENT};

        if (item->is_gap)
            old.gap = item->gap;
        else
            old.event = (struct txtap_event){.seq = item->seq,
                                             .ticks = item->ticks,
                                             .entry = item->entry,
                                             .words = item->words,
                                             .word_count = item->word_count};
        status = recording_put(recording, &old, item->us);
    }
    return status;
}

enum txtap_status recording_fire(struct recording *recording, const char *text, uint64_t seq)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK,
                                    .mark = {TXTAP_MARK_TRIGGER, seq, recording->setup.wall_us(), text}};
    enum txtap_status status = is_open(recording) ? TXTAP_OK : put_history(recording);

    recording->triggers++;
    recording->open = true;
    recording->open_until_us = recording->window_us + recording->setup.config.after_us;
    return status == TXTAP_OK ? recording_put(recording, &item, recording->setup.now_us()) : status;
}

/* ---- the sink ---- */

/* A gap has the time of the event before it. */
static void keep(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    bool is_gap = item->kind == TXTAP_ITEM_GAP;
    struct history_item *kept =
        is_gap ? history_add(&recording->history) : history_add_event(&recording->history, &item->event);

    kept->window_us = recording->window_us;
    kept->us = now;
    kept->is_gap = is_gap;
    if (is_gap)
        kept->gap = item->gap;
}

/* Records what is around triggers. Marks are always recorded, and what was just before them, too. */
static enum txtap_status take_around_triggers(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    bool is_event = item->kind == TXTAP_ITEM_EVENT;
    const char *trigger = NULL;
    enum txtap_status status = TXTAP_OK;

    if (is_event) {
        set_window_time(recording, item->event.ticks, now);
        trigger = trigger_of(recording, &item->event);
    }
    if (trigger != NULL)
        status = recording_fire(recording, trigger, item->event.seq);
    else if (!is_event && item->kind != TXTAP_ITEM_GAP)
        status = put_history(recording);
    else if (!is_open(recording)) {
        keep(recording, item, now);
        return TXTAP_OK;
    }
    return status == TXTAP_OK ? recording_put(recording, item, now) : status;
}

/* The next items are of another trace buffer, or of one that was set up again. */
static enum txtap_status begin_buffer(struct recording *recording, const struct txtap_header *header)
{
    enum txtap_status status = TXTAP_OK;

    if (has_triggers(recording)) /* entries of another byte order must not stand behind the new header */
        status = put_history(recording);
    if (status == TXTAP_OK)
        status = overflow_flush(&recording->overflow);
    if (status == TXTAP_OK)
        status = recording_write_events(recording);
    if (!object_blocks_set_registry(&recording->objects, recording->objects.registry))
        return failure(&recording->error, TXTAP_ERROR_SYSTEM, "no memory to record");
    recording->header = *header;
    return status == TXTAP_OK ? recording_change_buffer(recording) : status;
}

enum txtap_status recording_take(void *self, const struct txtap_item *item)
{
    struct recording *recording = self;
    uint64_t now = recording->setup.now_us();

    if (item->kind == TXTAP_ITEM_RESTART)
        return begin_buffer(recording, &item->header);
    return has_triggers(recording) ? take_around_triggers(recording, item, now) : recording_put(recording, item, now);
}

enum txtap_status recording_step(struct recording *recording)
{
    uint64_t now = recording->setup.now_us();
    enum txtap_status status, next;

    if (recording->batch.count > 0 && now - recording->batch.first_us >= RECORDING_BLOCK_US)
        status = recording_write_events(recording);
    else
        status = block_file_status(&recording->file, &recording->error);
    if (status == TXTAP_OK && now - recording->writeback_us >= RECORDING_WRITEBACK_US) {
        block_file_start_writeback(&recording->file);
        recording->writeback_us = now;
    }
    if (status != TXTAP_OK || !recording_has_room(recording, recording->overflow.lost >
                                                                 0)) /* the next file begins when there is room again */
        return status;
    status = overflow_flush(&recording->overflow);
    if (status != TXTAP_OK || !rotation_is_due(&recording->rotation, now))
        return status;
    status = recording_write_events(recording);
    next = rotation_next_time(&recording->rotation, now,
                              now + wall_offset_us(recording->setup.wall_us, recording->setup.now_us));
    if (status == TXTAP_OK)
        status = recording_end_file(recording, next == TXTAP_END ? TXTAP_RECORDING_DONE : TXTAP_RECORDING_ROTATED);
    if (status == TXTAP_OK)
        status = recording_name_failure(recording, next);
    return status == TXTAP_OK ? recording_begin_file(recording, true) : status;
}

/* ---- begin and end ---- */

/* Tells this recording from all others. Without random numbers the time does almost as well. */
static uint64_t random_id(const struct recording_setup *setup)
{
    uint64_t id;

    return getrandom(&id, sizeof id, 0) == (ssize_t)sizeof id ? id : setup->wall_us();
}

static void free_all(struct recording *recording)
{
    compressor_free(recording->compressor);
    history_free(&recording->history);
    object_blocks_free(&recording->objects);
    recording->compressor = NULL;
}

static bool allocate(struct recording *recording, const struct txtap_registry *registry)
{
    int level = recording->setup.config.compress;

    if (level > 0 && !(recording->compressor = compressor_new(level)))
        return false;
    if (has_triggers(recording) && !history_init(&recording->history))
        return false;
    return object_blocks_set_registry(&recording->objects, registry);
}

/* The history is recorded all at once, so it has room of its own: that is not the disk's fault. */
static size_t buffer_bytes(const struct recording *recording)
{
    size_t history = (size_t)HISTORY_ITEMS * HISTORY_BLOCK_BYTES + (size_t)HISTORY_WORDS * 4;

    return recording->setup.config.buffer_bytes + (has_triggers(recording) ? history : 0);
}

enum txtap_status recording_open(struct recording *recording, const struct recording_setup *setup,
                                 const struct txtap_header *header, const struct txtap_registry *registry,
                                 struct error *error)
{
    enum txtap_status status;

    memset(recording, 0, sizeof *recording);
    recording->setup = *setup;
    recording->header = *header;
    block_file_init(&recording->file);
    recording->rotation.path = setup->config.path;
    recording->rotation.file_bytes = setup->config.file_bytes;
    recording->rotation.file_us = setup->config.file_seconds * 1000000;
    recording->rotation.file_count = setup->config.file_count;
    recording->part.kept = setup->config.file_seconds == 0 ? setup->config.file_count : 0;
    recording->part.id = random_id(setup);
    recording->writeback_us = setup->now_us();
    recording_init_stream(recording);
    status = allocate(recording, registry)
                 ? recording_name_failure(recording, rotation_begin(&recording->rotation, recording->writeback_us,
                                                                    recording->writeback_us +
                                                                        wall_offset_us(setup->wall_us, setup->now_us)))
                 : failure(&recording->error, TXTAP_ERROR_SYSTEM, "no memory to record");
    if (status == TXTAP_OK)
        status = recording_begin_file(recording, setup->config.force);
    if (status == TXTAP_OK && setup->config.buffer_bytes > 0)
        status = block_file_start_queue(&recording->file, buffer_bytes(recording), &recording->error);
    if (status == TXTAP_OK)
        return status;
    *error = recording->error;
    (void)block_file_finish(&recording->file, &recording->error);
    free_all(recording);
    return status;
}

enum txtap_status recording_close(struct recording *recording, enum txtap_status earlier, struct error *error)
{
    bool sound = !error_is_set(&recording->error) && recording->file.open;
    enum txtap_status status = sound ? overflow_flush(&recording->overflow) : TXTAP_OK, finished;
    struct error late = {0};

    if (sound && status == TXTAP_OK)
        status = recording_write_events(recording);
    if (sound && status == TXTAP_OK)
        status = recording_end_file(recording, TXTAP_RECORDING_DONE);
    finished = block_file_finish(&recording->file, &late);
    if (status == TXTAP_OK)
        status = finished;
    if (!error_is_set(&recording->error))
        recording->error = late;
    if (!error_is_set(error))
        *error = recording->error;
    free_all(recording);
    return earlier < TXTAP_OK || status == TXTAP_OK ? earlier : status;
}
