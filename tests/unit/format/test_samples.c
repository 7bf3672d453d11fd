/* SPDX-License-Identifier: MIT */
/* Samples in each format of lines. */
#include "format/memory_sink.h"

static const struct txtap_channel_word words[] = {{-1, "BROKEN"}, {0, "IDLE"}, {2, "RUNNING"}};

static const struct txtap_channel
    speed = {.number = 0, .form = TXTAP_FORM_SIGNED, .name = "motor.speed", .unit = "rpm"},
    current = {.number = 1, .form = TXTAP_FORM_FLOAT, .name = "current"},
    state = {.number = 2,
             .form = TXTAP_FORM_STATE,
             .name = "state",
             .words = words,
             .word_count = sizeof words / sizeof *words},
    flag = {.number = 3, .form = TXTAP_FORM_BOOL, .name = "ready"},
    place = {.number = 4, .form = TXTAP_FORM_ADDRESS, .name = "head"},
    pc = {.number = 5, .kind = TXTAP_CHANNEL_PC, .form = TXTAP_FORM_ADDRESS, .name = "pc"},
    uart = {.number = 6, .kind = TXTAP_CHANNEL_LOG, .name = "ttyACM0"};

static void open_format(const char *format, double tick_hz)
{
    open_exporter(format, tick_hz);
    header.timer_mask = 0xFFFF;
    exporter.options.wide = true;
    add_object(TXTAP_OBJECT_THREAD, 0x100, "control");
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    (void)written();
}

static struct txtap_sample sample_of(const struct txtap_channel *channel, uint64_t bits)
{
    return (struct txtap_sample){.channel = channel,
                                 .seq = 7,
                                 .ticks = 1000,
                                 .from_ticks = 990,
                                 .to_ticks = 1010,
                                 .unix_us = 1700000000000007,
                                 .bits = bits,
                                 .text = ""};
}

static const char *shown(const struct txtap_sample *sample)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE, .sample = *sample};

    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
    return written();
}

/* Shows a value in the open format. */
static const char *value_of(const struct txtap_channel *channel, uint64_t bits)
{
    const struct txtap_sample sample = sample_of(channel, bits);

    return shown(&sample);
}

static const char *log_of(const char *text)
{
    struct txtap_sample sample = sample_of(&uart, 0);

    sample.text = text;
    return shown(&sample);
}

/* Shows a sample without a value. */
static const char *without_value(const struct txtap_channel *channel, enum txtap_sample_state why)
{
    struct txtap_sample sample = sample_of(channel, 0);

    sample.state = why;
    return shown(&sample);
}

#define MINUS_3 ((uint64_t)-3)

Test(samples, are_lines_of_text)
{
    open_format("text", 0);
    cr_assert_str_eq(value_of(&speed, MINUS_3), "        1000  value             motor.speed                 -3 rpm\n");
    cr_assert_str_eq(value_of(&current, txtap_sample_bits(0.25)),
                     "        1000  value             current                     0.25\n");
    cr_assert_str_eq(value_of(&state, 2), "        1000  value             state                       RUNNING\n");
    cr_assert_str_eq(value_of(&flag, 1), "        1000  value             ready                       true\n");
    cr_assert_str_eq(value_of(&place, 0x20000100),
                     "        1000  value             head                        0x20000100\n");
    cr_assert_str_eq(without_value(&speed, TXTAP_SAMPLE_UNREADABLE),
                     "        1000  value             motor.speed                 unreadable\n");
    cr_assert_str_eq(without_value(&pc, TXTAP_SAMPLE_ASLEEP),
                     "        1000  pc                pc                          asleep\n");
    cr_assert_str_eq(log_of("booted\033[2J\xff"),
                     "        1000  log               ttyACM0                     booted\\x1b[2J\\xff\n");
}

Test(samples, of_the_program_counter_name_the_thread)
{
    struct txtap_sample sample = sample_of(&pc, 0x08000100);

    sample.thread = 0x100;
    open_format("text", 0);
    cr_assert_str_eq(shown(&sample), "        1000  pc:control        pc                          0x08000100\n");
    open_format("jsonl", 0);
    cr_assert_str_eq(shown(&sample),
                     "{\"type\":\"sample\",\"seq\":7,\"ticks\":1000,\"from_ticks\":990,\"to_ticks\":1010,"
                     "\"kind\":\"pc\",\"thread\":\"control\",\"channel\":\"pc\",\"value\":134217984}\n");
    open_format("csv", 0);
    cr_assert_str_eq(shown(&sample), "sample,7,1000,pc,\"control\",,\"pc\",,,,,,,,,,,,,,0x08000100\r\n");
}

/* The words with which txtap names kinds of samples are quoted if they are names of threads. */
Test(samples, are_not_confused_with_threads)
{
    open_format("text", 0);
    rename_object(0, "log");
    send(event_of(6, 0, 0, 0, 0));
    cr_assert_str_eq(written(), "           0  \"log\"             Running\n");
    rename_object(0, "pc:x");
    send(event_of(6, 0, 0, 0, 0));
    cr_assert_str_eq(written(), "           0  \"pc:x\"            Running\n");
    rename_object(0, "logger");
    send(event_of(6, 0, 0, 0, 0));
    cr_assert_str_eq(written(), "           0  logger            Running\n");
}

#define JSON_START                                                                                                     \
    "{\"type\":\"sample\",\"seq\":7,\"ticks\":1000,\"from_ticks\":990,\"to_ticks\":1010,\"kind\":\"value\","

Test(samples, are_objects_of_json)
{
    open_format("jsonl", 0);
    cr_assert_str_eq(value_of(&speed, MINUS_3),
                     JSON_START "\"channel\":\"motor.speed\",\"value\":-3,\"unit\":\"rpm\"}\n");
    cr_assert_str_eq(value_of(&current, txtap_sample_bits(1e20)),
                     JSON_START "\"channel\":\"current\",\"value\":1e+20}\n");
    cr_assert_str_eq(value_of(&current, txtap_sample_bits(0.0 / 0.0)),
                     JSON_START "\"channel\":\"current\",\"value\":\"nan\"}\n");
    cr_assert_str_eq(value_of(&state, (uint64_t)-1),
                     JSON_START "\"channel\":\"state\",\"value\":-1,\"word\":\"BROKEN\"}\n");
    cr_assert_str_eq(value_of(&state, 5), JSON_START "\"channel\":\"state\",\"value\":5}\n");
    cr_assert_str_eq(value_of(&flag, 1), JSON_START "\"channel\":\"ready\",\"value\":true}\n");
    cr_assert_str_eq(value_of(&place, 16), JSON_START "\"channel\":\"head\",\"value\":16}\n");
    cr_assert_str_eq(without_value(&state, TXTAP_SAMPLE_UNREADABLE),
                     JSON_START "\"channel\":\"state\",\"value\":null,\"state\":\"unreadable\"}\n");
    cr_assert_str_eq(log_of("a \"b\" \xff"),
                     "{\"type\":\"sample\",\"seq\":7,\"ticks\":1000,\"from_ticks\":990,\"to_ticks\":1010,"
                     "\"kind\":\"log\",\"channel\":\"ttyACM0\",\"text\":\"a \\\"b\\\" \\ufffd\"}\n");
}

Test(samples, are_records_of_csv)
{
    open_format("csv", 0);
    cr_assert_str_eq(value_of(&speed, MINUS_3),
                     "sample,7,1000,value,,,\"motor.speed\",,,,,\"unit=rpm\",,,,,,,,,-3\r\n");
    cr_assert_str_eq(value_of(&state, 2), "sample,7,1000,value,,,\"state\",,,,,,,,,,,,,,\"RUNNING\"\r\n");
    cr_assert_str_eq(value_of(&state, (uint64_t)-4), "sample,7,1000,value,,,\"state\",,,,,,,,,,,,,,-4\r\n");
    cr_assert_str_eq(without_value(&speed, TXTAP_SAMPLE_UNREADABLE),
                     "sample,7,1000,value,,,\"motor.speed\",,,,,\"unit=rpm\",,,,,,,,,\r\n");
    cr_assert_str_eq(log_of("=1+1"), "sample,7,1000,log,,,\"ttyACM0\",,,,,,,,,,,,,,\"'=1+1\"\r\n");
}

/* A sample has no time stamp of its own: the stamp follows from the stamp of the last event. */
Test(samples, have_the_times_that_events_have)
{
    struct txtap_sample sample = sample_of(&flag, 0);
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.ticks = 900;
    event.stamp = 0xFFF0;
    open_format("text", 1000);
    exporter.options.time = TXTAP_TIME_DELTA;
    exporter.options.host_time = true;
    send(event);
    (void)written();
    cr_assert_str_eq(shown(&sample),
                     "22:13:20.000007     +0.100000  value             ready                       false\n");
    event.ticks = 1250;
    send(event);
    cr_assert_str_eq(written(), "                    +0.250000  control           Running\n");
    open_format("csv", 1000);
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    exporter.options.host_time = true;
    event.ticks = 900;
    send(event);
    (void)written();
    cr_assert_str_eq(shown(&sample),
                     "sample,7,1000,1.000000,84,1700000000000007,value,,,\"ready\",,,,,,,,,,,,,,false\r\n");
    open_format("jsonl", 1000);
    exporter.options.host_time = true;
    sample.to_ticks = UINT64_MAX;
    cr_assert_str_eq(shown(&sample),
                     "{\"type\":\"sample\",\"seq\":7,\"ticks\":1000,\"seconds\":1.000000,\"from_ticks\":990,"
                     "\"unix_us\":1700000000000007,\"kind\":\"value\",\"channel\":\"ready\",\"value\":false}\n");
}

Test(samples, have_only_the_chosen_columns)
{
    open_format("text", 0);
    exporter.options.columns = TXTAP_COLUMN_EVENT | TXTAP_COLUMN_FIELDS;
    cr_assert_str_eq(value_of(&flag, 0), "ready                       false\n");
    open_format("jsonl", 0);
    exporter.options.columns = TXTAP_COLUMN_FIELDS;
    cr_assert_str_eq(value_of(&speed, 4), "{\"type\":\"sample\",\"value\":4,\"unit\":\"rpm\"}\n");
    open_format("csv", 0);
    exporter.options.columns = TXTAP_COLUMN_SEQ;
    cr_assert_str_eq(value_of(&speed, 4), "sample,7,,,4\r\n");
}
