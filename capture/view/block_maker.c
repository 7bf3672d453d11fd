/* SPDX-License-Identifier: MIT */
/* Makes the same blocks as the recorder, but sooner, and for memory instead of files. */
#include "view/block_maker.h"

#include <string.h>

#include "base/runtime.h"
#include "txtap/inner/recording.h"

static void put(struct block_maker *maker, const struct ring_block *block)
{
    block_ring_put(maker->setup.ring, block);
    maker->put = true;
}

static enum txtap_status put_block(void *self, enum txtap_recording_type type, const uint8_t *payload, size_t length)
{
    put(self, &(struct ring_block){.type = type, .payload = payload, .bytes = length});
    return TXTAP_OK;
}

/* Puts the waiting samples and events. Each sample comes before the event with its seq. */
static void put_events(struct block_maker *maker)
{
    struct event_batch *batch = &maker->batch;
    struct ring_block block = {
        .type = TXTAP_RECORDING_EVENTS, .payload = batch->payload, .seq = batch->first_seq, .lost = batch->count};

    (void)sample_batch_write(&maker->samples, maker->payload, put_block, maker);
    if (batch->count == 0)
        return;
    block.bytes = event_batch_payload(batch, wall_offset_us(maker->setup.wall_us, maker->setup.now_us));
    if (event_words_bytes(&batch->words, NULL) > 0) {
        block.words = maker->words;
        block.words_bytes = event_words_take(&batch->words, maker->words);
    }
    put(maker, &block);
    batch->count = 0;
}

static enum txtap_status put_objects(void *self, const uint8_t *payload, size_t length)
{
    return put_block(self, TXTAP_RECORDING_OBJECTS, payload, length);
}

/* Puts names. If `fresh` is true, puts all names; otherwise only names that changed. */
static void put_names(struct block_maker *maker, bool fresh)
{
    const struct object_blocks_choice choice = {.fresh = fresh};

    (void)object_blocks_write(&maker->objects, &choice, maker->payload, put_objects, maker);
}

static void put_buffer(struct block_maker *maker, const struct txtap_header *header)
{
    const struct block_maker_setup *setup = &maker->setup;
    struct ring_block block = {.type = TXTAP_RECORDING_BUFFER, .payload = maker->payload};

    block.bytes = txtap_recording_put_buffer(maker->payload, header, setup->wall_us(),
                                             setup->firmware != NULL ? setup->firmware : "");
    put(maker, &block);
    if (setup->definitions != NULL) {
        block.type = TXTAP_RECORDING_DEFINITIONS;
        block.bytes = txtap_recording_put_definitions(maker->payload, setup->definitions);
        put(maker, &block);
    }
    put_names(maker, true);
}

static enum txtap_status put_ctf(void *self, const struct ctf_block *ctf)
{
    put(self, &(struct ring_block){.type = TXTAP_RECORDING_CTF,
                                   .payload = ctf->payload,
                                   .bytes = ctf->bytes,
                                   .seq = ctf->seq,
                                   .lost = ctf->records});
    return TXTAP_OK;
}

bool block_maker_open(struct block_maker *maker, const struct block_maker_setup *setup,
                      const struct txtap_header *header, const struct txtap_registry *registry)
{
    memset(maker, 0, sizeof *maker);
    maker->setup = *setup;
    if (!object_blocks_set_registry(&maker->objects, registry))
        return false;
    if (setup->layout != NULL)
        ctf_blocks_open(&maker->ctf, setup->layout, (struct ctf_blocks_sink){put_ctf, maker});
    else
        put_buffer(maker, header);
    return true;
}

void block_maker_close(struct block_maker *maker)
{
    object_blocks_free(&maker->objects);
}

/* ---- the sink ---- */

static void take_event(struct block_maker *maker, const struct txtap_event *event)
{
    const struct event_batch_limits limits = {
        .age_us = BLOCK_MAKER_US, .bytes = UINT64_MAX, .period = maker->setup.clock->period};
    uint64_t now = maker->setup.now_us();

    if (object_blocks_changed(&maker->objects)) { /* names must precede the events that are shown with them */
        put_events(maker);
        put_names(maker, false);
    }
    if (maker->batch.count > 0 && !event_batch_fits(&maker->batch, event, now, &limits))
        put_events(maker);
    event_batch_add(&maker->batch, event, now);
}

static void take_sample(struct block_maker *maker, const struct txtap_sample *sample)
{
    uint64_t now = maker->setup.now_us();

    if (sample_batch_add(&maker->samples, sample, now))
        return;
    put_events(maker);
    (void)sample_batch_add(&maker->samples, sample, now);
}

/* Returns the sequence number for a block. For CTF, items count bytes, but the recording counts records. */
static uint64_t seq_of(const struct block_maker *maker, uint64_t seq)
{
    return maker->setup.layout != NULL ? ctf_blocks_seq(&maker->ctf) : seq;
}

static void take_gap(struct block_maker *maker, struct txtap_gap gap)
{
    struct ring_block block = {.type = TXTAP_RECORDING_GAP,
                               .payload = maker->payload,
                               .lost = gap.lost,
                               .inexact = !gap.exact,
                               .estimate = gap.estimate};

    put_events(maker);
    block.seq = gap.seq = seq_of(maker, gap.seq);
    block.bytes = txtap_recording_put_gap(maker->payload, &gap);
    put(maker, &block);
}

static void take_mark(struct block_maker *maker, struct txtap_mark mark)
{
    struct ring_block block = {.type = TXTAP_RECORDING_MARK, .payload = maker->payload};

    put_events(maker);
    mark.seq = seq_of(maker, mark.seq);
    block.bytes = txtap_recording_put_mark(maker->payload, &mark);
    put(maker, &block);
}

static enum txtap_status take_restart(struct block_maker *maker, const struct txtap_header *header)
{
    if (maker->setup.layout != NULL) {
        ctf_blocks_restart(&maker->ctf);
        return TXTAP_OK;
    }
    put_events(maker);
    if (!object_blocks_set_registry(&maker->objects, maker->objects.registry))
        return TXTAP_ERROR_SYSTEM;
    put_buffer(maker, header);
    return TXTAP_OK;
}

enum txtap_status block_maker_take(void *self, const struct txtap_item *item)
{
    struct block_maker *maker = self;

    switch (item->kind) {
    case TXTAP_ITEM_EVENT:
        take_event(maker, &item->event);
        return TXTAP_OK;
    case TXTAP_ITEM_GAP:
        take_gap(maker, item->gap);
        return TXTAP_OK;
    case TXTAP_ITEM_MARK:
        take_mark(maker, item->mark);
        return TXTAP_OK;
    case TXTAP_ITEM_RESTART:
        return take_restart(maker, &item->header);
    case TXTAP_ITEM_BYTES:
        if (maker->setup.layout != NULL)
            return ctf_blocks_take(&maker->ctf, item->bytes.at, item->bytes.length);
        break;
    case TXTAP_ITEM_SAMPLE:
        take_sample(maker, &item->sample);
        return TXTAP_OK;
    }
    return TXTAP_OK;
}

bool block_maker_step(struct block_maker *maker)
{
    uint64_t now = maker->setup.now_us();
    bool put_something;

    if ((maker->batch.count > 0 && now - maker->batch.first_us >= BLOCK_MAKER_US) ||
        (maker->samples.count > 0 && now - maker->samples.first_us >= BLOCK_MAKER_US))
        put_events(maker);
    put_something = maker->put;
    maker->put = false;
    return put_something;
}

uint64_t block_maker_records(const struct block_maker *maker)
{
    return seq_of(maker, 0);
}

void block_maker_end(struct block_maker *maker)
{
    put_events(maker);
    block_ring_end(maker->setup.ring, maker->setup.wall_us());
}
