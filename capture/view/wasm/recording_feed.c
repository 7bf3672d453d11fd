/* SPDX-License-Identifier: MIT */
/* Collects bytes until a head or a block is complete. The library knows the layout. */
#include "view/wasm/recording_feed.h"

#include <string.h>

/* Result of a step. */
enum step { STEP_DONE, STEP_MORE, STEP_ENOUGH, STEP_FAILED };

static const char compressed[] =
    "its blocks are compressed: open it with 'txtap view FILE', or write a page of it with "
    "'txtap view -o page.html FILE'";

static void forget(struct recording_feed *feed, size_t length)
{
    memmove(feed->bytes, feed->bytes + length, feed->used - length);
    feed->used -= length;
    feed->offset += length;
}

/* Takes the head. If it returns MORE, *needed is the number of bytes needed from the start on. */
static enum step take_head(struct recording_feed *feed, size_t *needed, const char **why)
{
    enum txtap_status status;

    *needed = TXTAP_RECORDING_HEAD_BYTES;
    if (feed->used < *needed)
        return STEP_MORE;
    status = txtap_recording_open(&feed->recording, feed->bytes);
    if (status != TXTAP_OK) {
        *why = feed->between                 ? "the bytes after its end are not a recording"
               : status == TXTAP_ERROR_USAGE ? "a recording of a later version: use a newer txtap"
                                             : "its head is damaged: copy it again";
        return STEP_FAILED;
    }
    feed->has_head = true;
    feed->between = false;
    feed->heads++;
    txtap_recording_joint_file(&feed->joint);
    forget(feed, TXTAP_RECORDING_HEAD_BYTES);
    return STEP_DONE;
}

/* Gives the block to the sink, preceded by a gap if there is a gap before it. */
static enum step give(struct recording_feed *feed, struct recording_feed_sink sink,
                      const struct txtap_recording_item *item, const char **why)
{
    struct txtap_recording_item gap = {.type = TXTAP_RECORDING_GAP};

    enum txtap_recording_join join =
        feed->recording.ctf ? TXTAP_RECORDING_FOLLOWS : txtap_recording_join(&feed->joint, item, &gap.gap);

    feed->refused = join == TXTAP_RECORDING_BACK || join == TXTAP_RECORDING_FOREIGN;
    switch (join) {
    case TXTAP_RECORDING_FOLLOWS:
        break;
    case TXTAP_RECORDING_MISSES:
        if (!sink.take(sink.self, &gap))
            return STEP_ENOUGH;
        break;
    case TXTAP_RECORDING_BACK:
        *why = "an earlier file of the recording follows a later one: what follows is not read";
        return STEP_FAILED;
    case TXTAP_RECORDING_FOREIGN:
        *why = "a file of another recording follows: what follows is not read";
        return STEP_FAILED;
    }
    return sink.take(sink.self, item) ? STEP_DONE : STEP_ENOUGH;
}

static enum step take_block(struct recording_feed *feed, struct recording_feed_sink sink, size_t *needed,
                            const char **why)
{
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    enum txtap_status status = txtap_recording_block(&feed->recording, feed->bytes, feed->used, &block, needed);
    enum step step = STEP_DONE;

    if (status == TXTAP_END) {
        feed->has_head = false;
        feed->between = true;
        return STEP_DONE;
    }
    if (status == TXTAP_AGAIN)
        return STEP_MORE;
    if (status == TXTAP_OK && block.compressed) {
        *why = compressed;
        return STEP_FAILED;
    }
    if (status == TXTAP_OK)
        status = txtap_recording_item(&block, block.stored, block.stored_bytes, &item);
    if (status < TXTAP_OK) {
        *why = "a block is damaged: what follows cannot be read";
        return STEP_FAILED;
    }
    if (status == TXTAP_OK)
        step = give(feed, sink, &item, why);
    forget(feed, *needed);
    return step;
}

const char *recording_feed_take(struct recording_feed *feed, const uint8_t *bytes, size_t length,
                                struct recording_feed_sink sink)
{
    const char *why = NULL;
    enum step step = STEP_DONE;
    size_t needed = 0;

    while (step == STEP_DONE) {
        step = feed->has_head ? take_block(feed, sink, &needed, &why) : take_head(feed, &needed, &why);
        if (step == STEP_MORE && length > 0) {
            size_t more = needed - feed->used < length ? needed - feed->used : length;

            memcpy(feed->bytes + feed->used, bytes, more);
            feed->used += more;
            bytes += more;
            length -= more;
            step = STEP_DONE;
        }
    }
    return why;
}

const char *recording_feed_next(struct recording_feed *feed)
{
    const char *missing = recording_feed_end(feed);

    feed->offset += feed->used;
    feed->used = 0;
    feed->has_head = false;
    feed->between = false;
    return missing;
}

const char *recording_feed_end(const struct recording_feed *feed)
{
    if (!feed->has_head && feed->used == 0 && feed->between)
        return NULL;
    if (feed->offset == 0 && feed->used > 0 && !feed->has_head)
        return "a recording that ends within its first bytes: nothing was recorded yet";
    if (feed->has_head && feed->recording.ended && feed->used == 0)
        return NULL;
    return feed->used > 0 ? "cut within a block"
                          : "it has no end: it is still being written, or its writing was interrupted";
}
