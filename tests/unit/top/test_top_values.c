/* SPDX-License-Identifier: MIT */
/* The table of values: sampled values and counter lines, their ranges and rates. */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/inner/top_values.h"

static struct txtap_top_values values;
static struct txtap_top_state state;
static struct txtap_definition events[4];
static char strings[512];
static struct txtap_definitions definitions;

static const struct txtap_channel_word words[] = {{0, "IDLE"}, {1, "RUNNING"}};
static const struct txtap_channel speed = {.number = 0, .form = TXTAP_FORM_SIGNED, .name = "speed", .unit = "rpm"},
                                  level = {.number = 1, .form = TXTAP_FORM_FLOAT, .name = "level"},
                                  mode = {.number = 2,
                                          .form = TXTAP_FORM_STATE,
                                          .name = "mode",
                                          .words = words,
                                          .word_count = 2},
                                  uart = {.number = 3, .kind = TXTAP_CHANNEL_LOG, .name = "uart"};

static void set_up(void)
{
    static const char text[] = "event 4096 \"temperature\" \"{0=t:d/10 C}\"\ncounter 4096 0 \"board\"\n";
    struct txtap_definitions_memory room = {events, 4, NULL, 0, strings, sizeof strings};
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions, room);
    cr_assert_eq(txtap_definitions_parse(&definitions, text, sizeof text - 1, &problem), TXTAP_OK);
    memset(&values, 0, sizeof values);
    state.tick_hz = 1000;
}

TestSuite(top_values, .init = set_up);

static void take(const struct txtap_channel *channel, uint64_t ticks, enum txtap_sample_state how, uint64_t bits)
{
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_SAMPLE,
        .sample = {.channel = channel, .ticks = ticks, .state = how, .bits = bits, .text = ""}};

    txtap_top_values_take(&values, &definitions, &item);
}

static void record(uint64_t ticks, int32_t value)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_EVENT,
                                    .event = {.ticks = ticks, .id = 4096, .info = {(uint32_t)value}}};

    txtap_top_values_take(&values, &definitions, &item);
}

static void assert_value(size_t i, const char *name, const char *now, const char *least, const char *most, uint64_t n)
{
    txtap_top_values_look(&values, NULL, &state);
    cr_assert_lt(i, state.value_count);
    cr_assert_str_eq(state.values[i].name, name);
    cr_assert_str_eq(state.values[i].now, now);
    cr_assert_str_eq(state.values[i].least, least);
    cr_assert_str_eq(state.values[i].most, most);
    cr_assert_eq(state.values[i].n, n);
}

Test(top_values, of_samples_and_counter_lines_look_the_same)
{
    take(&speed, 0, TXTAP_SAMPLE_VALID, (uint64_t)-30);
    take(&speed, 500, TXTAP_SAMPLE_VALID, 20);
    take(&speed, 2000, TXTAP_SAMPLE_VALID, 5);
    record(2000, -15);
    record(2000, 234);
    take(&uart, 2000, TXTAP_SAMPLE_VALID, 0);
    assert_value(0, "speed", "5 rpm", "-30 rpm", "20 rpm", 3);
    assert_value(1, "board", "23.4 C", "-1.5 C", "23.4 C", 2);
    cr_assert_eq(state.value_count, 2, "a log has no value");
    cr_assert_float_eq(state.values[0].rate, 1.5, 1e-9);
    cr_assert_float_eq(state.values[1].rate, 1, 1e-9);
}

Test(top_values, without_an_order_have_no_range)
{
    take(&mode, 0, TXTAP_SAMPLE_VALID, 0);
    take(&mode, 1, TXTAP_SAMPLE_VALID, 1);
    take(&level, 2, TXTAP_SAMPLE_VALID, txtap_sample_bits(-0.5));
    take(&level, 3, TXTAP_SAMPLE_VALID, txtap_sample_bits(0.0 / 0.0));
    assert_value(0, "mode", "RUNNING", "", "", 2);
    assert_value(1, "level", "nan", "-0.5", "-0.5", 2);
}

Test(top_values, say_that_they_are_unreadable)
{
    take(&speed, 0, TXTAP_SAMPLE_VALID, 7);
    take(&speed, 1, TXTAP_SAMPLE_UNREADABLE, 0);
    assert_value(0, "speed", "unreadable", "7 rpm", "7 rpm", 1);
    take(&speed, 2, TXTAP_SAMPLE_VALID, 8);
    assert_value(0, "speed", "8 rpm", "7 rpm", "8 rpm", 2);
}

Test(top_values, begin_again_after_a_reset)
{
    take(&speed, 0, TXTAP_SAMPLE_VALID, 7);
    txtap_top_values_reset(&values);
    assert_value(0, "speed", "7 rpm", "", "", 0);
    cr_assert_lt(state.values[0].rate, 0, "unknown");
    take(&speed, 1000, TXTAP_SAMPLE_VALID, 9);
    assert_value(0, "speed", "9 rpm", "9 rpm", "9 rpm", 1);
    txtap_top_values_forget(&values);
    txtap_top_values_look(&values, NULL, &state);
    cr_assert_eq(state.value_count, 0);
}

Test(top_values, have_a_table_on_the_screen)
{
    static char cells[30 * 80];
    struct txtap_top_screen screen = {30, 80, cells, NULL, 0};
    const struct txtap_top_view view = {0};

    take(&speed, 0, TXTAP_SAMPLE_VALID, 7);
    take(&speed, 1000, TXTAP_SAMPLE_VALID, 3000);
    txtap_top_values_look(&values, NULL, &state);
    txtap_top_draw(&state, &view, &screen);
    cr_assert_not_null(memmem(cells, sizeof cells, "VALUE                 LAST", 26), "%.2400s", cells);
    cr_assert_not_null(memmem(cells, sizeof cells, "speed                 3000 rpm", 30), "%.2400s", cells);
    cr_assert_not_null(memmem(cells, sizeof cells, "7 rpm", 5));
}
