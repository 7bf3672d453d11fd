/* SPDX-License-Identifier: MIT */
/* The blocks that describe a recording: rate, firmware, definitions. */
#include "txtap/inner/recording.h"

#include <criterion/criterion.h>
#include <string.h>

static uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
static struct txtap_recording_item item;

static enum txtap_status take(unsigned type, size_t length)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return txtap_recording_item(&block, payload, length, &item);
}

Test(recording_about, a_rate_is_kept_to_a_millionth)
{
    const struct txtap_rate rate = {TXTAP_RATE_MEASURED, 32768.25, 32768.125, 32768.5};
    size_t length = txtap_recording_put_rate(payload, &rate);

    cr_assert_eq(length, 28);
    cr_assert_eq(take(TXTAP_RECORDING_RATE, length), TXTAP_OK);
    cr_assert_eq(item.rate.how, TXTAP_RATE_MEASURED);
    cr_assert_eq(item.rate.hz, 32768.25);
    cr_assert_eq(item.rate.low, 32768.125);
    cr_assert_eq(item.rate.high, 32768.5);
}

Test(recording_about, a_given_rate_needs_no_measurement)
{
    const struct txtap_rate rate = {.how = TXTAP_RATE_GIVEN, .hz = TXTAP_RATE_HZ_MAX};

    cr_assert_eq(take(TXTAP_RECORDING_RATE, txtap_recording_put_rate(payload, &rate)), TXTAP_OK);
    cr_assert_eq(item.rate.hz, TXTAP_RATE_HZ_MAX);
}

static const struct {
    uint8_t at, value;
} wrong_rates[] = {
    {0, 0},     {0, 4}, /* how */
    {4, 0},             /* hz, which is 1 microhertz */
    {11, 0xFF},         /* hz is too large */
    {12, 9},            /* low above high */
    {27, 0xFF},         /* high is too large */
};

Test(recording_about, an_impossible_rate_is_refused)
{
    for (size_t i = 0; i < sizeof wrong_rates / sizeof *wrong_rates; i++) {
        memset(payload, 0, 28);
        payload[0] = TXTAP_RATE_GIVEN;
        payload[4] = 1;
        cr_assert_eq(take(TXTAP_RECORDING_RATE, 28), TXTAP_OK);
        payload[wrong_rates[i].at] = wrong_rates[i].value;
        cr_assert_eq(take(TXTAP_RECORDING_RATE, 28), TXTAP_ERROR_FORMAT, "%zu", i);
    }
    cr_assert_eq(take(TXTAP_RECORDING_RATE, 27), TXTAP_ERROR_FORMAT);
}

static void value_is(const char *about, const char *key, const char *expected)
{
    size_t length = 99;
    const char *value = txtap_recording_about(about, key, &length);

    if (expected == NULL)
        cr_assert_null(value, "%s", key);
    else
        cr_assert(value != NULL && length == strlen(expected) && memcmp(value, expected, length) == 0, "%s", key);
}

Test(recording_about, the_firmware_is_found_by_key)
{
    const char *about = "firmware demo 2.elf\nbuild-id 0123\ntxtap 0.3.0\nunfinished x";

    cr_assert_eq(take(TXTAP_RECORDING_ABOUT, txtap_recording_put_about(payload, about)), TXTAP_OK);
    value_is(item.about, "firmware", "demo 2.elf");
    value_is(item.about, "txtap", "0.3.0");
    value_is(item.about, "build", NULL);
    value_is(item.about, "demo", NULL);
    value_is(item.about, "unfinished", NULL);
    value_is("", "txtap", NULL);
    payload[3] = 0;
    cr_assert_eq(take(TXTAP_RECORDING_ABOUT, strlen(about) + 1), TXTAP_ERROR_FORMAT, "its only NUL is the last byte");
}

Test(recording_about, stacks_are_a_text)
{
    static const char lines[] = "20000100 20001000 512 64 exact a\n";

    cr_assert_eq(take(TXTAP_RECORDING_STACKS, txtap_recording_put_stacks(payload, lines)), TXTAP_OK);
    cr_assert_str_eq(item.stacks, lines);
    cr_assert_eq(take(TXTAP_RECORDING_STACKS, sizeof lines - 1), TXTAP_ERROR_FORMAT, "without a NUL");
}

Test(recording_about, a_long_text_has_several_pieces)
{
    static char text[200000], joined[200000];
    size_t at = 0, pieces = 0;

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i * 7 % 26);
    while (at < sizeof text) {
        size_t length = txtap_recording_put_meaning(payload, true, text, sizeof text, &at);

        cr_assert_eq(take(TXTAP_RECORDING_MEANING, length), TXTAP_OK);
        cr_assert(item.of_user && item.total == sizeof text && item.at + item.length == at);
        memcpy(joined + item.at, item.bytes, item.length);
        pieces++;
    }
    cr_assert_eq(pieces, 4);
    cr_assert_eq(memcmp(text, joined, sizeof text), 0);
}

Test(recording_about, an_impossible_piece_is_refused)
{
    size_t at = 0, length = txtap_recording_put_meaning(payload, false, "text", 4, &at);

    cr_assert_eq(take(TXTAP_RECORDING_MEANING, length), TXTAP_OK);
    cr_assert_not(item.of_user);
    cr_assert_eq(take(TXTAP_RECORDING_MEANING, 12), TXTAP_ERROR_FORMAT, "an empty piece");
    payload[8] = 1;
    cr_assert_eq(take(TXTAP_RECORDING_MEANING, length), TXTAP_ERROR_FORMAT, "beyond the text");
    payload[8] = 0;
    payload[6] = 0x10;
    cr_assert_eq(take(TXTAP_RECORDING_MEANING, length), TXTAP_ERROR_FORMAT, "a text that is too large");
    payload[6] = 0;
    payload[0] = 2;
    cr_assert_eq(take(TXTAP_RECORDING_MEANING, length), TXTAP_ERROR_FORMAT);
}

Test(recording_about, an_outline_has_the_type_and_the_size)
{
    const struct txtap_recording_block block = {.type = 12, .stored = payload, .stored_bytes = 28, .bytes = 28};
    struct txtap_recording_outline outline;
    uint8_t head[TXTAP_RECORDING_BLOCK_BYTES];

    txtap_recording_seal(head, &block, 7);
    cr_assert(txtap_recording_outline(head, 7, &outline));
    cr_assert_eq(outline.type, 12);
    cr_assert_eq(outline.stored_bytes, 28);
    cr_assert_not(txtap_recording_outline(head, 8, &outline), "the number of another block");
    head[7] = 1;
    cr_assert_not(txtap_recording_outline(head, 7, &outline), "a size that no block has");
}
