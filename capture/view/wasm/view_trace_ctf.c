/* SPDX-License-Identifier: MIT */
/* A recording of CTF. The library translates each of its records into one event, as for 'txtap report'. A stored event
 * has the translation in its entry, and the content of the record in its words. */
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/zephyr.h"
#include "view/wasm/view_trace.h"

/* The words of an event: the record's index in the layout, the id of the translation, the length of the fields in
 * bytes, then the fields. */
enum { WORD_INDEX, WORD_ID, WORD_LENGTH, WORD_FIELDS, WORDS = WORD_FIELDS + TXTAP_ZEPHYR_CTF_KEPT / 4 };

struct ctf_trace {
    struct txtap_ctf_layout layout;
    struct txtap_zephyr_ctf records;
    char *metadata; /* the first `have` of `total` bytes are set */
    size_t have, total;
    bool begun;   /* the metadata is complete */
    bool stopped; /* a record was not in the metadata, so reading stopped */
};

void view_trace_free_ctf(struct view_trace *trace)
{
    if (trace->ctf != NULL)
        free(trace->ctf->metadata);
    free(trace->ctf);
}

/* ---- events ---- */

static void put_word(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

/* Writes an entry as in a ring, but without the id. */
static void put_entry(uint8_t entry[TXTB_ENTRY_BYTES], const struct txtap_event *event)
{
    bool isr = event->context == TXTAP_CONTEXT_ISR;

    memset(entry, 0, TXTB_ENTRY_BYTES);
    put_word(entry + TXTB_ENTRY_THREAD, isr ? TXTB_THREAD_ISR : event->thread);
    put_word(entry + TXTB_ENTRY_PRIORITY, isr ? event->thread : 0);
    for (size_t i = 0; i < 3; i++)
        put_word(entry + TXTB_ENTRY_INFO + 4 * i, event->info[i]);
    put_word(entry + TXTB_ENTRY_INFO + 4 * 3, event->next);
}

static enum txtap_status take_translated(void *self, const struct txtap_item *item)
{
    struct view_trace *trace = self;
    const struct ctf_trace *ctf = trace->ctf;
    uint8_t entry[TXTB_ENTRY_BYTES];
    uint32_t words[WORDS] = {0};
    struct txtap_item held = *item;
    const struct txtap_ctf_event *event;
    const uint8_t *fields;
    size_t length;

    if (item->kind != TXTAP_ITEM_EVENT)
        return view_trace_take_item(trace, item);
    event = txtap_zephyr_ctf_record(&ctf->records, &item->event, &fields, &length);
    words[WORD_INDEX] = (uint32_t)(event - ctf->layout.events);
    words[WORD_ID] = item->event.id;
    words[WORD_LENGTH] = (uint32_t)length;
    memcpy(&words[WORD_FIELDS], fields, length);
    put_entry(entry, &item->event);
    held.event.entry = entry;
    held.event.words = words;
    held.event.word_count = WORD_FIELDS + (length + 3) / 4;
    return view_trace_take_item(trace, &held);
}

void view_trace_translate_back(struct txtap_event *event)
{
    if (event->context == TXTAP_CONTEXT_IDLE) /* an interrupt whose thread is not known */
        event->context = TXTAP_CONTEXT_ISR;
    event->id = event->words[WORD_ID];
    event->next = event->info[3];
    event->info[3] = 0;
    event->words = NULL;
    event->word_count = 0;
}

struct view_record view_trace_record(const struct view_trace *trace, const struct txtap_event *event)
{
    const struct txtap_ctf_layout *layout = &trace->ctf->layout;

    return (struct view_record){.layout = layout,
                                .event = &layout->events[event->words[WORD_INDEX]],
                                .fields = (const uint8_t *)&event->words[WORD_FIELDS],
                                .length = event->words[WORD_LENGTH]};
}

/* ---- blocks ---- */

static bool begin(struct view_trace *trace)
{
    static const struct txtap_header header = {.endian = TXTAP_LITTLE, .timer_mask = UINT32_MAX};
    struct ctf_trace *ctf = trace->ctf;

    if (txtap_ctf_layout_parse(&ctf->layout, ctf->metadata, ctf->total) != TXTAP_OK) {
        view_trace_fail(trace, "%s: its metadata, line %zu: %s", trace->options.name, ctf->layout.error_line,
                        ctf->layout.complaint);
        return true;
    }
    if (!view_trace_begin_names(trace) || !store_header(&trace->store, &header))
        return false;
    txtap_zephyr_ctf_init(&ctf->records, &ctf->layout, trace->player.registry,
                          (struct txtap_sink){take_translated, trace});
    timeline_from_ctf(&trace->timeline);
    if (trace->options.tick_hz == 0)
        trace->options.tick_hz = TXTAP_ZEPHYR_CTF_HZ;
    ctf->begun = true;
    return true;
}

static bool first_piece(struct view_trace *trace, const struct txtap_recording_item *block)
{
    trace->ctf = calloc(1, sizeof *trace->ctf);
    if (trace->ctf == NULL)
        return false;
    trace->ctf->total = block->total;
    trace->ctf->metadata = malloc(block->total);
    return trace->ctf->metadata != NULL;
}

static void not_whole(struct view_trace *trace)
{
    view_trace_fail(trace, "%s: its metadata are not whole: copy it again", trace->options.name);
}

/* False: no memory. */
static bool take_metadata(struct view_trace *trace, const struct txtap_recording_item *block)
{
    struct ctf_trace *ctf;

    if (trace->era_count > 0) {
        view_trace_fail(trace, "%s: CTF, which cannot be opened behind another trace", trace->options.name);
        return true;
    }
    if (trace->ctf == NULL && !first_piece(trace, block))
        return false;
    ctf = trace->ctf;
    if (block->total != ctf->total || block->at != ctf->have) {
        not_whole(trace);
        return true;
    }
    memcpy(ctf->metadata + ctf->have, block->bytes, block->length);
    ctf->have += block->length;
    return ctf->have < ctf->total || begin(trace);
}

static enum txtap_status take_bytes(struct view_trace *trace, const struct txtap_recording_item *block)
{
    struct txtap_zephyr_ctf *records = &trace->ctf->records;
    enum txtap_status status = TXTAP_OK;

    if (block->another || block->seq != txtap_zephyr_ctf_seq(records))
        status = txtap_zephyr_ctf_go_on(records, block->seq, block->ticks);
    if (status == TXTAP_OK)
        status = txtap_recording_play(&trace->player, block, (struct txtap_sink){view_trace_take, trace});
    if (records->stopped && !trace->ctf->stopped) {
        trace->ctf->stopped = true;
        text_print(&trace->notes,
                   "a record is not in the metadata, and what follows it cannot be read: are they those of "
                   "this firmware?\n");
    }
    return status;
}

/* Takes the samples of a block. Records of CTF are translated later than they arrive, but samples have their own
 * times. */
static enum txtap_status take_samples(struct view_trace *trace, const struct txtap_recording_item *block)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};
    enum txtap_status status = TXTAP_OK;
    size_t at = 0;

    while (status == TXTAP_OK && trace->channels != NULL &&
           txtap_recording_sample(block, &at, trace->channels, &item.sample))
        status = item.sample.channel != NULL ? view_trace_take_item(trace, &item) : TXTAP_OK;
    return status;
}

bool view_trace_take_ctf(struct view_trace *trace, const struct txtap_recording_item *block)
{
    enum txtap_status status = TXTAP_OK;

    if (block->type == TXTAP_RECORDING_METADATA) {
        if (!take_metadata(trace, block))
            view_trace_no_memory(trace);
    } else if (!view_trace_is_ctf(trace)) {
        not_whole(trace);
    } else if (block->type == TXTAP_RECORDING_CTF) {
        status = take_bytes(trace, block);
    } else if (block->type == TXTAP_RECORDING_CHANNEL) {
        if (!view_trace_take_channel(trace))
            view_trace_no_memory(trace);
        else
            (void)txtap_recording_channel(block, trace->channels);
    } else if (block->type == TXTAP_RECORDING_SAMPLES) {
        status = take_samples(trace, block);
    } else if (block->type == TXTAP_RECORDING_GAP || block->type == TXTAP_RECORDING_MARK) {
        status = txtap_recording_play(&trace->player, block, (struct txtap_sink){view_trace_take, trace});
    } else if (block->type != TXTAP_RECORDING_END) {
        view_trace_fail(trace, "%s: a recording of events, which cannot be opened behind CTF", trace->options.name);
    }
    return status == TXTAP_OK && trace->problem.length == 0;
}

bool view_trace_is_ctf(const struct view_trace *trace)
{
    return trace->ctf != NULL && trace->ctf->begun;
}

enum txtap_status view_trace_translate(struct view_trace *trace, const struct txtap_item *item)
{
    return txtap_zephyr_ctf_take(&trace->ctf->records, item);
}

void view_trace_end_ctf(struct view_trace *trace)
{
    if (view_trace_is_ctf(trace))
        (void)txtap_zephyr_ctf_end(&trace->ctf->records);
}

const char *view_trace_lacks(const struct view_trace *trace)
{
    return view_trace_is_ctf(trace) ? txtap_zephyr_ctf_lacks(&trace->ctf->records) : timeline_lacks(&trace->timeline);
}
