/* SPDX-License-Identifier: MIT */
/* Plays old blocks, too, because later events refer to their names and times. */
#include "follow/follow.h"

#include <stdlib.h>
#include <string.h>

#define OBJECTS_MAX    65536 /* most objects at one time */
#define RATE_WIDTH_MAX 0.05  /* a measured rate is used once its bounds are this close, relative to it */

static bool is_wider(const struct txtap_rate *a, const struct txtap_rate *b)
{
    return b->hz > 0 && (a->high - a->low) * b->hz > (b->high - b->low) * a->hz;
}

/* Takes the description of the recording from the block. A recorder that has just begun knows the rate only roughly. */
static void learn(struct follow *follow)
{
    const struct txtap_rate before = follow->identity.rate;
    const struct txtap_rate *rate = &follow->identity.rate;

    identity_take(&follow->identity, &follow->block);
    if (is_wider(rate, &before) || rate->high - rate->low > RATE_WIDTH_MAX * rate->hz)
        follow->identity.rate = before;
}

/* Reads the next block, and takes the facts about the recording from it. */
static enum txtap_status read_block(struct follow *follow, struct error *error)
{
    const struct block_stream *stream = &follow->reader.stream;
    enum txtap_status status = recording_reader_next(&follow->reader, &follow->block, error);

    follow->is_old = status == TXTAP_OK && stream->offset - stream->begun <= follow->input.existing_bytes;
    if (status == TXTAP_OK)
        learn(follow);
    return status;
}

/* Reads the blocks that describe the recording. The first block describes the buffer. */
static enum txtap_status read_description(struct follow *follow, struct error *error)
{
    enum txtap_status status = read_block(follow, error);

    if (status == TXTAP_OK)
        (void)txtap_recording_play(&follow->player, &follow->block, (struct txtap_sink){NULL, NULL});
    while (status == TXTAP_OK && (status = read_block(follow, error)) == TXTAP_OK) {
        if (follow->block.type == TXTAP_RECORDING_DEFINITIONS)
            follow->definitions = strdup(follow->block.definitions);
        else if (follow->block.type != TXTAP_RECORDING_RATE && follow->block.type != TXTAP_RECORDING_ABOUT &&
                 follow->block.type != TXTAP_RECORDING_MEANING)
            break;
    }
    return status;
}

enum txtap_status follow_open(struct follow *follow, const char *const *path, bool only_new,
                              const struct input_wait *wait, struct error *error)
{
    enum txtap_status status;

    memset(follow, 0, sizeof *follow);
    follow->only_new = only_new;
    follow->objects = calloc(OBJECTS_MAX, sizeof *follow->objects);
    if (follow->objects == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", *path);
    txtap_registry_init(&follow->registry, follow->objects, OBJECTS_MAX);
    txtap_recording_player_init(&follow->player, &follow->registry);
    follow->player.channels = &follow->channels;
    status = input_open_live(&follow->input, path, wait, error);
    if (status != TXTAP_OK) {
        free(follow->objects);
        return status;
    }
    if (follow->input.kind->prefix == NULL) /* other places are no files; the blocks that come describe them, too */
        identity_scan(&follow->identity, &follow->input.name, 1);
    status = recording_reader_open(&follow->reader, &follow->input, error);
    if (status == TXTAP_OK) {
        status = read_description(follow, error);
        if (status == TXTAP_OK)
            return status;
    }
    follow_close(follow);
    return status;
}

void follow_close(struct follow *follow)
{
    recording_reader_close(&follow->reader);
    input_close(&follow->input);
    identity_free(&follow->identity);
    free(follow->definitions);
    free(follow->objects);
}

enum txtap_status follow_step(struct follow *follow, struct txtap_sink sink, struct error *error)
{
    const struct txtap_sink to = follow->only_new && follow->is_old ? (struct txtap_sink){NULL, NULL} : sink;
    enum txtap_status status = txtap_recording_play(&follow->player, &follow->block, to);

    return status == TXTAP_OK ? read_block(follow, error) : status;
}
