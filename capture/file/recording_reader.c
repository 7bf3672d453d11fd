/* SPDX-License-Identifier: MIT */
/* Opens and reads the files of a recording. The library computes which events are missing between two files. */
#include "file/recording_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/compress.h"
#include "txtap/inner/recording.h"

/* ---- a stream of blocks ---- */

/* Opens a stream. `input` is borrowed, and must be open at its first byte. TXTAP_ERROR_SYSTEM: no memory. On success
 * the caller closes the stream. */
static enum txtap_status block_stream_open(struct block_stream *stream, struct input *input, struct error *error)
{
    memset(stream, 0, sizeof *stream);
    stream->input = input;
    stream->compressor = compressor_new(COMPRESS_LEVEL_DEFAULT);
    if (stream->compressor)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
}

static void block_stream_close(struct block_stream *stream)
{
    compressor_free(stream->compressor);
    stream->compressor = NULL;
}

/* Drops the bytes that are still in the buffer. Call it after `input` has moved on to another file. */
static void block_stream_restart(struct block_stream *stream)
{
    stream->offset += stream->used - stream->at;
    stream->at = stream->used = 0;
    stream->begun = stream->offset;
    stream->blocks = 0;
}

/* Ensures that `wanted` bytes are available at buffer + at. TXTAP_END: the stream has fewer bytes. */
static enum txtap_status fill(struct block_stream *stream, size_t wanted, struct error *error)
{
    if (stream->used - stream->at >= wanted)
        return TXTAP_OK;
    memmove(stream->buffer, stream->buffer + stream->at, stream->used - stream->at);
    stream->used -= stream->at;
    stream->at = 0;
    while (stream->used < wanted) {
        ssize_t got =
            input_read(stream->input, stream->buffer + stream->used, sizeof stream->buffer - stream->used, error);

        if (got < 0)
            return error->status;
        if (got == 0)
            return TXTAP_END;
        stream->used += (size_t)got;
    }
    return TXTAP_OK;
}

static void skip(struct block_stream *stream, size_t length)
{
    stream->at += length;
    stream->offset += length;
}

/* Reads the head of a recording. TXTAP_END: the stream has no more bytes. TXTAP_ERROR_TRUNCATED: the head is not
 * complete. TXTAP_ERROR_FORMAT: the bytes are not a head, or the version is too new. TXTAP_ERROR_SYSTEM: the stream
 * cannot be read. On failure error has the cause. */
static enum txtap_status block_stream_head(struct block_stream *stream, struct error *error)
{
    enum txtap_status status = fill(stream, TXTAP_RECORDING_HEAD_BYTES, error);
    const char *name = stream->input->name;

    if (status == TXTAP_END && stream->used == stream->at && stream->offset > stream->begun)
        return TXTAP_END;
    if (status == TXTAP_END)
        return failure(error, TXTAP_ERROR_TRUNCATED,
                       "%.160s: a recording that ends within its first %u bytes: nothing was recorded yet", name,
                       TXTAP_RECORDING_HEAD_BYTES);
    if (status != TXTAP_OK)
        return status;
    status = txtap_recording_open(&stream->recording, stream->buffer + stream->at);
    if (status == TXTAP_ERROR_USAGE)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording of a later version\nuse a newer txtap", name);
    if (status != TXTAP_OK)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a recording whose head is damaged: copy it again", name);
    skip(stream, TXTAP_RECORDING_HEAD_BYTES);
    return TXTAP_OK;
}

static enum txtap_status end_stream(struct block_stream *stream, const char *why)
{
    stream->why = why;
    return TXTAP_END;
}

static enum txtap_status end_short(struct block_stream *stream)
{
    return end_stream(stream, stream->used > stream->at
                                  ? "cut within a block"
                                  : "it has no end: it is still being written, or its writing was interrupted");
}

/* Reads and decompresses the next block of any type. The block is valid until the next call. TXTAP_END: the recording
 * has no more complete blocks; stream->why has the reason. TXTAP_ERROR_SYSTEM: the stream cannot be read. */
static enum txtap_status block_stream_next(struct block_stream *stream, struct txtap_recording_block *block,
                                           struct error *error)
{
    enum txtap_status status;
    size_t needed;

    while ((status = txtap_recording_block(&stream->recording, stream->buffer + stream->at, stream->used - stream->at,
                                           block, &needed)) == TXTAP_AGAIN) {
        status = fill(stream, needed, error);
        if (status != TXTAP_OK)
            return status == TXTAP_END ? end_short(stream) : status;
    }
    if (status == TXTAP_END)
        return end_stream(stream, NULL);
    if (status != TXTAP_OK)
        return end_stream(stream, "damaged");
    skip(stream, needed);
    stream->blocks++;
    if (!block->compressed)
        return TXTAP_OK;
    if (!compressor_unpack(stream->compressor, stream->plain, block->bytes, block->stored, block->stored_bytes))
        return end_stream(stream, "the compressed bytes of a block are damaged");
    block->compressed = false;
    block->stored = stream->plain;
    block->stored_bytes = block->bytes;
    return TXTAP_OK;
}

/* ---- the first blocks of a file of a set ---- */

static enum txtap_status read_blocks(struct block_stream *stream, struct txtap_recording_start *start,
                                     struct error *error)
{
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    enum txtap_status status;
    bool enough = false;

    while (!enough && (status = block_stream_next(stream, &block, error)) == TXTAP_OK)
        if (txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK)
            enough = txtap_recording_start_take(start, &item);
    return enough || status == TXTAP_END ? TXTAP_OK : status;
}

/*
 * Reads the start of a file. TXTAP_ERROR_USAGE: the file does not belong in the set. TXTAP_ERROR_SYSTEM: the file
 * cannot be read. After other errors the file can be left out, because it contains no complete block.
 */
static enum txtap_status look(struct block_stream *stream, const char *path, struct txtap_recording_start *start,
                              struct error *error)
{
    struct input input;
    enum txtap_status status = input_open(&input, &path, 1, error);

    if (status != TXTAP_OK)
        return status;
    if (input.head_bytes > 0 && !txtap_recording_signature(input.head, input.head_bytes) &&
        input.head_bytes >= TXTAP_RECORDING_HEAD_BYTES)
        status =
            failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\nseveral files must be of one recording", path);
    if (status == TXTAP_OK)
        status = block_stream_open(stream, &input, error);
    if (status == TXTAP_OK) {
        status = block_stream_head(stream, error);
        if (status == TXTAP_OK && stream->recording.ctf)
            status = failure(error, TXTAP_ERROR_USAGE, "%.160s: a recording of CTF\ngive it alone", path);
        if (status == TXTAP_OK)
            status = read_blocks(stream, start, error);
        block_stream_close(stream);
    }
    input_close(&input);
    return status;
}

/* ---- all files of a set ---- */

static bool are_regular(struct recording_set *set)
{
    struct stat about;

    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->paths[i], "-") == 0 || stat(set->paths[i], &about) != 0 || !S_ISREG(about.st_mode))
            return false;
        set->starts[i].bytes = (uint64_t)about.st_size;
    }
    return true;
}

/* Reads the start of each file. Drops files without a complete block. */
static enum txtap_status look_at_all(struct recording_set *set, struct block_stream *stream,
                                     struct reading_notes *notes, struct error *error)
{
    struct error first = {0};
    size_t left = 0;

    for (size_t i = 0; i < set->count; i++) {
        struct txtap_recording_start *start = &set->starts[i];
        struct error why = {0}, *note;
        enum txtap_status status = look(stream, set->paths[i], start, &why);

        if (status == TXTAP_ERROR_USAGE || status == TXTAP_ERROR_SYSTEM || status == ERROR_INTERRUPTED) {
            *error = why;
            return status;
        }
        if (status == TXTAP_OK && !start->has_buffer)
            status = failure(&why, TXTAP_ERROR_TRUNCATED, "%.160s: it has no whole block", set->paths[i]);
        start->index = i;
        if (status == TXTAP_OK) {
            set->starts[left++] = *start;
            continue;
        }
        set->cut = true;
        first = error_is_set(&first) ? first : why;
        if ((note = reading_notes_add(notes)) != NULL)
            *note = why;
    }
    set->count = left;
    if (left > 0)
        return TXTAP_OK;
    *error = first;
    return first.status;
}

static void note_twice(const char *path, const struct txtap_recording_start *kept, const char *kept_path,
                       const struct txtap_recording_start *again, struct reading_notes *notes)
{
    if (again->bytes == kept->bytes)
        (void)failure(reading_notes_add(notes), TXTAP_END,
                      "%.100s: the same file of the recording as %.100s: it is read once", path, kept_path);
    else
        (void)failure(reading_notes_add(notes), TXTAP_END,
                      "%.100s: cut: %.100s is the same file of the recording with more data: it is read instead", path,
                      kept_path);
}

static enum txtap_status sort(struct recording_set *set, struct reading_notes *notes, struct error *error)
{
    const char **given = set->paths, **paths;
    size_t a = 0, b = 0, kept = 0;

    if (txtap_recording_sort(set->starts, set->count, &a, &b) != TXTAP_OK)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.100s: not of the same recording as %.100s\ngive the files of one recording", given[b],
                       given[a]);
    paths = calloc(set->count, sizeof *paths);
    if (paths == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", given[0]);
    for (size_t i = 0; i < set->count; i++) {
        if (set->starts[i].again) {
            note_twice(given[set->starts[i].index], &set->starts[kept - 1], paths[kept - 1], &set->starts[i], notes);
            continue;
        }
        paths[kept] = given[set->starts[i].index];
        set->starts[kept++] = set->starts[i];
    }
    free(given);
    set->paths = paths;
    set->count = kept;
    set->sorted = true;
    return TXTAP_OK;
}

static void recording_set_close(struct recording_set *set)
{
    free(set->paths);
    free(set->starts);
    *set = (struct recording_set){0};
}

/*
 * Opens `count` files; `paths` is borrowed. Drops repeated files and files without a complete block, and adds a note
 * for each dropped file. TXTAP_ERROR_USAGE: the files do not belong to one recording. Other errors: a file cannot be
 * read, or no file has a complete block. After success the caller closes the set.
 */
static enum txtap_status recording_set_open(struct recording_set *set, const char *const *paths, size_t count,
                                            struct reading_notes *notes, struct error *error)
{
    struct block_stream *stream = malloc(sizeof *stream);
    enum txtap_status status = TXTAP_OK;

    *set = (struct recording_set){
        .paths = calloc(count, sizeof *set->paths), .starts = calloc(count, sizeof *set->starts), .count = count};
    if (stream == NULL || set->paths == NULL || set->starts == NULL)
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", paths[0]);
    else
        memcpy(set->paths, paths, count * sizeof *paths);
    if (status == TXTAP_OK && are_regular(set)) {
        status = look_at_all(set, stream, notes, error);
        if (status == TXTAP_OK)
            status = sort(set, notes, error);
    }
    free(stream);
    if (status != TXTAP_OK)
        recording_set_close(set);
    return status;
}

/* ---- open ---- */

/* Sorts the files of the input, if possible, and opens the first file. */
static enum txtap_status open_set(struct recording_reader *reader, struct input *input, struct error *error)
{
    struct recording_set *set = &reader->set;
    enum txtap_status status =
        /* The input has opened the first file, so its `paths` begins with the second file. */
        recording_set_open(set, input->paths - 1, input->count + 1, &reader->notes, error);

    if (status != TXTAP_OK || !set->sorted)
        return status;
    reader->cut = set->cut;
    input_close(input);
    return input_open(input, set->paths, set->count, error);
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

/* Ends the reading with notes about missing files. Adds no note if the user gave only one file: it may be a part. */
static enum txtap_status end(struct recording_reader *reader)
{
    uint32_t earlier = txtap_recording_joint_earlier(&reader->joint);
    const char *name = reader->stream.input->name;

    if (reader->heads < 2)
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

/* Replaces the block by the gap that precedes it. The block follows at the next call of next(). */
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

/* Takes a block, and finds out whether a gap precedes it. TXTAP_AGAIN: skip this block, and read the next block. */
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

/* Gets the next block, and its item. Blocks of CTF and of unknown types have no item. */
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
