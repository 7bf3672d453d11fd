/* SPDX-License-Identifier: MIT */
/*
 * Turns items into blocks, and writes the blocks to one file after the other. With triggers, takes only the items
 * around each trigger. These functions return TXTAP_OK, TXTAP_END if the pipe has no reader any more, or an error whose
 * text is in recording->error.
 */
#include "record/recorder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/runtime.h"
#include "txtap/event.h"
#include "txtap/inner/interrupts.h"
#include "txtap/inner/recording.h"

/* Space that an event needs in the buffer if it is alone in its block. */
#define HISTORY_BLOCK_BYTES                                                                                            \
    (JOB_HEAD_BYTES * 3 + 2 * TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES +           \
     TXTAP_RECORDING_WORDS_HEAD + 1)

#define END_BYTES       (TXTAP_RECORDING_BLOCK_BYTES + 20u) /* size of the last block of a file */
#define ONE_EVENT_BYTES (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD + TXTB_ENTRY_BYTES)

/* Room to keep free in the buffer. Some data is written without a check for room: the present block and the next block,
 * new names, gaps, marks, the end of a file, the path of the next file. */
#define RESERVE_BYTES ((size_t)2 * TXTAP_RECORDING_PAYLOAD_MAX + 32768)

/* ---- blocks ---- */

static enum txtap_status add(struct recording *recording, enum txtap_recording_type type, const uint8_t *payload,
                             size_t length, bool hold)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return block_file_add(&recording->file, &block, 0, hold, &recording->error);
}

/* Returns an upper bound for the size of the next file's head. The real head may be smaller, because it leaves out
 * objects that no event of the file can refer to. */
static size_t next_head_bytes(const struct recording *recording)
{
    size_t objects = object_blocks_bytes(&recording->objects, false);

    return TXTAP_RECORDING_HEAD_BYTES + recording->buffer_bytes + recording->part_bytes + recording->description.bytes +
           recording->channels_bytes + description_rate_bytes(&recording->description) +
           description_functions_bytes(&recording->description) + (objects > 0 ? objects : OBJECT_BLOCKS_HEAD_BYTES);
}

static enum txtap_status take_objects(void *self, const uint8_t *payload, size_t length)
{
    return add(self, TXTAP_RECORDING_OBJECTS, payload, length, true);
}

/* Adds objects to the file. If `fresh` is true, adds all objects that the file's events can refer to; otherwise only
 * objects that changed. If events already wait for a new file, `fresh` adds the objects as they were last written,
 * because there may be no room for newer names. */
static enum txtap_status add_objects(struct recording *recording, bool fresh)
{
    const struct object_blocks_choice choice = {
        .fresh = fresh, .as_written = fresh && recording->batch.count > 0, .since_seq = recording->batch.first_seq};

    return object_blocks_write(&recording->objects, &choice, recording->other, take_objects, recording);
}

static enum txtap_status take_samples(void *self, enum txtap_recording_type type, const uint8_t *payload,
                                      size_t length);

/* Adds the channels that are known, so that readers know them before the first event. */
static enum txtap_status add_channels(struct recording *recording)
{
    const struct txtap_channels *channels = recording->setup.channels;
    enum txtap_status status = TXTAP_OK;

    sample_batch_new_file(&recording->samples);
    recording->channels_bytes = 0;
    for (size_t i = 0; channels != NULL && i < channels->count && status == TXTAP_OK; i++) {
        size_t length = txtap_recording_put_channel(recording->other, &channels->at[i]);

        recording->samples.written[channels->at[i].number] = true;
        recording->channels_bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
        status = add(recording, TXTAP_RECORDING_CHANNEL, recording->other, length, true);
    }
    return status;
}

/* Adds the block that identifies this file. */
static enum txtap_status add_part(struct recording *recording)
{
    size_t length = txtap_recording_put_file(recording->other, &recording->part);

    recording->part.number++;
    recording->part_bytes = TXTAP_RECORDING_BLOCK_BYTES + length;
    return add(recording, TXTAP_RECORDING_FILE, recording->other, length, true);
}

/* Adds the buffer's header and all objects. They wait, and are written together with the next block. */
static enum txtap_status add_buffer(struct recording *recording, bool begins_file)
{
    const char *firmware = recording->setup.firmware ? recording->setup.firmware : "";
    size_t length =
        txtap_recording_put_buffer(recording->other, &recording->header, recording->setup.wall_us(), firmware);
    enum txtap_status status = add(recording, TXTAP_RECORDING_BUFFER, recording->other, length, true);

    recording->buffer_bytes = TXTAP_RECORDING_BLOCK_BYTES + length;
    if (status == TXTAP_OK && begins_file)
        status = add_part(recording);
    if (status == TXTAP_OK && recording->setup.config.definitions != NULL) {
        length = txtap_recording_put_definitions(recording->other, recording->setup.config.definitions);
        status = add(recording, TXTAP_RECORDING_DEFINITIONS, recording->other, length, true);
        recording->buffer_bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
    }
    if (status == TXTAP_OK && begins_file)
        status = description_begin(&recording->description);
    if (status == TXTAP_OK && begins_file)
        status = add_channels(recording);
    return status == TXTAP_OK ? add_objects(recording, true) : status;
}

/* ---- files ---- */

/* Writes the file's head at once, so that every file that exists can be read, even if txtap ends early. */
static enum txtap_status begin_file(struct recording *recording, bool overwrite)
{
    enum txtap_status status =
        block_file_open(&recording->file, recording->rotation.name, overwrite, &recording->error);

    recording->has_news = false;
    recording->file_events = 0;
    if (status == TXTAP_OK)
        status = add_buffer(recording, true);
    if (status == TXTAP_OK)
        status = block_file_flush(&recording->file, &recording->error);
    recording->head_bytes = (size_t)recording->file.bytes;
    return status;
}

/* Returns true if this file has no room for `length` more bytes of blocks. A file with only its head is never full. */
static bool is_full(const struct recording *recording, size_t length)
{
    uint64_t bytes = recording->file.bytes + recording->file.waiting + length + END_BYTES;

    return recording->has_news && rotation_is_full(&recording->rotation, bytes);
}

/* Writes the end block and closes the file. The caller must have written the waiting events. */
static enum txtap_status end_file(struct recording *recording, enum txtap_recording_why why)
{
    enum txtap_status status = is_full(recording, DESCRIPTION_RATE_BYTES)
                                   ? TXTAP_OK
                                   : description_add_rate(&recording->description, true),
                      closed;
    size_t length;

    if (status == TXTAP_OK && !is_full(recording, description_stacks_bytes(&recording->description)))
        status = description_add_stacks(&recording->description);
    length = txtap_recording_put_end(recording->other, why, recording->file_events, recording->setup.wall_us());
    if (status == TXTAP_OK)
        status = add(recording, TXTAP_RECORDING_END, recording->other, length, false);
    closed =
        block_file_close(&recording->file, why == TXTAP_RECORDING_DONE, status == TXTAP_OK ? &recording->error : NULL);
    return status == TXTAP_OK ? closed : status;
}

/* Sets the error if `status` means that the path makes no valid file name. Returns status. */
static enum txtap_status name_failure(struct recording *recording, enum txtap_status status)
{
    if (status == TXTAP_ERROR_USAGE)
        failure(&recording->error, status, "%.140s: it makes no valid file name\nchoose a shorter one with -o",
                recording->setup.config.path);
    return status;
}

static enum txtap_status next_file(struct recording *recording)
{
    enum txtap_status status = end_file(recording, TXTAP_RECORDING_ROTATED);

    if (status == TXTAP_OK)
        status = name_failure(recording, rotation_next_part(&recording->rotation));
    return status == TXTAP_OK ? begin_file(recording, true) : status;
}

/* Begins the next file if this file has no room for a block with `length` bytes of payload. If other blocks must be in
 * the same file as this block, the caller adds their size to `length`. */
static enum txtap_status make_room(struct recording *recording, size_t length)
{
    return is_full(recording, TXTAP_RECORDING_BLOCK_BYTES + length) ? next_file(recording) : TXTAP_OK;
}

/* Returns the size limit for the entries and the words of a block that begins now. With this limit, the file does not
 * exceed its own limit. UINT64_MAX: no limit. */
static uint64_t block_bytes_max(const struct recording *recording)
{
    uint64_t file_bytes = recording->rotation.file_bytes;
    size_t taken = TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_EVENTS_HEAD +
                   description_rate_bytes(&recording->description) + sample_batch_bytes(&recording->samples) +
                   END_BYTES;

    if (file_bytes == 0)
        return UINT64_MAX;
    taken += recording->has_news ? next_head_bytes(recording) : (size_t)recording->file.bytes + recording->file.waiting;
    return file_bytes < taken + TXTB_ENTRY_BYTES ? UINT64_MAX : file_bytes - taken;
}

/* Writes the header and the objects of another trace buffer. Begins the next file first if this file is full. */
static enum txtap_status change_buffer(struct recording *recording)
{
    enum txtap_status status;

    if (is_full(recording, next_head_bytes(recording)))
        return next_file(recording);
    status = add_buffer(recording, false);
    return status == TXTAP_OK ? block_file_flush(&recording->file, &recording->error) : status;
}

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
    if (!description_has_news(&recording->description) || is_full(recording, DESCRIPTION_RATE_BYTES))
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
        status = samples > 0 ? make_room(recording, samples) : TXTAP_OK;
        return status == TXTAP_OK ? write_samples(recording) : status;
    }
    length = event_batch_payload(batch, wall_offset_us(recording->setup.wall_us, recording->setup.now_us));
    block = pack(recording, TXTAP_RECORDING_EVENTS, batch->payload, length, recording->packed);
    status = make_room(recording, samples + words + block.stored_bytes);
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
    enum txtap_status status = make_room(recording, length);

    recording->has_news = true;
    return status == TXTAP_OK ? add(recording, type, recording->batch.payload, length, false) : status;
}

/* Writes objects that changed. Call it before each event, because the event may refer to them. */
static enum txtap_status write_new_objects(struct recording *recording)
{
    enum txtap_status status;

    if (!object_blocks_changed(&recording->objects))
        return TXTAP_OK;
    status = write_events(recording);
    if (status == TXTAP_OK && is_full(recording, object_blocks_bytes(&recording->objects, true) + ONE_EVENT_BYTES))
        return next_file(recording); /* the next file begins with all objects */
    return status == TXTAP_OK ? add_objects(recording, false) : status;
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

    if (status == TXTAP_OK && is_full(recording, description_functions_bytes(description) + ONE_EVENT_BYTES))
        return next_file(recording); /* the next file begins with all names of functions */
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

static bool fits_batch(const struct recording *recording, const struct txtap_event *event)
{
    const struct event_batch_limits limits = {
        .age_us = RECORDING_BLOCK_US, .bytes = recording->bytes_max, .period = recording->setup.clock->period};

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
        recording->bytes_max = block_bytes_max(recording);
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

/* ---- triggers ---- */

static bool has_triggers(const struct recording *recording)
{
    const struct record_config *config = &recording->setup.config;

    return config->trigger_count + config->value_trigger_count > 0 || config->is_fired;
}

static bool is_open(struct recording *recording)
{
    recording->open = recording->open && recording->window_us <= recording->open_until_us;
    return recording->open;
}

/* Sets window_us from the event's ticks if the tick rate is known, otherwise from the time at which it was read. */
static void set_window_time(struct recording *recording, uint64_t ticks, uint64_t now)
{
    double tick_hz = recording->setup.config.tick_hz;

    recording->window_us = tick_hz > 0 ? (uint64_t)((double)ticks / tick_hz * 1e6) : now;
}

static const char *trigger_of(struct recording *recording, const struct txtap_event *event)
{
    const struct record_config *config = &recording->setup.config;
    const struct txtap_event_info *row = row_of(recording, event->id);
    const char *interrupt = txtap_interrupts_shown(&recording->interrupts, event, row);

    for (size_t i = 0; i < config->trigger_count; i++)
        if (txtap_filter_passes(&config->triggers[i].filter, recording->objects.registry, event, row, interrupt))
            return config->triggers[i].text;
    return NULL;
}

/* Returns the trigger whose condition the sample begins to fulfil; NULL: no such trigger. */
static const char *value_trigger_of(struct recording *recording, const struct txtap_sample *sample)
{
    const struct record_config *config = &recording->setup.config;
    const char *text = NULL;

    for (size_t i = 0; i < config->value_trigger_count; i++) {
        bool fulfils;

        if (!value_trigger_judge(&config->value_triggers[i], sample, &fulfils))
            continue;
        if (fulfils && !recording->fulfilled[i])
            text = config->value_triggers[i].text;
        recording->fulfilled[i] = fulfils;
    }
    return text;
}

/* Records the items in the history that are at most before_us old. */
static enum txtap_status put_history(struct recording *recording)
{
    uint64_t before_us = recording->setup.config.before_us, now = recording->window_us;
    const struct history_item *item;
    enum txtap_status status = TXTAP_OK;

    if (!history_trim(&recording->history, now > before_us ? now - before_us : 0))
        recording->short_histories++;
    while (status == TXTAP_OK && (item = history_take(&recording->history))) {
        struct txtap_item old = {.kind = item->kind};

        if (item->kind == TXTAP_ITEM_GAP)
            old.gap = item->gap;
        else if (item->kind == TXTAP_ITEM_SAMPLE)
            old.sample = item->sample;
        else
            old.event = (struct txtap_event){.seq = item->seq,
                                             .ticks = item->ticks,
                                             .entry = item->entry,
                                             .words = item->words,
                                             .word_count = item->word_count};
        status = put(recording, &old, item->us);
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
    return status == TXTAP_OK ? put(recording, &item, recording->setup.now_us()) : status;
}

/* ---- the sink ---- */

/* Keeps an item in the history. A gap or a sample gets the time of the event before it. */
static void keep(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    struct history_item *kept;

    if (item->kind == TXTAP_ITEM_EVENT)
        kept = history_add_event(&recording->history, &item->event);
    else if (item->kind == TXTAP_ITEM_SAMPLE)
        kept = history_add_sample(&recording->history, &item->sample);
    else
        kept = history_add(&recording->history);
    kept->window_us = recording->window_us;
    kept->us = now;
    kept->kind = item->kind;
    if (item->kind == TXTAP_ITEM_GAP)
        kept->gap = item->gap;
}

/* Records items around triggers. A mark is always recorded, with the history before it. */
static enum txtap_status take_around_triggers(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    bool is_event = item->kind == TXTAP_ITEM_EVENT;
    const char *trigger = NULL;
    enum txtap_status status = TXTAP_OK;

    if (is_event) {
        set_window_time(recording, item->event.ticks, now);
        trigger = trigger_of(recording, &item->event);
    }
    if (item->kind == TXTAP_ITEM_SAMPLE)
        trigger = value_trigger_of(recording, &item->sample);
    if (trigger != NULL)
        status = recording_fire(recording, trigger, is_event ? item->event.seq : item->sample.seq);
    else if (item->kind == TXTAP_ITEM_MARK)
        status = put_history(recording);
    else if (!is_open(recording)) {
        keep(recording, item, now);
        return TXTAP_OK;
    }
    return status == TXTAP_OK ? put(recording, item, now) : status;
}

/* Begins another trace buffer, or a buffer that was set up again: the next items come from this buffer. */
static enum txtap_status begin_buffer(struct recording *recording, const struct txtap_header *header)
{
    enum txtap_status status = TXTAP_OK;

    if (has_triggers(recording)) /* before the new header, because entries of the old buffer may differ in byte order */
        status = put_history(recording);
    if (status == TXTAP_OK)
        status = overflow_flush(&recording->overflow);
    if (status == TXTAP_OK)
        status = write_events(recording);
    if (!object_blocks_set_registry(&recording->objects, recording->objects.registry))
        return failure(&recording->error, TXTAP_ERROR_SYSTEM, "no memory to record");
    recording->header = *header;
    return status == TXTAP_OK ? change_buffer(recording) : status;
}

enum txtap_status recording_take(void *self, const struct txtap_item *item)
{
    struct recording *recording = self;
    uint64_t now = recording->setup.now_us();

    if (item->kind == TXTAP_ITEM_RESTART)
        return begin_buffer(recording, &item->header);
    return has_triggers(recording) ? take_around_triggers(recording, item, now) : put(recording, item, now);
}

/* Returns true if the waiting events or samples have waited long enough. */
static bool is_old(const struct recording *recording, uint64_t now)
{
    return (recording->batch.count > 0 && now - recording->batch.first_us >= RECORDING_BLOCK_US) ||
           (recording->samples.count > 0 && now - recording->samples.first_us >= RECORDING_BLOCK_US);
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
        status = end_file(recording, next == TXTAP_END ? TXTAP_RECORDING_DONE : TXTAP_RECORDING_ROTATED);
    if (status == TXTAP_OK)
        status = name_failure(recording, next);
    return status == TXTAP_OK ? begin_file(recording, true) : status;
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
    recording->rotation.path = setup->config.path;
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
    txtap_interrupts_init(&recording->interrupts, setup->definitions);
    init_stream(recording);
    status = allocate(recording, registry)
                 ? name_failure(recording,
                                rotation_begin(&recording->rotation, recording->writeback_us,
                                               recording->writeback_us + wall_offset_us(setup->wall_us, setup->now_us)))
                 : failure(&recording->error, TXTAP_ERROR_SYSTEM, "no memory to record");
    if (status == TXTAP_OK)
        status = begin_file(recording, setup->config.force);
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
        status = end_file(recording, TXTAP_RECORDING_DONE);
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
