/* SPDX-License-Identifier: MIT */
/*
 * Checks each sample of a recording of the demo. The variables follow from the number of events (waveform.h), and the
 * recording has these events: so the events in a sample's window tell the values that the variable may have had.
 * demo_events_written must be among the variables.
 * usage: variables_check RECORDING [growing]    prints a line for each channel; status 1: a sample is wrong; growing:
 * the recording is still being written, so its end may be missing
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/recording.h"

#define EVENTS_MAX     (1u << 24)
#define SAMPLES_MAX    (1u << 22)
#define OBJECTS_MAX    4096u
#define FILE_BYTES_MAX ((size_t)512 << 20)
#define VALUES_MAX     4096u /* a wider window proves nothing about the value, and takes too long */

static uint64_t *ticks;                 /* index: seq; 0: the event was lost, or has not come */
static uint64_t first_seq, event_count; /* seq of the first event; 1 + seq of the last event */
static struct txtap_sample *samples;
static size_t sample_count;
static struct txtap_channels channels;

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    (void)self;
    if (item->kind == TXTAP_ITEM_EVENT && item->event.seq < EVENTS_MAX) {
        if (event_count == 0)
            first_seq = item->event.seq;
        ticks[item->event.seq] = item->event.ticks + 1;
        event_count = item->event.seq + 1;
    }
    if (item->kind == TXTAP_ITEM_SAMPLE && sample_count < SAMPLES_MAX)
        samples[sample_count++] = item->sample;
    return TXTAP_OK;
}

/* ---- the formulas ---- */

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);

    return length >= end && strcmp(name + length - end, suffix) == 0;
}

static uint64_t of_double(double number)
{
    return txtap_sample_bits(number);
}

static double from_words(uint32_t high, uint32_t low)
{
    uint64_t bits = (uint64_t)high << 32 | low;
    double number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Returns the bits of a sample after n events. */
static uint64_t value_after(const char *name, uint32_t n)
{
    static const int16_t sine[16] = {0, 383,  707,  924,  1000,  924,  707,  383,
                                     0, -383, -707, -924, -1000, -924, -707, -383};
    static const int64_t states[] = {0, 1, 7, 1};
    int64_t sign = (int64_t)(n & 31);

    if (has_suffix(name, ".sine"))
        return (uint64_t)(int64_t)sine[n & 15];
    if (has_suffix(name, ".half"))
        return (uint16_t)n;
    if (has_suffix(name, ".small"))
        return (uint64_t)(int64_t)(int8_t)n;
    if (has_suffix(name, ".flag"))
        return n & 1;
    if (has_suffix(name, ".ratio"))
        return of_double(1.0 + (double)(n & 0x7fffff) / 8388608.0);
    if (has_suffix(name, ".precise"))
        return of_double(from_words(0x3ff00000u | (n & 0xfffff), n));
    if (has_suffix(name, ".wide"))
        return (uint64_t)~n << 32 | n;
    if (has_suffix(name, ".state"))
        return (uint64_t)states[n >> 2 & 3];
    if (has_suffix(name, ".low"))
        return n & 7;
    if (has_suffix(name, ".middle"))
        return n >> 3 & 127;
    if (has_suffix(name, ".sign"))
        return (uint64_t)(sign < 16 ? sign : sign - 32);
    if (has_suffix(name, "[1][2]"))
        return n >> 1 & 255;
    if (strstr(name, ".list[") != NULL)
        return n + (uint32_t)atoi(strstr(name, "[") + 1);
    return n;
}

/* ---- the check ---- */

/*
 * Sets the range of the numbers of events after which the sample may have been taken. At the moment of the sample,
 * events with later ticks were not written, and events with earlier ticks were. The firmware sets the variables after
 * it has written an event: so the last of these events may not count yet.
 */
static bool range_of(const struct txtap_sample *sample, uint64_t *least, uint64_t *most)
{
    uint64_t low = first_seq, high = event_count;

    while (low < high) { /* finds the first event that is not before the window */
        uint64_t middle = low + (high - low) / 2, known = middle;

        while (known < high && ticks[known] == 0)
            known++;
        if (known < high && ticks[known] - 1 < sample->from_ticks)
            low = known + 1;
        else
            high = middle;
    }
    if (low == event_count || ticks[low] == 0 || (low > first_seq && ticks[low - 1] == 0))
        return false;
    *least = low > first_seq ? low - 1 : low;
    while (low < event_count && ticks[low] != 0 && ticks[low] - 1 <= sample->to_ticks)
        low++;
    *most = low;
    return low < event_count && ticks[low] != 0; /* later events may be missing after the end of the recording */
}

/* The recording may begin after the firmware's first events. Their number is between these numbers. */
static int64_t offset_least = INT64_MIN, offset_most = INT64_MAX;

/* Narrows the offset by a sample of the number of events. Returns false if no offset is possible. */
static bool narrow_offset(const struct txtap_sample *sample)
{
    int64_t count = (int64_t)sample->bits;
    uint64_t least, most;

    if (strcmp(sample->channel->name, "demo_events_written") != 0 || sample->state != TXTAP_SAMPLE_VALID ||
        !range_of(sample, &least, &most))
        return true;
    if (count - (int64_t)most > offset_least)
        offset_least = count - (int64_t)most;
    if (count - (int64_t)least < offset_most)
        offset_most = count - (int64_t)least;
    return offset_least <= offset_most;
}

struct result {
    uint64_t samples, checked, wide, wrong, unreadable;
};

static void check(const struct txtap_sample *sample, struct result *result)
{
    uint64_t least, most;
    bool follows = strstr(sample->channel->name, "->") != NULL;

    if (sample->state != TXTAP_SAMPLE_VALID) {
        result->unreadable++;
        return;
    }
    result->samples++;
    if (!range_of(sample, &least, &most) || most - least >= VALUES_MAX) {
        result->wide++;
        return;
    }
    result->checked++;
    /* The node's count is set before the pointer to the node. */
    for (int64_t n = (int64_t)least + offset_least; n <= (int64_t)most + offset_most + follows; n++)
        if (value_after(sample->channel->name, (uint32_t)n) == sample->bits)
            return;
    if (result->wrong++ == 0)
        printf("wrong: %s = 0x%" PRIx64 " in ticks %" PRIu64 " to %" PRIu64 ", after %" PRIu64 " to %" PRIu64
               " events\n",
               sample->channel->name, sample->bits, sample->from_ticks, sample->to_ticks, least, most);
}

static int check_all(void)
{
    static struct result results[TXTAP_CHANNELS_MAX];
    uint64_t wrong = 0;

    for (size_t i = 0; i < sample_count; i++) {
        if (!narrow_offset(&samples[i])) {
            printf("wrong: sample %zu: no events give demo_events_written = %" PRIu64 "\n", i, samples[i].bits);
            return 1;
        }
    }
    if (offset_least == INT64_MIN || offset_most - offset_least > 1) {
        printf("wrong: %" PRId64 " to %" PRId64 " events precede the recording\n", offset_least, offset_most);
        return 1;
    }
    for (size_t i = 0; i < sample_count; i++)
        if (samples[i].channel->kind == TXTAP_CHANNEL_VALUE)
            check(&samples[i], &results[samples[i].channel->number]);
    for (size_t i = 0; i < channels.count; i++) {
        const struct result *result = &results[channels.at[i].number];

        printf("%s: %" PRIu64 " samples, %" PRIu64 " checked, %" PRIu64 " not, %" PRIu64 " unreadable, %" PRIu64
               " wrong\n",
               channels.at[i].name, result->samples, result->checked, result->wide, result->unreadable, result->wrong);
        wrong += result->wrong;
    }
    return wrong > 0;
}

/* Plays an uncompressed recording. growing: its end may be missing. Returns false if it is damaged. */
static bool play(const uint8_t *bytes, size_t length, bool growing)
{
    static struct txtap_object objects[OBJECTS_MAX];
    static struct txtap_recording_player player;
    static struct txtap_recording_item item;
    static struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_registry registry;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed = 0;
    enum txtap_status status = length < at ? TXTAP_ERROR_TRUNCATED : txtap_recording_open(&recording, bytes);

    txtap_registry_init(&registry, objects, OBJECTS_MAX);
    txtap_recording_player_init(&player, &registry);
    player.channels = &channels;
    for (; status == TXTAP_OK; at += needed) {
        status = txtap_recording_block(&recording, bytes + at, length - at, &block, &needed);
        if (status == TXTAP_OK && !block.compressed &&
            txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK)
            status = txtap_recording_play(&player, &item, (struct txtap_sink){take, NULL});
    }
    return status == TXTAP_END || (growing && status == TXTAP_AGAIN);
}

int main(int argc, char **argv)
{
    FILE *file = argc >= 2 ? fopen(argv[1], "rb") : NULL;
    uint8_t *bytes = malloc(FILE_BYTES_MAX);
    size_t length = file != NULL && bytes != NULL ? fread(bytes, 1, FILE_BYTES_MAX, file) : 0;

    ticks = calloc(EVENTS_MAX, sizeof *ticks);
    samples = calloc(SAMPLES_MAX, sizeof *samples);
    if (ticks == NULL || samples == NULL || !play(bytes, length, argc == 3)) {
        fprintf(stderr, "variables_check: cannot read a recording\n");
        return 2;
    }
    return check_all();
}
