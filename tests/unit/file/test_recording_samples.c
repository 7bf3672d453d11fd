/* SPDX-License-Identifier: MIT */
/* Channels and samples in recordings. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "file/recording_maker.h"
#include "txtap/inner/recording.h"
#include "txtap/inner/registry.h"

static uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
static struct txtap_channels channels;
static struct txtap_recording_item item;

static void reset(void)
{
    make_recording();
    memset(&channels, 0, sizeof channels);
}

TestSuite(recording_samples, .init = reset);

static enum txtap_status take(unsigned type, size_t length)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return txtap_recording_item(&block, payload, length, &item);
}

static const struct txtap_channel_word words[] = {{-1, "BROKEN"}, {2, "RUNNING"}};
static const struct txtap_channel state = {
    .number = 7, .form = TXTAP_FORM_STATE, .name = "motor.state", .unit = "V", .words = words, .word_count = 2};
static const struct txtap_channel lines = {.number = 9, .kind = TXTAP_CHANNEL_LOG, .name = "uart"};

static void assert_same(const struct txtap_sample *a, const struct txtap_sample *b)
{
    cr_assert_eq(a->seq, b->seq);
    cr_assert_eq(a->ticks, b->ticks);
    cr_assert_eq(a->from_ticks, b->from_ticks);
    cr_assert_eq(a->to_ticks, b->to_ticks);
    cr_assert_eq(a->unix_us, b->unix_us);
    cr_assert_eq(a->bits, b->bits);
    cr_assert_eq(a->thread, b->thread);
    cr_assert_eq(a->state, b->state);
    cr_assert_str_eq(a->text, b->text);
}

Test(recording_samples, channel_is_read_back_with_its_words)
{
    const struct txtap_channel *channel;

    cr_assert_eq(take(TXTAP_RECORDING_CHANNEL, txtap_recording_put_channel(payload, &state)), TXTAP_OK);
    channel = txtap_recording_channel(&item, &channels);
    cr_assert_not_null(channel);
    cr_assert_str_eq(channel->name, "motor.state");
    cr_assert_str_eq(channel->unit, "V");
    cr_assert_eq(channel->word_count, 2);
    cr_assert_eq(channel->words[0].number, -1);
    cr_assert_str_eq(channel->words[1].text, "RUNNING");
    cr_assert_eq(txtap_recording_channel(&item, &channels), channel, "the same channel in the next file");
}

Test(recording_samples, samples_are_read_back)
{
    const struct txtap_sample samples[] = {
        {.channel = &state, .seq = 1, .ticks = 100, .from_ticks = 90, .to_ticks = 130, .bits = 2, .text = ""},
        {.channel = &state,
         .state = TXTAP_SAMPLE_UNREADABLE,
         .seq = 1,
         .ticks = 200,
         .from_ticks = 0,
         .to_ticks = UINT64_MAX,
         .unix_us = 17,
         .thread = 0x20000100,
         .text = ""},
        {.channel = &lines,
         .seq = 5,
         .ticks = UINT64_C(1) << 40,
         .from_ticks = 0,
         .to_ticks = UINT64_C(1) << 40,
         .text = "a line \xff"},
    };
    size_t length = txtap_recording_put_samples(payload), at = 0;
    struct txtap_sample sample;

    cr_assert_not_null(txtap_channels_add(&channels, &state));
    for (size_t i = 0; i < 3; i++)
        cr_assert(txtap_recording_add_sample(payload, &length, &samples[i]));
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_OK);
    for (size_t i = 0; i < 3; i++) {
        cr_assert(txtap_recording_sample(&item, &at, &channels, &sample));
        cr_assert_eq(sample.channel != NULL, i < 2, "the last channel is not known");
        assert_same(&sample, &samples[i]);
    }
    cr_assert_not(txtap_recording_sample(&item, &at, &channels, &sample));
}

Test(recording_samples, full_block_takes_no_sample)
{
    const struct txtap_sample sample = {.channel = &lines, .text = "0123456789"};
    size_t length = txtap_recording_put_samples(payload), before = length, count = 0;

    for (; txtap_recording_add_sample(payload, &length, &sample); before = length)
        count++;
    cr_assert_eq(length, before);
    cr_assert_gt(count, 1000);
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_OK);
    cr_assert_eq(item.count, count);
}

Test(recording_samples, damaged_payload_is_refused)
{
    const struct txtap_sample samples[] = {
        {.channel = &state, .seq = 5, .ticks = 8, .from_ticks = 3, .to_ticks = 9, .text = ""},
        {.channel = &lines, .seq = 6, .ticks = 9, .text = "x"}};
    size_t length = txtap_recording_put_channel(payload, &state);
    static const struct {
        size_t at;
        uint8_t value;
    } wrong_channel[] = {{0, 0}, {4, TXTAP_CHANNEL_KINDS}, {8, TXTAP_FORMS}, {12, 3}, {16, '\n'}},
      wrong_sample[] = {{0, 3}, {1, 1}, {5, 1}, {6, TXTAP_SAMPLE_STATES}, {8, 7}, {24, 9}};

    for (size_t i = 0; i < 5; i++) {
        uint8_t kept = payload[wrong_channel[i].at];

        payload[wrong_channel[i].at] = i == 0 ? 0xff : wrong_channel[i].value;
        payload[1] = i == 0;
        cr_assert_eq(take(TXTAP_RECORDING_CHANNEL, length), TXTAP_ERROR_FORMAT, "channel %zu", i);
        payload[1] = 0;
        payload[wrong_channel[i].at] = kept;
    }
    cr_assert_eq(take(TXTAP_RECORDING_CHANNEL, length - 1), TXTAP_ERROR_FORMAT);
    length = txtap_recording_put_samples(payload);
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_ERROR_FORMAT, "no sample");
    for (size_t i = 0; i < 2; i++)
        cr_assert(txtap_recording_add_sample(payload, &length, &samples[i]));
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_OK);
    for (size_t i = 0; i < 6; i++) {
        uint8_t kept = payload[wrong_sample[i].at];

        payload[wrong_sample[i].at] = wrong_sample[i].value;
        cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_ERROR_FORMAT, "sample %zu", i);
        payload[wrong_sample[i].at] = kept;
    }
    payload[length - 2] = '\n';
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_ERROR_FORMAT, "a text of two lines");
}

/* ---- the player ---- */

static char transcript[256];

static enum txtap_status tell(void *self, const struct txtap_item *given)
{
    size_t used = strlen(transcript);

    (void)self;
    if (given->kind == TXTAP_ITEM_EVENT)
        snprintf(transcript + used, sizeof transcript - used, "%d ", (int)given->event.seq);
    if (given->kind == TXTAP_ITEM_SAMPLE)
        snprintf(transcript + used, sizeof transcript - used, "%s=%d ", given->sample.channel->name,
                 (int)given->sample.bits);
    if (given->kind == TXTAP_ITEM_MARK)
        snprintf(transcript + used, sizeof transcript - used, "mark ");
    return TXTAP_OK;
}

static void play(struct txtap_recording_player *player, const struct txtap_recording_item *block)
{
    cr_assert_eq(txtap_recording_play(player, block, (struct txtap_sink){tell, NULL}), TXTAP_OK);
}

static struct txtap_recording_item events_of(uint64_t seq, uint32_t count)
{
    static uint8_t entries[8 * TXTB_ENTRY_BYTES];

    return (struct txtap_recording_item){
        .type = TXTAP_RECORDING_EVENTS, .seq = seq, .count = count, .entries = entries};
}

Test(recording_samples, player_puts_samples_between_the_events)
{
    static struct txtap_recording_player player;
    static struct txtap_object objects[4];
    static const uint64_t places[] = {10, 12, 12, 15};
    const struct txtap_channel x = {.number = 1, .form = TXTAP_FORM_UNSIGNED, .name = "x"};
    struct txtap_recording_item block;
    struct txtap_registry registry;
    size_t length = txtap_recording_put_samples(payload);

    txtap_registry_init(&registry, objects, 4);
    txtap_recording_player_init(&player, &registry);
    player.channels = &channels;
    (void)txtap_channels_add(&channels, &x);
    for (size_t i = 0; i < 4; i++) {
        const struct txtap_sample sample = {.channel = &x, .seq = places[i], .bits = i, .text = ""};

        cr_assert(txtap_recording_add_sample(payload, &length, &sample));
    }
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_OK);
    play(&player, &item);
    memset(payload, 0xff, sizeof payload); /* the player has a copy */
    block = events_of(10, 4);
    play(&player, &block);
    cr_assert_str_eq(transcript, "x=0 10 11 x=1 x=2 12 13 ");
    block = (struct txtap_recording_item){.type = TXTAP_RECORDING_MARK, .mark = {.text = ""}};
    play(&player, &block);
    cr_assert_str_eq(transcript, "x=0 10 11 x=1 x=2 12 13 x=3 mark ");
}

Test(recording_samples, player_without_channels_gives_no_samples)
{
    static struct txtap_recording_player player;
    static struct txtap_object objects[4];
    const struct txtap_sample sample = {.channel = &lines, .text = "x"};
    struct txtap_recording_item block = events_of(0, 1);
    struct txtap_registry registry;
    size_t length = txtap_recording_put_samples(payload);

    txtap_registry_init(&registry, objects, 4);
    txtap_recording_player_init(&player, &registry);
    cr_assert(txtap_recording_add_sample(payload, &length, &sample));
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, length), TXTAP_OK);
    play(&player, &item);
    play(&player, &block);
    cr_assert_str_eq(transcript, "0 ");
    player.channels = &channels; /* without this channel */
    play(&player, &item);
    play(&player, &block);
    cr_assert_str_eq(transcript, "0 0 ");
}
