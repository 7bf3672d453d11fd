/* SPDX-License-Identifier: MIT */
/* The library knows what is missing between two files; here are the files. */
#include "file/recording_reader.h"
#include "txtap/inner/recording.h"

#include <inttypes.h>
#include <string.h>

/* ---- open ---- */

/* Goes through the files in their order. */
static enum txtap_status open_set(struct recording_reader *reader, struct input *input, struct error *error)
{
    struct recording_set *set = &reader->set;
    enum txtap_status status =
        recording_set_open(set, input->paths - 1, input->count + 1, &reader->notes, error); /* the first one is open */

    if (status != TXTAP_OK || !set->sorted)
        return status;
    reader->cut = set->cut;
    input_close(input);
    return input_open(input, set->paths, set->count, error);
}

/* The head of the next file in this input. */
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
    txtap_recording_joint_file(&reader->joint);
    return TXTAP_OK;
}

enum txtap_status recording_reader_open(struct recording_reader *reader, struct input *input, struct error *error)
{
    enum txtap_status status;

    memset(reader, 0, sizeof *reader);
    status = input->count > 0 ? open_set(reader, input, error) : TXTAP_OK;
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

/* Of one file the user knows that it is a part. */
static enum txtap_status end(struct recording_reader *reader)
{
    uint32_t earlier = txtap_recording_joint_earlier(&reader->joint);
    const char *name = reader->stream.input->name;

    if (reader->heads < 2)
        return TXTAP_END;
    if (earlier > 0)
        (void)failure(reading_notes_add(&reader->notes), TXTAP_END,
                      "%.120s: %" PRIu32 " file%s that the recording had before the first one here %s not given", name,
                      earlier, earlier > 1 ? "s" : "", earlier > 1 ? "are" : "is");
    if (reader->joint.goes_on)
        (void)failure(reading_notes_add(&reader->notes), TXTAP_END,
                      "%.120s: the recording goes on in another file, which is not given", name);
    reader->cut = reader->cut || earlier > 0 || reader->joint.goes_on;
    reader->heads = 0; /* told */
    return TXTAP_END;
}

/* The next input that begins as a recording. */
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

/* The next file in the same input, or in the next one. */
static enum txtap_status next_file(struct recording_reader *reader, struct error *error)
{
    struct error why = {0};
    enum txtap_status status;

    if (reader->stream.why != NULL) {
        stop(reader, reader->stream.why);
        return next_input(reader, error);
    }
    reader->before = reader->stream.input->name;
    status = begin_file(reader, &why);
    if (status == TXTAP_OK)
        return status;
    if (status == TXTAP_ERROR_FORMAT || status == TXTAP_ERROR_TRUNCATED)
        stop(reader, "the bytes behind its end are not a recording");
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
                       "%.100s: of another recording than %.100s\ngive the files of one recording", name, before);
    if (join == TXTAP_RECORDING_FOREIGN)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: file %" PRIu32 " in it is of another recording than file %" PRIu32
                       "\ngive the files of one recording",
                       name, reader->heads, reader->heads - 1);
    if (before != name)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.80s: begins with event %" PRIu64
                       ", before the end of %.80s\ngive the files of one recording, in their order",
                       name, reader->joint.from, before);
    return failure(error, TXTAP_ERROR_USAGE,
                   "%.120s: file %" PRIu32 " in it, from event %" PRIu64 " on, is older than file %" PRIu32
                   "\ngive the files by their names: txtap brings them into their order",
                   name, reader->heads, reader->joint.from, reader->heads - 1);
}

/* Has the recorder begun this file again since its start was read? */
static bool is_overwritten(const struct recording_reader *reader, const struct txtap_recording_item *item)
{
    const struct txtap_recording_start *start = &reader->set.starts[reader->file];

    return reader->set.sorted && start->has_file &&
           (item->file.id != start->file.id || item->file.number != start->file.number);
}

/* The block comes after a gap. Gives the gap first. */
static void give_gap(struct recording_reader *reader, const struct txtap_gap *gap, struct txtap_recording_block *block,
                     struct txtap_recording_item *item)
{
    size_t length = txtap_recording_put_gap(reader->gap, gap);

    reader->waits = block->type != TXTAP_RECORDING_FILE;
    reader->next_block = *block;
    reader->next_item = *item;
    *block = (struct txtap_recording_block){
        .type = TXTAP_RECORDING_GAP, .stored = reader->gap, .stored_bytes = length, .bytes = length};
    (void)txtap_recording_item(block, reader->gap, length, item);
}

/* TXTAP_AGAIN: the block is not for the caller. */
static enum txtap_status take(struct recording_reader *reader, struct txtap_recording_block *block,
                              struct txtap_recording_item *item, struct error *error)
{
    enum txtap_recording_join join;
    struct txtap_gap gap;

    if (block->type == TXTAP_RECORDING_FILE && is_overwritten(reader, item)) {
        enum txtap_status status;

        stop(reader, "it was overwritten while the recording was read");
        status = next_input(reader, error);
        return status == TXTAP_OK ? TXTAP_AGAIN : status;
    }
    join = txtap_recording_join(&reader->joint, item, &gap);
    if (join == TXTAP_RECORDING_BACK || join == TXTAP_RECORDING_FOREIGN)
        return refuse(reader, join, error);
    if (join == TXTAP_RECORDING_MISSES)
        give_gap(reader, &gap, block, item);
    return block->type == TXTAP_RECORDING_FILE ? TXTAP_AGAIN : TXTAP_OK;
}

/* The next block of a type that is known, with its item; of CTF, and of other types, without. */
static enum txtap_status next(struct recording_reader *reader, struct txtap_recording_block *block,
                              struct txtap_recording_item *item, struct error *error)
{
    enum txtap_status status;

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
