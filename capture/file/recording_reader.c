/* SPDX-License-Identifier: MIT */
/* Opens and reads the files of a recording. The library computes which events are missing between two files. */
#include "file/recording_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/recording.h"

#define AHEAD_BYTES (UINT32_C(16) << 20) /* most bytes of a file that are read twice */

/* ---- open ---- */

/* Sorts the files of the input, if possible, and opens the first file. */
static enum txtap_status open_set(struct recording_reader *reader, struct input *input, struct error *error)
{
    struct recording_set *set = &reader->set;
    enum txtap_status status =
        /* The input has opened the first file, so its `paths` begins with the second file. */
        recording_set_open(set, input->paths - 1, input->count + 1, input->board, &reader->notes, error);

    if (status != TXTAP_OK || !set->sorted)
        return status;
    reader->cut = set->cut;
    reader->board = input->board;
    if (reader->board && (reader->series = calloc(1, sizeof *reader->series)) == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
    input_close(input);
    return input_open(input, set->paths, set->count, error);
}

/* Opens the files of a live place, which come one after the other. */
static enum txtap_status open_live(struct recording_reader *reader, const struct input *input, struct error *error)
{
    reader->board = input->board;
    if (!reader->board || (reader->series = calloc(1, sizeof *reader->series)) != NULL)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
}

/* ---- where another recording of a board begins ---- */

/* The start of a file, and its first block of events if `any` is true. */
struct file_start {
    bool has_file, has_gap;
    uint64_t id;  /* of the file's recording */
    uint64_t gap; /* number of the first event that was lost before the events, if has_gap is true */
    struct txtap_header header;
    bool any;
    struct txtap_recording_item events;
};

/* Reads the start of a file up to the block that identifies it, or if `to_events` is true or the file is of another
 * recording, up to its first events. */
static void read_start(const struct recording_reader *reader, struct block_stream *stream, bool to_events,
                       struct file_start *start)
{
    const uint64_t most = stream->offset + AHEAD_BYTES;
    struct txtap_recording_block block;
    struct error unused = {0};

    while (!start->any && stream->offset < most && block_stream_next(stream, &block, &unused) == TXTAP_OK) {
        if (txtap_recording_item(&block, block.stored, block.stored_bytes, &start->events) != TXTAP_OK)
            continue;
        if (start->events.type == TXTAP_RECORDING_BUFFER)
            start->header = start->events.header;
        if (start->events.type == TXTAP_RECORDING_FILE) {
            start->has_file = true;
            start->id = start->events.file.id;
            if (start->id == reader->id && !to_events)
                return;
        }
        if (start->events.type == TXTAP_RECORDING_GAP && !start->has_gap) {
            start->has_gap = true;
            start->gap = start->events.gap.seq;
        }
        start->any = start->events.type == TXTAP_RECORDING_EVENTS;
    }
}

/* Finds out whether the present file of a board begins another recording, whose numbers depend on its first events.
 * Reads the start of the file, which is then read again. */
static enum txtap_status look_ahead(struct recording_reader *reader, struct error *error)
{
    struct block_stream *stream = malloc(sizeof *stream);
    struct input *input = reader->stream.input;
    struct file_start start = {.header.timer_mask = UINT32_MAX};

    if (stream == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
    *stream = reader->stream;
    input_keep_ahead(input);
    read_start(reader, stream, reader->unnumbered, &start);
    reader->changes = !start.has_file || start.id != reader->id;
    if (reader->changes || reader->unnumbered) {
        txtap_recording_series_next(reader->series, &start.header, start.any ? &start.events : NULL,
                                    start.has_gap ? start.gap : start.events.seq);
        reader->unnumbered = !start.any;
    }
    if (reader->changes)
        reader->joint = (struct txtap_recording_joint){.begun = false};
    input_rewind(input);
    free(stream);
    return TXTAP_OK;
}

/* Reads the head of the next file in this input. */
static enum txtap_status begin_file(struct recording_reader *reader, struct error *error)
{
    enum txtap_status status = block_stream_head(&reader->stream, error);

    if (status != TXTAP_OK)
        return status;
    if (reader->heads > 0 && reader->ctf != reader->stream.recording.ctf)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.160s: a recording of events and one of CTF\ngive the files of one recording",
                       reader->stream.input->name);
    reader->ctf = reader->stream.recording.ctf;
    reader->heads++;
    reader->changes = false;
    if (reader->board && reader->heads > 1)
        status = look_ahead(reader, error);
    txtap_recording_joint_file(&reader->joint);
    return status;
}

enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error)
{
    enum txtap_status status;

    memset(reader, 0, sizeof *reader);
    status = input->live        ? open_live(reader, input, error)
             : input->count > 0 ? open_set(reader, input, error)
                                : TXTAP_OK;
    if (status == TXTAP_OK)
        status = block_stream_open(&reader->stream, input, error);
    if (status == TXTAP_OK)
        status = begin_file(reader, error);
    if (status != TXTAP_OK)
        recording_reader_close(reader);
    return status;
}

void recording_reader_close(struct recording_reader *reader)
{
    block_stream_close(&reader->stream);
    recording_set_close(&reader->set);
    free(reader->series);
    reader->series = NULL;
}

/* ---- from file to file ---- */

static void stop(struct recording_reader *reader, const char *why)
{
    const struct block_stream *stream = &reader->stream;

    reader->cut = true;
    (void)failure(reading_notes_add(&reader->notes), TXTAP_END,
                  "%.120s: %s: read up to byte %" PRIu64 ", %" PRIu64 " whole blocks", stream->input->name, why,
                  stream->offset - stream->begun, stream->blocks);
}

/* Ends the reading with notes about missing files. Adds no note if the user gave only one file: it may be a part. */
static enum txtap_status end(struct recording_reader *reader)
{
    uint32_t earlier = txtap_recording_joint_earlier(&reader->joint);
    const char *name = reader->stream.input->name;

    if (reader->heads < 2 || reader->board) /* a board keeps the files that its owner wants to keep */
        return TXTAP_END;
    if (earlier > 0)
        (void)failure(reading_notes_add(&reader->notes), TXTAP_END,
                      "%.120s: %" PRIu32 " file%s of the recording before the first given file %s missing", name,
                      earlier, earlier > 1 ? "s" : "", earlier > 1 ? "are" : "is");
    if (reader->joint.goes_on)
        (void)failure(reading_notes_add(&reader->notes), TXTAP_END,
                      "%.120s: the recording continues in another file, which is missing", name);
    reader->cut = reader->cut || earlier > 0 || reader->joint.goes_on;
    reader->heads = 0; /* prevents adding the notes twice */
    return TXTAP_END;
}

/* Moves to the next input that begins as a recording. */
static enum txtap_status next_input(struct recording_reader *reader, struct error *error)
{
    struct error why = {0};
    enum txtap_status status;

    do {
        struct error *note = error_is_set(&why) ? reading_notes_add(&reader->notes) : NULL;

        if (note != NULL)
            *note = why;
        reader->cut = reader->cut || error_is_set(&why);
        error_clear(&why);
        reader->before = reader->stream.input->name;
        status = input_next(reader->stream.input, error);
        if (status != TXTAP_OK)
            return status == TXTAP_END ? end(reader) : status;
        reader->file++;
        block_stream_restart(&reader->stream);
        status = begin_file(reader, &why);
    } while (status == TXTAP_ERROR_FORMAT || status == TXTAP_ERROR_TRUNCATED);
    if (status < TXTAP_OK)
        *error = why;
    return status;
}

/* Moves to the next file in the same input, or in the next input. */
static enum txtap_status next_file(struct recording_reader *reader, struct error *error)
{
    struct error why = {0};
    enum txtap_status status;

    if (reader->board && reader->stream.no_end) /* it is still being written, or the gap after it tells the loss */
        return next_input(reader, error);
    if (reader->stream.why != NULL) {
        stop(reader, reader->stream.why);
        return next_input(reader, error);
    }
    reader->before = reader->stream.input->name;
    status = begin_file(reader, &why);
    if (status == TXTAP_OK)
        return status;
    if (status == TXTAP_ERROR_FORMAT || status == TXTAP_ERROR_TRUNCATED)
        stop(reader, "the bytes after its end are not a recording");
    else if (status != TXTAP_END) {
        *error = why;
        return status;
    }
    return next_input(reader, error);
}

/* ---- blocks ---- */

static enum txtap_status refuse(const struct recording_reader *reader, enum txtap_recording_join join,
                                struct error *error)
{
    const char *name = reader->stream.input->name, *before = reader->before;

    if (join == TXTAP_RECORDING_FOREIGN && before != name)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.100s: not of the same recording as %.100s\ngive the files of one recording", name, before);
    if (join == TXTAP_RECORDING_FOREIGN)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: file %" PRIu32 " in it is not of the same recording as file %" PRIu32
                       "\ngive the files of one recording",
                       name, reader->heads, reader->heads - 1);
    if (before != name)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.80s: begins with event %" PRIu64
                       ", before the end of %.80s\ngive the files of one recording, in their order",
                       name, reader->joint.from, before);
    return failure(error, TXTAP_ERROR_USAGE,
                   "%.120s: file %" PRIu32 " in it, from event %" PRIu64 " on, is older than file %" PRIu32
                   "\ngive the files by their names: txtap sorts them",
                   name, reader->heads, reader->joint.from, reader->heads - 1);
}

/* Returns true if the recorder has overwritten this file after recording_set_open() read its start. */
static bool is_overwritten(const struct recording_reader *reader, const struct txtap_recording_item *item)
{
    const struct txtap_recording_start *start = &reader->set.starts[reader->file];

    return reader->set.sorted && start->has_file &&
           (item->file.id != start->file.id || item->file.number != start->file.number);
}

/* Takes the next inserted block. */
static void take_inserted(struct recording_reader *reader, struct txtap_recording_block *block,
                          struct txtap_recording_item *item)
{
    const unsigned at = reader->inserted_at++;
    const size_t length = reader->inserted[at].length;

    *block = (struct txtap_recording_block){.type = reader->inserted[at].type,
                                            .stored = reader->inserted[at].payload,
                                            .stored_bytes = length,
                                            .bytes = length};
    (void)txtap_recording_item(block, block->stored, length, item);
    if (reader->inserted_at == reader->inserted_count)
        reader->inserted_at = reader->inserted_count = 0;
}

/* Inserts a block, whose payload the caller then fills and whose length it sets. Returns the payload. */
static uint8_t *insert(struct recording_reader *reader, enum txtap_recording_type type)
{
    reader->inserted[reader->inserted_count].type = type;
    return reader->inserted[reader->inserted_count++].payload;
}

static void insert_gap(struct recording_reader *reader, const struct txtap_gap *gap)
{
    uint8_t *payload = insert(reader, TXTAP_RECORDING_GAP);

    reader->inserted[reader->inserted_count - 1].length = txtap_recording_put_gap(payload, gap);
}

static void insert_mark(struct recording_reader *reader, enum txtap_mark_kind kind, uint64_t unix_us, const char *text)
{
    const struct txtap_mark mark = {kind, reader->series->next_seq, unix_us, text};
    uint8_t *payload = insert(reader, TXTAP_RECORDING_MARK);

    reader->inserted[reader->inserted_count - 1].length = txtap_recording_put_mark(payload, &mark);
}

/* Inserts the blocks between two recordings. buffer: the first block of the second recording. */
static void insert_change(struct recording_reader *reader, const struct txtap_recording_item *buffer)
{
    const struct txtap_gap gap = {.seq = reader->series->next_seq};

    insert_mark(reader, TXTAP_MARK_DETACHED, reader->series->newest_us, "the recording ends");
    if (reader->series->overlap == 0)
        insert_gap(reader, &gap);
    insert_mark(reader, TXTAP_MARK_ATTACHED, buffer->unix_us, "another recording begins");
}

/* Replaces the block by the first inserted block. follows: the block itself comes after the inserted blocks. */
static void give_inserted(struct recording_reader *reader, bool follows, struct txtap_recording_block *block,
                          struct txtap_recording_item *item)
{
    reader->waits = follows;
    reader->next_block = *block;
    reader->next_item = *item;
    take_inserted(reader, block, item);
}

/* Changes a board's block to the numbers of its series. TXTAP_AGAIN: the block was in the recording before. */
static enum txtap_status change(struct recording_reader *reader, struct txtap_recording_block *block,
                                struct txtap_recording_item *item)
{
    uint8_t *plain = reader->stream.plain;

    if (!reader->board)
        return TXTAP_OK;
    if (block->stored != plain) {
        memcpy(plain, block->stored, block->stored_bytes);
        block->stored = plain;
        (void)txtap_recording_item(block, plain, block->stored_bytes, item);
    }
    return txtap_recording_series_take(reader->series, block, plain, item);
}

/* Takes a block, and finds out whether a gap precedes it. TXTAP_AGAIN: skip this block, and read the next block. */
static enum txtap_status take(struct recording_reader *reader, struct txtap_recording_block *block,
                              struct txtap_recording_item *item, struct error *error)
{
    enum txtap_recording_join join;
    enum txtap_status status;
    struct txtap_gap gap;

    if (block->type == TXTAP_RECORDING_FILE && is_overwritten(reader, item)) {
        stop(reader, "it was overwritten while the recording was read");
        status = next_input(reader, error);
        return status == TXTAP_OK ? TXTAP_AGAIN : status;
    }
    if (reader->changes && block->type == TXTAP_RECORDING_BUFFER) {
        insert_change(reader, item);
        reader->changes = false;
    }
    if (block->type == TXTAP_RECORDING_FILE)
        reader->id = item->file.id;
    join = txtap_recording_join(&reader->joint, item, &gap);
    if (join == TXTAP_RECORDING_BACK || join == TXTAP_RECORDING_FOREIGN)
        return refuse(reader, join, error);
    if (join == TXTAP_RECORDING_MISSES) {
        gap.seq += reader->board ? reader->series->add_seq : 0;
        insert_gap(reader, &gap);
    }
    status = change(reader, block, item);
    if (status < TXTAP_OK)
        return status;
    if (block->type == TXTAP_RECORDING_FILE)
        status = TXTAP_AGAIN;
    if (reader->inserted_count == 0)
        return status;
    give_inserted(reader, status == TXTAP_OK, block, item);
    return TXTAP_OK;
}

/* Gets the next block, and its item. Blocks of CTF and of unknown types have no item. */
static enum txtap_status next(struct recording_reader *reader, struct txtap_recording_block *block,
                              struct txtap_recording_item *item, struct error *error)
{
    enum txtap_status status;

    if (reader->inserted_count > 0) {
        take_inserted(reader, block, item);
        return TXTAP_OK;
    }
    if (reader->waits) {
        reader->waits = false;
        *block = reader->next_block;
        *item = reader->next_item;
        return TXTAP_OK;
    }
    do {
        status = block_stream_next(&reader->stream, block, error);
        if (status == TXTAP_OK) {
            if (reader->stream.recording.ctf)
                return TXTAP_OK;
            status = txtap_recording_item(block, block->stored, block->stored_bytes, item);
            if (status == TXTAP_AGAIN)
                return TXTAP_OK;
        }
        if (status == TXTAP_OK) {
            status = take(reader, block, item, error);
        } else if (status == TXTAP_END || status == TXTAP_ERROR_FORMAT) {
            reader->stream.why = status == TXTAP_END ? reader->stream.why : "a block is malformed";
            status = next_file(reader, error);
            status = status == TXTAP_OK ? TXTAP_AGAIN : status;
        }
    } while (status == TXTAP_AGAIN);
    return status;
}

enum txtap_status recording_reader_block(struct recording_reader *reader, struct txtap_recording_block *block,
                                         struct error *error)
{
    struct txtap_recording_item item;

    return next(reader, block, &item, error);
}

enum txtap_status recording_reader_next(struct recording_reader *reader, struct txtap_recording_item *item,
                                        struct error *error)
{
    struct txtap_recording_block block;
    enum txtap_status status;

    if (reader->ctf)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.160s: a recording of CTF, which has no entries of a ring\nuse 'txtap view'",
                       reader->stream.input->name);
    do {
        status = next(reader, &block, item, error);
    } while (status == TXTAP_OK && (unsigned)item->type != block.type);
    return status;
}
