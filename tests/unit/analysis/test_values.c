/* SPDX-License-Identifier: MIT */
/* Figures of variables: of the samples, with the share of time in each state. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/analysis.h"
#include "txtap/check.h"
#include "txtap/rate.h"

static const struct txtap_channel_word words[] = {{-1, "OFF"}, {2, "RUNNING"}, {7, "FAULT"}};
static const struct txtap_channel speed = {.number = 3, .form = TXTAP_FORM_FLOAT, .name = "motor.speed"},
                                  mode = {.number = 9,
                                          .form = TXTAP_FORM_STATE,
                                          .name = "mode",
                                          .words = words,
                                          .word_count = 3};
static struct txtap_analysis *analysis;
static struct txtap_check check;
static struct txtap_check_result result;

static void set_up(void)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {.sections = TXTAP_SECTION_BIT(TXTAP_SECTION_VALUES)};

    analysis = txtap_analysis_open(malloc(txtap_analysis_bytes(&limits, options.sections)), &limits, &options);
}

static void tear_down(void)
{
    free(analysis);
}

TestSuite(values, .init = set_up, .fini = tear_down);

static void take(const struct txtap_channel *channel, uint64_t ticks, uint64_t bits, enum txtap_sample_state state)
{
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_SAMPLE,
        .sample = {.channel = channel, .state = state, .seq = ticks / 10, .ticks = ticks, .bits = bits, .text = ""}};

    cr_assert_eq(txtap_analysis_take(analysis, &item), TXTAP_OK);
}

static void take_speed(uint64_t ticks, double number)
{
    take(&speed, ticks, txtap_sample_bits(number), TXTAP_SAMPLE_VALID);
}

static enum txtap_status judge(void *self, const struct txtap_figure *figure)
{
    const struct txtap_rate rate = {TXTAP_RATE_UNKNOWN, 0, 0, 0};

    (void)self;
    txtap_check_figure(&check, &result, figure, figure->subject.name, &rate);
    return TXTAP_OK;
}

/* Expects the verdict of a check. */
static void expect(const char *text, enum txtap_verdict verdict)
{
    struct txtap_check_error error;

    cr_assert(txtap_check_parse(&check, text, &error), "%s: %s", text, error.expected);
    cr_expect_eq(txtap_check_sections(&check), TXTAP_SECTION_BIT(TXTAP_SECTION_VALUES));
    txtap_check_result_init(&result);
    cr_assert_eq(txtap_analysis_figures(analysis, 0, (struct txtap_figure_sink){judge, NULL}), TXTAP_OK);
    txtap_check_end(&check, &result, &(struct txtap_check_trace){.gaps = true});
    cr_expect(result.matched > 0, "%s matches nothing", text);
    cr_expect_eq(result.verdict, verdict, "%s: verdict %d, %g", text, (int)result.verdict, result.measure.value);
}

Test(values, checks_judge_the_samples)
{
    take_speed(100, -2.5);
    take_speed(200, 3.25);
    take_speed(300, NAN);
    take(&speed, 350, 0, TXTAP_SAMPLE_UNREADABLE);
    take_speed(400, 1);
    expect("value(motor.speed).max <= 3.25", TXTAP_VERDICT_OK);
    expect("value(motor.speed) < 3.25", TXTAP_VERDICT_FAILED);
    cr_expect(result.place.known && result.place.ticks == 200 && result.place.seq == 20);
    expect("value(motor.speed) >= -2.5", TXTAP_VERDICT_OK);
    expect("value(motor.speed) > - 2.5", TXTAP_VERDICT_FAILED);
    expect("value(motor.*).min == -2.5", TXTAP_VERDICT_OK);
    expect("value(motor.speed).n == 3", TXTAP_VERDICT_OK);
    expect("value(motor.speed).mean < 0.6", TXTAP_VERDICT_OK);
    expect("last_value(motor.speed) == 1", TXTAP_VERDICT_OK);
    expect("last_value(motor.speed) != 1", TXTAP_VERDICT_FAILED);
}

Test(values, states_have_their_share_of_time)
{
    take(&mode, 0, (uint64_t)-1, TXTAP_SAMPLE_VALID);
    take(&mode, 100, 2, TXTAP_SAMPLE_VALID);
    take(&mode, 400, 0, TXTAP_SAMPLE_UNREADABLE);
    take(&mode, 900, 5, TXTAP_SAMPLE_VALID); /* a number without a word */
    take(&mode, 1000, 2, TXTAP_SAMPLE_VALID);
    expect("state(mode:OFF) == 20%", TXTAP_VERDICT_OK);
    expect("state(mode:RUNNING) == 60%", TXTAP_VERDICT_OK);
    expect("state(mode:FAULT) == 0%", TXTAP_VERDICT_OK);
    expect("state(mode:FAULT) > 0%", TXTAP_VERDICT_FAILED);
    take(&mode, 1000, 7, TXTAP_SAMPLE_VALID);
    take(&mode, 1000, 2, TXTAP_SAMPLE_VALID);
    expect("state(mode:FAULT) == 0%", TXTAP_VERDICT_FAILED);
    expect("last_value(mode) == 2", TXTAP_VERDICT_OK);
}

Test(values, only_checks_of_values_have_negative_limits)
{
    struct txtap_check_error error;

    cr_expect_not(txtap_check_parse(&check, "value(x) == 3", &error), "of which sample?");
    cr_expect_not(txtap_check_parse(&check, "value(x) <= 3 ms", &error));
    cr_expect_not(txtap_check_parse(&check, "stack(x) >= -3%", &error));
    cr_expect(txtap_check_parse(&check, "value(x).min > -3.5", &error));
    cr_expect_eq(txtap_check_limit(&check, 0), -3.5);
    cr_expect_not(txtap_check_is_lasting(&check) == false, "a minimum never rises");
    cr_expect(txtap_check_parse(&check, "last_value(x) < 3", &error));
    cr_expect_not(txtap_check_is_lasting(&check));
}
