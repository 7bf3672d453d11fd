/* SPDX-License-Identifier: MIT */
/* Reads all blocks of a subject, and joins the rows of a recording's files. */
#include "store/board_subjects.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "file/block_stream.h"
#include "input/input.h"
#include "nats/subjects.h"

#define NAME_BYTES 17 /* an identifier of 16 digits */

/* ---- rows ---- */

static bool continues(const struct store_file *file, const struct store_file *row)
{
    return row->recording != 0 && row->recording == file->recording && strcmp(row->build, file->build) == 0;
}

static void join(struct store_file *row, const struct store_file *file)
{
    row->bytes += file->bytes;
    row->until_us = file->until_us;
    row->events += file->events;
    row->lost += file->lost;
    row->exact = row->exact && file->exact;
    row->ended = file->ended;
    row->resets += file->resets;
    row->triggers += file->triggers;
    row->checks += file->checks;
    row->faults += file->faults;
}

/* Adds a file to the row of its recording, or as a new row. */
static enum txtap_status add_file(struct store_index *index, const struct store_file *file, const char *name,
                                  struct error *error)
{
    struct store_file *row = index->count > 0 ? &index->files[index->count - 1] : NULL;

    if (row != NULL && continues(file, row)) {
        join(row, file);
        return TXTAP_OK;
    }
    if (index->count == STORE_FILES_MAX)
        return failure(error, TXTAP_ERROR_SPACE, "%.160s: more than %u recordings\ngive --since", name,
                       STORE_FILES_MAX);
    row = store_index_add(index);
    if (row == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to list it", name);
    *row = *file;
    row->name = malloc(NAME_BYTES);
    if (row->name == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to list it", name);
    snprintf(row->name, NAME_BYTES, "%016" PRIx64, file->recording);
    return TXTAP_OK;
}

/* ---- a board ---- */

/* Reads the next file. TXTAP_END: it is after until_us. */
static enum txtap_status read_file(struct store_index *index, struct block_stream *stream, uint64_t until_us,
                                   struct error *error)
{
    struct store_file file = {.exact = true};
    struct error why = {0};
    enum txtap_status status = store_file_take(&file, stream, &why);

    if (stop_requested())
        return failure(error, ERROR_INTERRUPTED, "%.160s: interrupted", stream->input->name);
    if (status == TXTAP_ERROR_FORMAT) { /* damaged, or no recording of events */
        index->skipped++;
        return TXTAP_OK;
    }
    if (status != TXTAP_OK) {
        *error = why;
        return status;
    }
    file.bytes = stream->offset - stream->begun;
    return until_us > 0 && file.since_us > until_us ? TXTAP_END : add_file(index, &file, stream->input->name, error);
}

static enum txtap_status read_board(struct store_index *index, const char *place, uint64_t until_us,
                                    struct error *error)
{
    struct block_stream *stream = malloc(sizeof *stream);
    struct input input;
    enum txtap_status status = stream != NULL ? input_open(&input, &place, 1, error)
                                              : failure(error, TXTAP_ERROR_SYSTEM, "no memory to read a recording");

    if (status != TXTAP_OK) {
        free(stream);
        return status;
    }
    status = block_stream_open(stream, &input, error);
    while (status == TXTAP_OK) {
        status = read_file(index, stream, until_us, error);
        if (status == TXTAP_OK)
            status = input_next(&input, error);
        block_stream_restart(stream);
    }
    block_stream_close(stream);
    input_close(&input);
    free(stream);
    return status == TXTAP_END ? TXTAP_OK : status;
}

enum txtap_status board_subjects_open(struct board_folders *lab, const char *place, uint64_t since_us,
                                      uint64_t until_us, struct error *error)
{
    struct nats_subjects subjects;
    enum txtap_status status = nats_subjects_find(&subjects, place, since_us, error);

    *lab = (struct board_folders){.count = 0};
    for (size_t i = 0; i < subjects.count && status == TXTAP_OK; i++) {
        struct board_folder *board = board_folders_new(lab);

        if (board != NULL) {
            board->name = strdup(subjects.names[i] + subjects.fixed);
            board->path = nats_place_of(place, subjects.names[i], since_us);
        }
        status = board != NULL && board->name != NULL && board->path != NULL
                     ? read_board(&board->index, board->path, until_us, error)
                     : failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to list it", subjects.names[i]);
    }
    nats_subjects_free(&subjects);
    if (status != TXTAP_OK)
        board_folders_close(lab);
    return status;
}
