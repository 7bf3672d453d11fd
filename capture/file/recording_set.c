/* SPDX-License-Identifier: MIT */
/* Reads the start of each file, and sorts the files in the order in which they were written. */
#include "file/recording_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/block_stream.h"

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

/* Keeps the sorted files, without files that another file contains. */
static enum txtap_status keep(struct recording_set *set, struct reading_notes *notes, struct error *error)
{
    const char **given = set->paths, **paths = calloc(set->count, sizeof *paths);
    size_t kept = 0;

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

static enum txtap_status sort(struct recording_set *set, struct error *error)
{
    size_t a = 0, b = 0;

    if (txtap_recording_sort(set->starts, set->count, &a, &b) == TXTAP_OK)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_USAGE,
                   "%.100s: not of the same recording as %.100s\ngive the files of one recording", set->paths[b],
                   set->paths[a]);
}

/* ---- the recordings of a board ---- */

static int by_recording(const void *first, const void *second)
{
    const struct txtap_recording_start *a = first, *b = second;

    if (a->file.id != b->file.id)
        return a->file.id < b->file.id ? -1 : 1;
    return (a->file.number > b->file.number) - (a->file.number < b->file.number);
}

/* The files of a recording. */
struct group {
    size_t first, count; /* indexes in recording_set.starts */
    uint64_t begun_us;   /* when the first of these files was begun */
};

static int by_time(const void *first, const void *second)
{
    const struct group *a = first, *b = second;

    if (a->begun_us != b->begun_us)
        return a->begun_us < b->begun_us ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Finds the groups of files that are sorted by recording. Returns their number. */
static size_t find_groups(const struct recording_set *set, struct group *groups)
{
    size_t count = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (i == 0 || set->starts[i].file.id != set->starts[i - 1].file.id)
            groups[count++] = (struct group){.first = i, .begun_us = set->starts[i].unix_us};
        groups[count - 1].count++;
    }
    return count;
}

static enum txtap_status sort_board(struct recording_set *set, struct error *error)
{
    struct txtap_recording_start *sorted = calloc(set->count, sizeof *sorted);
    struct group *groups = calloc(set->count, sizeof *groups);
    size_t count, at = 0, a, b;

    if (sorted == NULL || groups == NULL) {
        free(sorted);
        free(groups);
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", set->paths[0]);
    }
    qsort(set->starts, set->count, sizeof *set->starts, by_recording);
    count = find_groups(set, groups);
    qsort(groups, count, sizeof *groups, by_time);
    for (size_t i = 0; i < count; i++) {
        memcpy(sorted + at, set->starts + groups[i].first, groups[i].count * sizeof *sorted);
        (void)txtap_recording_sort(sorted + at, groups[i].count, &a, &b); /* files with the same id are akin */
        at += groups[i].count;
    }
    free(groups);
    free(set->starts);
    set->starts = sorted;
    return TXTAP_OK;
}

static enum txtap_status check_numbers(const struct recording_set *set, struct error *error)
{
    for (size_t i = 0; i < set->count; i++)
        if (!set->starts[i].has_file)
            return failure(error, TXTAP_ERROR_USAGE,
                           "%.160s: recorded by an old txtap, which did not number recordings\ngive it alone",
                           set->paths[set->starts[i].index]);
    return TXTAP_OK;
}

void recording_set_close(struct recording_set *set)
{
    free(set->paths);
    free(set->starts);
    *set = (struct recording_set){0};
}

enum txtap_status recording_set_open(struct recording_set *set, const char *const *paths, size_t count, bool board,
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
        if (status == TXTAP_OK && board)
            status = check_numbers(set, error);
        if (status == TXTAP_OK)
            status = board ? sort_board(set, error) : sort(set, error);
        if (status == TXTAP_OK)
            status = keep(set, notes, error);
    }
    free(stream);
    if (status != TXTAP_OK)
        recording_set_close(set);
    return status;
}
