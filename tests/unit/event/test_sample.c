/* SPDX-License-Identifier: MIT */
/* The text of a sample's value, and the list of channels. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "txtap/sample.h"

static struct txtap_channels channels;

static void reset(void)
{
    memset(&channels, 0, sizeof channels);
}

TestSuite(sample, .init = reset);

static void assert_text(enum txtap_channel_form form, uint64_t bits, const char *expected)
{
    static const struct txtap_channel_word words[] = {{-1, "BROKEN"}, {0, "IDLE"}, {7, "RUNNING"}};
    struct txtap_channel channel = {.form = form, .name = "x", .words = words, .word_count = 3};
    struct txtap_sample sample = {.channel = &channel, .bits = bits, .text = ""};
    char text[TXTAP_SAMPLE_VALUE_BYTES];
    size_t length = txtap_sample_value_text(&sample, text);

    cr_assert_str_eq(text, expected);
    cr_assert_eq(length, strlen(expected));
}

Test(sample, value_as_text)
{
    assert_text(TXTAP_FORM_UNSIGNED, UINT64_MAX, "18446744073709551615");
    assert_text(TXTAP_FORM_SIGNED, UINT64_MAX, "-1");
    assert_text(TXTAP_FORM_BOOL, 1, "true");
    assert_text(TXTAP_FORM_BOOL, 0, "false");
    assert_text(TXTAP_FORM_BOOL, 255, "255"); /* the variable contains no bool */
    assert_text(TXTAP_FORM_ADDRESS, 0x20000100, "0x20000100");
    assert_text(TXTAP_FORM_STATE, UINT64_MAX, "BROKEN");
    assert_text(TXTAP_FORM_STATE, 7, "RUNNING");
    assert_text(TXTAP_FORM_STATE, 3, "3");
    assert_text(TXTAP_FORM_FLOAT, txtap_sample_bits(0.25), "0.25");
    assert_text(TXTAP_FORM_FLOAT, txtap_sample_bits(-1e300), "-1.0000000000000001e+300");
    assert_text(TXTAP_FORM_FLOAT, txtap_sample_bits(NAN), "nan");
    assert_text(TXTAP_FORM_FLOAT, txtap_sample_bits(-INFINITY), "-inf");
}

Test(sample, value_that_is_not_valid_has_no_number)
{
    struct txtap_channel channel = {.kind = TXTAP_CHANNEL_PC, .form = TXTAP_FORM_ADDRESS, .name = "pc"};
    struct txtap_sample sample = {.channel = &channel, .state = TXTAP_SAMPLE_ASLEEP, .text = ""};
    char text[TXTAP_SAMPLE_VALUE_BYTES];

    (void)txtap_sample_value_text(&sample, text);
    cr_assert_str_eq(text, "asleep");
    sample.state = TXTAP_SAMPLE_UNREADABLE;
    (void)txtap_sample_value_text(&sample, text);
    cr_assert_str_eq(text, "?");
}

Test(sample, value_as_number)
{
    struct txtap_channel channel = {.form = TXTAP_FORM_SIGNED, .name = "x"};
    struct txtap_sample sample = {.channel = &channel, .bits = (uint64_t)-3, .text = ""};

    cr_assert_eq(txtap_sample_number(&sample), -3);
    channel.form = TXTAP_FORM_UNSIGNED;
    sample.bits = 5;
    cr_assert_eq(txtap_sample_number(&sample), 5);
    channel.form = TXTAP_FORM_FLOAT;
    sample.bits = txtap_sample_bits(2.5);
    cr_assert_eq(txtap_sample_number(&sample), 2.5);
}

Test(sample, channel_is_copied_with_its_words)
{
    struct txtap_channel_word words[] = {{1, "ONE"}, {2, "TWO"}};
    struct txtap_channel channel = {
        .number = 4, .form = TXTAP_FORM_STATE, .name = "state", .words = words, .word_count = 2};
    const struct txtap_channel *added = txtap_channels_add(&channels, &channel);

    cr_assert_not_null(added);
    strcpy(words[0].text, "other");
    cr_assert_str_eq(added->words[0].text, "ONE");
    cr_assert_eq(txtap_channels_find(&channels, 4), added);
    cr_assert_null(txtap_channels_find(&channels, 3));
    strcpy(words[0].text, "ONE");
    cr_assert_eq(txtap_channels_add(&channels, &channel), added);
    strcpy(channel.unit, "V");
    cr_assert_null(txtap_channels_add(&channels, &channel)); /* the number has another meaning */
    channel.number = 5;
    cr_assert_null(txtap_channels_add(&channels, &channel)); /* the name has another number */
    cr_assert_eq(channels.count, 1);
}

Test(sample, invalid_channel_is_refused)
{
    struct txtap_channel_word words[] = {{2, "TWO"}, {2, "TOO"}};
    struct txtap_channel channel = {.name = "x"}, bad;

    bad = channel;
    bad.name[0] = '\0';
    cr_assert_null(txtap_channels_add(&channels, &bad));
    bad = channel;
    strcpy(bad.name, "a\"b");
    cr_assert_null(txtap_channels_add(&channels, &bad));
    bad = channel;
    strcpy(bad.unit, "\xff");
    cr_assert_null(txtap_channels_add(&channels, &bad));
    bad = channel;
    memset(bad.name, 'a', sizeof bad.name);
    cr_assert_null(txtap_channels_add(&channels, &bad));
    bad = channel;
    bad.number = TXTAP_CHANNELS_MAX;
    cr_assert_null(txtap_channels_add(&channels, &bad));
    bad = channel;
    bad.words = words;
    bad.word_count = 2;
    cr_assert_null(txtap_channels_add(&channels, &bad));
    cr_assert_not_null(txtap_channels_add(&channels, &channel));
}

Test(sample, list_of_channels_has_a_limit)
{
    struct txtap_channel channel = {.name = ""};

    for (uint32_t i = 0; i < TXTAP_CHANNELS_MAX; i++) {
        channel.number = i;
        snprintf(channel.name, sizeof channel.name, "v%u", i);
        cr_assert_not_null(txtap_channels_add(&channels, &channel));
    }
    strcpy(channel.name, "further");
    cr_assert_null(txtap_channels_add(&channels, &channel));
}
