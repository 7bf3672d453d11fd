/* SPDX-License-Identifier: MIT */
/* Triggers on values: their text, and the samples that fulfil them. */
#include <criterion/criterion.h>
#include <string.h>

#include "record/value_trigger.h"

static const struct txtap_channel_word words[] = {{1, "RUNNING"}, {7, "FAULT"}};
static const struct txtap_channel speed = {.form = TXTAP_FORM_SIGNED, .name = "motor.speed[2]"},
                                  mode = {.form = TXTAP_FORM_STATE, .name = "mode", .words = words, .word_count = 2};

static bool fires(const char *text, const struct txtap_channel *channel, int64_t value)
{
    const struct txtap_sample sample = {.channel = channel, .bits = (uint64_t)value};
    struct value_trigger trigger;
    bool fulfils = false;

    cr_assert_null(value_trigger_parse(&trigger, text), "%s", text);
    cr_assert(value_trigger_judge(&trigger, &sample, &fulfils), "%s", text);
    return fulfils;
}

Test(value_trigger, conditions_are_about_numbers_and_states)
{
    cr_expect(fires("value(motor.speed[2]) > 3000", &speed, 3001));
    cr_expect_not(fires("value(motor.speed[2]) > 3000", &speed, 3000));
    cr_expect(fires("value(motor.speed[2])<=-2.5", &speed, -3));
    cr_expect_not(fires("value(motor.speed[2])<=-2.5", &speed, -2));
    cr_expect(fires("value(mode) == FAULT", &mode, 7));
    cr_expect_not(fires("value(mode) == FAULT", &mode, 1));
    cr_expect(fires("value(mode) != RUNNING", &mode, 5), "a number without a word");
    cr_expect(fires("value(mode) == 7", &mode, 7));
}

Test(value_trigger, other_channels_and_bad_samples_fulfil_nothing)
{
    const struct txtap_sample other = {.channel = &mode, .bits = 1},
                              bad = {.channel = &speed, .state = TXTAP_SAMPLE_UNREADABLE};
    struct value_trigger trigger;
    bool fulfils = true;

    cr_assert_null(value_trigger_parse(&trigger, "value(motor.speed[2]) >= 0"));
    cr_expect_not(value_trigger_judge(&trigger, &other, &fulfils));
    cr_expect(value_trigger_judge(&trigger, &bad, &fulfils) && !fulfils);
}

Test(value_trigger, wrong_texts_say_the_expected_text)
{
    static const char *const texts[][2] = {
        {"value(", "the name"},         {"value() > 3", "the name"},     {"value(x", "the name"},
        {"value(x) = 3", "operator"},   {"value(x)", "operator"},        {"value(x) > ", "a number"},
        {"value(x) > y", "a number"},   {"value(x) > 3 ms", "a number"}, {"value(x) == ", "a number"},
        {"value(x) > nan", "a number"},
    };
    struct value_trigger trigger;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *expected = value_trigger_parse(&trigger, texts[i][0]);

        cr_assert_not_null(expected, "%s", texts[i][0]);
        cr_expect(strstr(expected, texts[i][1]) != NULL, "%s: %s", texts[i][0], expected);
    }
}
