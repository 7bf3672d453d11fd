/* SPDX-License-Identifier: MIT */
/* The options of txtap record: units, triggers, and invalid values. */
#include "options/options.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct record_options options;

static error_t parse_one(int key, char *text, struct argp_state *state)
{
    return record_option(&options, key, text, state);
}

static void parse(const char *first, const char *second)
{
    static const struct argp argp = {.options = record_option_rows, .parser = parse_one};
    static char name[] = "record", one[640], two[640];
    char *words[] = {name, one, second ? two : NULL, NULL};

    snprintf(one, sizeof one, "%s", first);
    snprintf(two, sizeof two, "%s", second ? second : "");
    memset(&options, 0, sizeof options);
    argp_err_exit_status = 2;
    cr_assert_eq(argp_parse(&argp, second ? 3 : 2, words, 0, NULL, NULL), 0);
}

static uint64_t size_of(const char *text)
{
    parse("-C", text);
    return options.file_bytes;
}

static uint64_t before(const char *text)
{
    char option[64];

    snprintf(option, sizeof option, "--before=%s", text);
    parse("--trigger=event=1", option);
    return options.before_us;
}

Test(record_options, has_the_size_units_of_tcpdump)
{
    cr_assert_eq(size_of("10"), 10000000);
    cr_assert_eq(size_of("512k"), 512 * 1024);
    cr_assert_eq(size_of("3M"), 3 * 1024 * 1024);
    cr_assert_eq(size_of("2g"), UINT64_C(2) << 30);
}

Test(record_options, a_file_may_last_hours)
{
    parse("-G", "1h");
    cr_assert_eq(options.file_seconds, 3600);
    parse("-G", "90");
    cr_assert_eq(options.file_seconds, 90);
}

Test(record_options, takes_times_with_units)
{
    cr_assert_eq(before("2s"), 2000000);
    cr_assert_eq(before("2"), 2000000);
    cr_assert_eq(before("500ms"), 500000);
    cr_assert_eq(before("1.5s"), 1500000);
    cr_assert_eq(before("250us"), 250);
    cr_assert_eq(before("1min"), 60000000);
    cr_assert_eq(before("0s"), 0);
    cr_assert_eq(options.after_us, 1000000, "the default is a second");
}

Test(record_options, compresses_at_level_3_by_default)
{
    parse("--compress", NULL);
    cr_assert_eq(options.compress, 3);
    parse("--compress=19", NULL);
    cr_assert_eq(options.compress, 19);
}

Test(record_options, a_trigger_is_a_filter_and_keeps_its_text)
{
    const struct txtap_filter *filter;

    parse("--trigger=event=tx_queue_send thread=\"the producer\"  object='a b'c context=isr", NULL);
    filter = &options.triggers[0].filter;
    cr_assert_eq(options.trigger_count, 1);
    cr_assert_eq(filter->count, 3);
    cr_assert_str_eq(filter->rules[0].pattern, "tx_queue_send");
    cr_assert_eq(filter->rules[1].kind, TXTAP_FILTER_THREAD);
    cr_assert_str_eq(filter->rules[1].pattern, "the producer");
    cr_assert_eq(filter->rules[2].kind, TXTAP_FILTER_OBJECT);
    cr_assert_str_eq(filter->rules[2].pattern, "a bc");
    cr_assert_neq(filter->contexts, 0);
    cr_assert_str_eq(options.triggers[0].text,
                     "event=tx_queue_send thread=\"the producer\"  object='a b'c context=isr");
}

Test(record_options, a_trigger_may_be_a_check)
{
    parse("--trigger=check=wake(a b).p99 <= 200us", "--trigger=event=1");
    cr_assert_eq(options.check_count, 1);
    cr_assert_eq(options.trigger_count, 1);
    cr_assert_str_eq(options.checks[0].text, "wake(a b).p99 <= 200us");
    cr_assert_str_eq(options.checks[0].pattern, "a b");
    cr_assert(record_has_triggers(&options));
}

Test(record_options, several_triggers_are_alternatives)
{
    parse("--trigger=event=1", "--trigger=event=2");
    cr_assert_eq(options.trigger_count, 2);
    cr_assert_eq(options.triggers[1].filter.rules[0].number, 2);
}

static const char *too_long(void)
{
    static char text[600] = "--trigger=event=";

    memset(text + strlen(text), 'x', sizeof text - 1 - strlen(text));
    return text;
}

#define REFUSES(name, first, second)                                                                                   \
    Test(record_options, refuses_##name, .exit_code = 2)                                                               \
    {                                                                                                                  \
        parse(first, second);                                                                                          \
    }

REFUSES(a_size_of_0, "-C", "0")
REFUSES(a_size_with_a_sign, "-C", "-1")
REFUSES(a_size_with_an_unknown_unit, "-C", "1x")
REFUSES(a_size_with_two_units, "-C", "1kk")
REFUSES(a_size_too_large, "-C", "99999999999999999999")
REFUSES(files_of_half_seconds, "-G", "1.5")
REFUSES(files_of_less_than_a_second, "-G", "500ms")
REFUSES(a_count_without_files_to_count, "-W", "3")
REFUSES(a_file_of_no_bytes, "-C", "0.001k")
REFUSES(a_level_too_high, "--compress=20", NULL)
REFUSES(a_trigger_without_end, too_long(), NULL)
REFUSES(an_empty_trigger, "--trigger=", NULL)
REFUSES(a_trigger_of_blanks, "--trigger=  ", NULL)
REFUSES(a_trigger_of_something_else, "--trigger=colour=red", NULL)
REFUSES(a_trigger_without_a_value, "--trigger=event=", NULL)
REFUSES(a_quote_that_is_not_closed, "--trigger=thread=\"a b", NULL)
REFUSES(a_context_that_is_none, "--trigger=context=moon", NULL)
REFUSES(a_time_without_a_trigger, "--before=1s", NULL)
REFUSES(a_time_with_an_unknown_unit, "--trigger=event=1", "--before=1x")
REFUSES(a_negative_time, "--trigger=event=1", "--after=-1s")
REFUSES(a_time_of_days, "--trigger=event=1", "--before=61min")
