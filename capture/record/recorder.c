/* SPDX-License-Identifier: MIT */
/*
 * Turns items into blocks. recorder_files.c has the files of the blocks. These functions return TXTAP_OK,
 * TXTAP_END if the pipe has no reader any more, or an error whose text is in recording->error.
 */
#include "record/recorder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/runtime.h"
#include "record/recorder_files.h"
#include "txtap/event.h"
#include "txtap/inner/recording.h"

/* Space that an event needs in the buffer if it is alone in its block. */
#define HISTORY_BLOCK_BYTES                                                                                            \
    (JOB_HEAD_BYTES * 3 + 2 * TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES +           \
     TXTAP_RECORDING_WORDS_HEAD + 1)

#define ONE_EVENT_BYTES (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES)

/* Room to keep free in the buffer. Some data is written without a check for room: the present block and the next block,
 * new names, gaps, marks, the end of a file, the path of the next file. */
#define RESERVE_BYTES ((size_t)2 * TXTAP_RECORDING_PAYLOAD_MAX + 32768)

/* Returns the payload as a block. Compresses it into `packed` if the user wants compression and it saves space. */
static struct txtap_recording_block pack(struct recording *recording, enum txtap_recording_type type,
                                         const uint8_t *payload, size_t length,
                                         uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX])
{
    struct txtap_recording_block block = {.type = type, .stored = payload, .stored_bytes = length, .bytes = length};
    size_t less =
        recording->compressor ? compressor_pack(recording->compressor, packed, length - 1, payload, length) : 0;

    if (less > 0) {
        block.compressed = true;
        block.stored = packed;
        block.stored_bytes = less;
    }
    return block;
}

/* Writes the rate if it has become much better. No events may wait: the size of their block is already decided. */
static enum txtap_status write_news(struct recording *recording)
{
    if (!description_has_news(&recording->description) || files_is_full(recording, DESCRIPTION_RATE_BYTES))
        return TXTAP_OK;
    return description_add_rate(&recording->description, false);
}

/* Writes the words of the waiting events. Call it just before these events are written to the same file. */
static enum txtap_status write_words(struct recording *recording)
{
    size_t length = event_words_take(&recording->batch.words, recording->other);
    const struct txtap_recording_block block =
        pack(recording, TXTAP_RECORDING_WORDS, recording->other, length, recording->packed_words);

    return block_file_add(&recording->file, &block, 0, true, &recording->error);
}

static enum txtap_status take_samples(void *self, enum txtap_recording_type type, const uint8_t *payload, size_t length)
{
    struct recording *recording = self;
    const struct txtap_recording_block block = pack(recording, type, payload, length, recording->packed_words);

    return block_file_add(&recording->file, &block, 0, recording->batch.count > 0, &recording->error);
}

/* Writes the waiting samples. If events wait, the caller writes them to the same file just after them. */
static enum txtap_status write_samples(struct recording *recording)
{
    if (recording->samples.count == 0)
        return TXTAP_OK;
    recording->has_news = true;
    return sample_batch_write(&recording->samples, recording->other, take_samples, recording);
}

/* Writes the waiting samples and events. Begins the next file first if this file is full. */
static enum txtap_status write_events(struct recording *recording)
{
    struct event_batch *batch = &recording->batch;
    size_t length, words = event_batch_words_bytes(event_words_bytes(&batch->words, NULL));
    size_t samples = sample_batch_bytes(&recording->samples);
    struct txtap_recording_block block;
    enum txtap_status status;

    if (batch->count == 0) {
        status = samples > 0 ? files_make_room(recording, samples) : TXTAP_OK;
        return status == TXTAP_OK ? write_samples(recording) : status;
    }
    length = event_batch_payload(batch, wall_offset_us(recording->setup.wall_us, recording->setup.now_us));
    block = pack(recording, TXTAP_RECORDING_EVENTS, batch->payload, length, recording->packed);
    status = files_make_room(recording, samples + words + block.stored_bytes);
    if (status == TXTAP_OK)
        status = write_samples(recording);
    if (status == TXTAP_OK && words > 0)
        status = write_words(recording);
    if (status == TXTAP_OK)
        status = block_file_add(&recording->file, &block, batch->count, false, &recording->error);
    recording->has_news = true;
    recording->file_events += batch->count;
    recording->part.events += batch->count;
    recording->part.seq = batch->first_seq + batch->count;
    batch->count = 0;
    return status == TXTAP_OK ? write_news(recording) : status;
}

/* Writes a gap or a mark. Its payload is in recording->batch.payload. The caller must have written the preceding
 * events. */
static enum txtap_status write_other(struct recording *recording, enum txtap_recording_type type, size_t length)
{
    enum txtap_status status = files_make_room(recording, length);

    recording->has_news = true;
    return status == TXTAP_OK ? files_add(recording, type, recording->batch.payload, length, false) : status;
}

/* Writes objects that changed. Call it before each event, because the event may refer to them. */
static enum txtap_status write_new_objects(struct recording *recording)
{
    enum txtap_status status;

    if (!object_blocks_changed(&recording->objects))
        return TXTAP_OK;
    status = write_events(recording);
    if (status == TXTAP_OK &&
        files_is_full(recording, object_blocks_bytes(&recording->objects, true) + ONE_EVENT_BYTES))
        return files_next(recording); /* the next file begins with all objects */
    return status == TXTAP_OK ? files_add_objects(recording, false) : status;
}

/* Finds the row in the same way as the exporters, because a trigger must accept every event name that txtap shows. */
static const struct txtap_event_info *row_of(const struct recording *recording, uint32_t id)
{
    unsigned profile =
        recording->setup.config.profile | (recording->objects.registry->usbx ? 0 : TXTAP_PROFILE_USER_1025);

    return txtap_definitions_event(recording->setup.definitions, id, profile);
}

/* Writes the names of functions if a name is not in this file. Call it before the event or the sample that needs the
 * name. */
static enum txtap_status write_functions(struct recording *recording)
{
    struct description *description = &recording->description;
    enum txtap_status status = write_events(recording);

    if (status == TXTAP_OK && files_is_full(recording, description_functions_bytes(description) + ONE_EVENT_BYTES))
        return files_next(recording); /* the next file begins with all names of functions */
    return status == TXTAP_OK ? description_add_functions(description) : status;
}

/* ---- items to blocks; if the disk is too slow, a gap replaces the items that do not fit into the buffer ---- */

/* Returns true if the buffer has room for one more item; always true without a buffer. after_loss: items were just
 * dropped, so half of the buffer must be free. self: the struct recording. */
static bool has_room(const void *self, bool after_loss)
{
    const struct recording *recording = self;
    size_t half = recording->setup.config.buffer_bytes / 2;
    size_t head_bytes = recording->head_bytes + description_functions_bytes(&recording->description);
    size_t reserve = (recording->batch.has_words ? 2 : 1) * RESERVE_BYTES + 2 * head_bytes +
                     2 * sample_batch_bytes(&recording->samples);

    return block_file_room(&recording->file) >= (after_loss || reserve > half ? half : reserve);
}

/* Returns the longest time from reading the first event of a block to writing the block. Followers of a store get the
 * events soon. */
static uint64_t block_us(const struct recording *recording)
{
    return recording->setup.config.stores ? RECORDING_STORE_US : RECORDING_BLOCK_US;
}

static bool fits_batch(const struct recording *recording, const struct txtap_event *event)
{
    const struct event_batch_limits limits = {
        .age_us = block_us(recording), .bytes = recording->bytes_max, .period = recording->setup.clock->period};

    return event_batch_fits(&recording->batch, event, recording->taken_us, &limits);
}

static enum txtap_status write_event(struct recording *recording, const struct txtap_event *event)
{
    enum txtap_status status = write_new_objects(recording);

    if (status == TXTAP_OK && description_learn_functions(&recording->description, recording->setup.definitions, event,
                                                          row_of(recording, event->id)))
        status = write_functions(recording);
    if (status == TXTAP_OK && recording->batch.count > 0 && !fits_batch(recording, event))
        status = write_events(recording);
    if (status != TXTAP_OK)
        return status;
    if (recording->batch.count == 0)
        recording->bytes_max = files_block_bytes_max(recording);
    event_batch_add(&recording->batch, event, recording->taken_us);
    return TXTAP_OK;
}

/* Returns true if the sample fits into the same file as the waiting events. Takes its size from their limit. */
static bool fits_events(struct recording *recording, const struct txtap_sample *sample)
{
    const struct event_batch *batch = &recording->batch;
    size_t words = event_batch_words_bytes(event_words_bytes(&batch->words, NULL));
    size_t bytes = (size_t)batch->count * TXTB_ENTRY_BYTES + words, more;

    more = sample_batch_growth(&recording->samples, sample);
    if (batch->count == 0 || recording->bytes_max == UINT64_MAX)
        return true;
    if (bytes + more > recording->bytes_max)
        return false;
    recording->bytes_max -= more;
    return true;
}

static enum txtap_status write_sample(struct recording *recording, const struct txtap_sample *sample)
{
    enum txtap_status status = TXTAP_OK;

    if (description_learn_pc(&recording->description, recording->setup.definitions, sample))
        status = write_functions(recording);
    if (status == TXTAP_OK && !fits_events(recording, sample))
        status = write_events(recording);
    if (status != TXTAP_OK || sample_batch_add(&recording->samples, sample, recording->taken_us))
        return status;
    status = write_events(recording);
    if (status == TXTAP_OK)
        (void)sample_batch_add(&recording->samples, sample, recording->taken_us);
    return status;
}

static enum txtap_status write_gap(struct recording *recording, const struct txtap_gap *gap)
{
    enum txtap_status status =
        write_other(recording, TXTAP_RECORDING_GAP, txtap_recording_put_gap(recording->batch.payload, gap));

    recording->part.events += gap->lost;
    recording->part.doubts += !gap->exact;
    recording->part.seq = gap->seq + gap->lost;
    return status;
}

static enum txtap_status write_item(void *self, const struct txtap_item *item)
{
    struct recording *recording = self;
    enum txtap_status status;

    if (item->kind == TXTAP_ITEM_EVENT)
        return write_event(recording, &item->event);
    if (item->kind == TXTAP_ITEM_SAMPLE)
        return write_sample(recording, &item->sample);
    status = write_events(recording);
    if (status != TXTAP_OK)
        return status;
    if (item->kind == TXTAP_ITEM_GAP)
        return write_gap(recording, &item->gap);
    status =
        write_other(recording, TXTAP_RECORDING_MARK, txtap_recording_put_mark(recording->batch.payload, &item->mark));
    recording->part.doubts++;
    return status;
}

/* Prepares the stages `overflow` and `limit`. Gaps count only dropped events. They do not count the events between two
 * triggers, because these are left out on purpose. */
static void init_stream(struct recording *recording)
{
    recording->limit = (struct limit){.next = {write_item, recording}, .most = recording->setup.config.limit};
    recording->overflow = (struct overflow){
        .next = {limit_take, &recording->limit}, .has_room = has_room, .self = recording, .apart = true};
}

/* Passes an event, a gap or a mark through the stages `overflow` and `limit`, and then into its block. now: time at
 * which the item was read. TXTAP_END: the limit is reached. */
static enum txtap_status put(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    recording->taken_us = now;
    return overflow_take(&recording->overflow, item);
}

/* ---- the sink ---- */

static bool has_triggers(const struct recording *recording)
{
    const struct record_config *config = &recording->setup.config;

    return config->trigger_count + config->value_trigger_count > 0 || config->is_fired;
}

static enum txtap_status put_around(void *self, const struct txtap_item *item, uint64_t read_us)
{
    return put(self, item, read_us);
}

enum txtap_status recording_fire(struct recording *recording, const char *text, uint64_t seq)
{
    return around_triggers_fire(&recording->around, text, seq);
}

/* Begins another trace buffer, or a buffer that was set up again: the next items come from this buffer. */
static enum txtap_status begin_buffer(struct recording *recording, const struct txtap_header *header)
{
    enum txtap_status status = TXTAP_OK;

    if (has_triggers(recording)) /* before the new header, because entries of the old buffer may differ in byte order */
        status = around_triggers_restart(&recording->around);
    if (status == TXTAP_OK)
        status = overflow_flush(&recording->overflow);
    if (status == TXTAP_OK)
        status = write_events(recording);
    if (!object_blocks_set_registry(&recording->objects, recording->objects.registry))
        return failure(&recording->error, TXTAP_ERROR_SYSTEM, "no memory to record");
    recording->header = *header;
    return status == TXTAP_OK ? files_change_buffer(recording) : status;
}

enum txtap_status recording_take(void *self, const struct txtap_item *item)
{
    struct recording *recording = self;
    uint64_t now = recording->setup.now_us();

    if (item->kind == TXTAP_ITEM_RESTART)
        return begin_buffer(recording, &item->header);
    if (item->kind == TXTAP_ITEM_MARK) /* an alarm may name the file */
        block_disk_learn_name(&recording->file.disk, recording->rotation.name);
    return has_triggers(recording) ? around_triggers_take(&recording->around, item, now) : put(recording, item, now);
}

/* Returns true if the waiting events or samples have waited long enough. */
static bool is_old(const struct recording *recording, uint64_t now)
{
    return (recording->batch.count > 0 && now - recording->batch.first_us >= block_us(recording)) ||
           (recording->samples.count > 0 && now - recording->samples.first_us >= block_us(recording));
}

enum txtap_status recording_step(struct recording *recording)
{
    uint64_t now = recording->setup.now_us();
    enum txtap_status status, next;

    if (is_old(recording, now))
        status = write_events(recording);
    else
        status = block_file_status(&recording->file, &recording->error);
    if (status == TXTAP_OK && now - recording->writeback_us >= RECORDING_WRITEBACK_US) {
        block_file_start_writeback(&recording->file);
        recording->writeback_us = now;
    }
    if (status != TXTAP_OK ||
        !has_room(recording, recording->overflow.lost > 0)) /* waits for room before it begins the next file */
        return status;
    status = overflow_flush(&recording->overflow);
    if (status == TXTAP_OK && recording->batch.count == 0)
        status = write_news(recording);
    if (status != TXTAP_OK || !rotation_is_due(&recording->rotation, now))
        return status;
    status = write_events(recording);
    next = rotation_next_time(&recording->rotation, now,
                              now + wall_offset_us(recording->setup.wall_us, recording->setup.now_us));
    if (status == TXTAP_OK)
        status = files_end(recording, next == TXTAP_END ? TXTAP_RECORDING_DONE : TXTAP_RECORDING_ROTATED);
    if (status == TXTAP_OK)
        status = files_name_failure(recording, next);
    return status == TXTAP_OK ? files_begin(recording, true) : status;
}

/* ---- opening and closing ---- */

/* Returns a number that identifies this recording. If no random number is available, uses the time. */
static uint64_t random_id(const struct recording_setup *setup)
{
    uint64_t id;

    return getrandom(&id, sizeof id, 0) == (ssize_t)sizeof id ? id : setup->wall_us();
}

static void free_all(struct recording *recording)
{
    compressor_free(recording->compressor);
    around_triggers_free(&recording->around);
    object_blocks_free(&recording->objects);
    recording->compressor = NULL;
}

static bool open_triggers(struct recording *recording, const struct txtap_registry *registry)
{
    const struct record_config *config = &recording->setup.config;

    return around_triggers_open(&recording->around, &(struct around_setup){
                                                        .triggers = config->triggers,
                                                        .trigger_count = config->trigger_count,
                                                        .values = config->value_triggers,
                                                        .value_count = config->value_trigger_count,
                                                        .before_us = config->before_us,
                                                        .after_us = config->after_us,
                                                        .tick_hz = config->tick_hz,
                                                        .profile = config->profile,
                                                        .registry = registry,
                                                        .definitions = recording->setup.definitions,
                                                        .now_us = recording->setup.now_us,
                                                        .wall_us = recording->setup.wall_us,
                                                        .put = put_around,
                                                        .self = recording,
                                                    });
}

static bool allocate(struct recording *recording, const struct txtap_registry *registry)
{
    int level = recording->setup.config.compress;

    if (level > 0 && !(recording->compressor = compressor_new(level)))
        return false;
    if (has_triggers(recording) && !open_triggers(recording, registry))
        return false;
    return object_blocks_set_registry(&recording->objects, registry);
}

/* Returns the size of the buffer: room for a slow disk, and with triggers room for the history, which is recorded all
 * at once. */
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
    recording->file.disk.numbers_names = setup->config.stores;
    recording->file.disk.spool = setup->config.spool;
    recording->file.disk.stream = setup->config.stream;
    recording->rotation.path = setup->config.path;
    recording->rotation.fixed = setup->config.path != NULL && block_disk_has_prefix(setup->config.path);
    recording->rotation.file_bytes = setup->config.file_bytes;
    recording->rotation.file_us = setup->config.file_seconds * 1000000;
    recording->rotation.file_count = setup->config.file_count;
    recording->part.kept = setup->config.file_seconds == 0 ? setup->config.file_count : 0;
    recording->part.id = random_id(setup);
    recording->description.identity = setup->identity;
    recording->description.file = &recording->file;
    recording->description.payload = recording->other;
    recording->description.error = &recording->error;
    if (setup->config.tick_hz > 0 && setup->config.tick_hz <= TXTAP_RATE_HZ_MAX)
        recording->description.rate = (struct txtap_rate){.how = TXTAP_RATE_GIVEN, .hz = setup->config.tick_hz};
    recording->writeback_us = setup->now_us();
    init_stream(recording);
    status = allocate(recording, registry)
                 ? files_name_failure(recording, rotation_begin(&recording->rotation, recording->writeback_us,
                                                                recording->writeback_us +
                                                                    wall_offset_us(setup->wall_us, setup->now_us)))
                 : failure(&recording->error, TXTAP_ERROR_SYSTEM, "no memory to record");
    if (status == TXTAP_OK)
        status = files_begin(recording, setup->config.force);
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
        status = write_events(recording);
    if (sound && status == TXTAP_OK)
        status = files_end(recording, TXTAP_RECORDING_DONE);
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
