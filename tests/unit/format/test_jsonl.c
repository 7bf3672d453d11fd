/* SPDX-License-Identifier: MIT */
#include "format/memory_sink.h"
#include "txtap/version.h"

static void set_up(void)
{
    open_exporter("jsonl", 0);
    add_object(TXTAP_OBJECT_THREAD, 0x100, "producer");
    add_object(TXTAP_OBJECT_QUEUE, 0x200, "samples");
}

TestSuite(jsonl, .init = set_up);

static void assert_line(struct txtap_event event, const char *expected)
{
    send(event);
    cr_assert_eq(captured.writes, 0, "lines are collected");
    cr_assert_str_eq(written(), expected);
}

Test(jsonl, begins_with_the_header_and_the_objects)
{
    header = (struct txtap_header){TXTAP_BIG, 0xFFFF, 0x1000, 0x1030, 0x1090, 0x1090, 0x1110, 0x10B0, 7, 32};
    objects[0].parameter[0] = 0x20000550;
    objects[0].parameter[1] = 1024;
    objects[1].live = false;
    add_object(200, 0x300, "");
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_str_eq(
        written(),
        "{\"type\":\"header\",\"tool\":\"txtap\",\"version\":\"" TXTAP_VERSION
        "\",\"schema\":\"txtap-events\",\"schema_version\":1,\"endian\":\"big\",\"timer_mask\":65535,\"base\":4096,"
        "\"registry_start\":4144,\"registry_end\":4240,\"ring_start\":4240,\"ring_end\":4368,"
        "\"ring_entries\":4,\"laps\":7,\"name_bytes\":32}\n"
        "{\"type\":\"object\",\"object\":\"thread\",\"pointer\":256,\"name\":\"producer\",\"live\":true,"
        "\"parameter1\":536872272,\"parameter2\":1024}\n"
        "{\"type\":\"object\",\"object\":\"queue\",\"pointer\":512,\"name\":\"samples\",\"live\":false,"
        "\"parameter1\":0,\"parameter2\":0}\n"
        "{\"type\":\"object\",\"object\":\"type 200\",\"pointer\":768,\"name\":\"\",\"live\":true,"
        "\"parameter1\":0,\"parameter2\":0}\n");
}

Test(jsonl, an_event_is_an_object_with_all_its_keys)
{
    struct txtap_event event = event_of(69, 0x200, 0x20000f3c, 0xFFFFFFFF, 3);

    event.seq = 18446744073709551615ull;
    event.ticks = 12345;
    event.priority = 10;
    event.threshold = 5;
    assert_line(event, "{\"type\":\"event\",\"seq\":18446744073709551615,\"ticks\":12345,\"context\":\"thread\","
                       "\"thread\":\"producer\",\"id\":69,\"event\":\"tx_queue_send\","
                       "\"info\":[512,536874812,4294967295,3],\"fields\":{\"queue\":\"samples\","
                       "\"source\":\"0x20000f3c\",\"wait_option\":\"forever\",\"messages_enqueued\":3},\"priority\":10,"
                       "\"threshold\":5}\n");
}

Test(jsonl, seconds_follow_the_ticks_when_the_tick_rate_is_known)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    exporter.options.tick_hz = 1000;
    event.ticks = 1500;
    assert_line(event, "{\"type\":\"event\",\"seq\":0,\"ticks\":1500,\"seconds\":1.500000,\"context\":\"thread\","
                       "\"thread\":\"producer\",\"id\":6,\"event\":\"Running\",\"info\":"
                       "[0,0,0,0],\"fields\":{},\"priority\":0,\"threshold\":0}\n");
}

Test(jsonl, the_style_of_time_adds_a_key_and_changes_no_other)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    exporter.options.time = TXTAP_TIME_DELTA;
    event.ticks = 500;
    event.stamp = 77;
    send(event);
    cr_assert_not_null(strstr(written(), ",\"ticks\":500,\"delta\":0,\"context\""));
    event.ticks = 750;
    send(event);
    cr_assert_not_null(strstr(written(), ",\"ticks\":750,\"delta\":250,\"context\""));
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    send(event);
    cr_assert_not_null(strstr(written(), ",\"ticks\":750,\"stamp\":77,\"context\""));
}

Test(jsonl, host_time_is_the_last_key_where_it_is_known)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.unix_us = 1700000000000007;
    send(event);
    cr_assert_null(strstr(written(), "unix_us"));
    exporter.options.host_time = true;
    event.core = 1;
    send(event);
    cr_assert_not_null(strstr(written(), ",\"core\":1,\"unix_us\":1700000000000007}\n"));
    event.unix_us = 0;
    send(event);
    cr_assert_null(strstr(written(), "unix_us"));
}

Test(jsonl, doubtful_ticks_are_marked)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.ticks_doubtful = true;
    send(event);
    cr_assert_not_null(strstr(written(), ",\"ticks_doubtful\":true}\n"));
    exporter.options.columns = TXTAP_COLUMN_ID;
    send(event);
    cr_assert_null(strstr(written(), "ticks_doubtful"));
}

Test(jsonl, contexts_are_distinguished)
{
    static const char *const expected[] = {
        [TXTAP_CONTEXT_THREAD] = "\"context\":\"thread\",\"thread\":\"producer\"",
        [TXTAP_CONTEXT_ISR] = "\"context\":\"isr\",\"thread\":\"producer\"",
        [TXTAP_CONTEXT_INIT] = "\"context\":\"init\",\"thread\":null",
        [TXTAP_CONTEXT_IDLE] = "\"context\":\"idle\",\"thread\":null",
    };
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    for (int context = TXTAP_CONTEXT_THREAD; context <= TXTAP_CONTEXT_IDLE; context++) {
        event.context = (enum txtap_context)context;
        send(event);
        cr_assert_not_null(strstr(written(), expected[context]), "%s", expected[context]);
    }
    event.context = TXTAP_CONTEXT_THREAD;
    event.thread = 0x20000198;
    send(event);
    cr_assert_not_null(strstr(written(), "\"context\":\"thread\",\"thread\":\"0x20000198\""));
}

Test(jsonl, unknown_and_user_events_keep_their_words)
{
    assert_line(event_of(199, 1, 2, 0, 4),
                "{\"type\":\"event\",\"seq\":0,\"ticks\":0,\"context\":\"thread\",\"thread\":\"producer\",\"id\":199,"
                "\"event\":null,\"info\":[1,2,0,4],"
                "\"fields\":{\"info1\":\"0x1\",\"info2\":\"0x2\",\"info3\":\"0x0\",\"info4\":\"0x4\"},"
                "\"priority\":0,\"threshold\":0}\n");
    assert_line(event_of(4099, 1, 2, 0, 4),
                "{\"type\":\"event\",\"seq\":0,\"ticks\":0,\"context\":\"thread\",\"thread\":\"producer\",\"id\":4099,"
                "\"event\":\"user event\",\"info\":[1,2,0,4],"
                "\"fields\":{\"info1\":\"0x1\",\"info2\":\"0x2\",\"info3\":\"0x0\",\"info4\":\"0x4\"},"
                "\"priority\":0,\"threshold\":0}\n");
    assert_line(event_of(103, 0, 0, 5, 0),
                "{\"type\":\"event\",\"seq\":0,\"ticks\":0,\"context\":\"thread\",\"thread\":\"producer\",\"id\":103,"
                "\"event\":\"tx_thread_identify\",\"info\":[0,0,5,0],\"fields\":{\"info3\":\"0x5\"},"
                "\"priority\":0,\"threshold\":0}\n");
}

struct field_case {
    uint32_t id, info[4];
    const char *fields;
};

Test(jsonl, every_kind_of_field_has_its_form)
{
    static const struct field_case cases[] = {
        {1,
         {0x100, 4, 0x10, 0x999},
         "{\"thread\":\"producer\",\"previous_state\":\"sleep\",\"stack\":\"0x00000010\","
         "\"next_thread\":\"0x00000999\"}"},
        {2,
         {0, 77, 0, 0},
         "{\"thread\":null,\"new_state\":\"77\",\"stack\":\"0x00000000\","
         "\"next_thread\":null}"},
        {32,
         {0x200, 255, 0, 1},
         "{\"group\":\"samples\",\"requested_flags\":\"0xff\",\"current_flags\":\"0x0\","
         "\"get_option\":\"or_clear\"}"},
        {36,
         {0x200, 1, 0, 2},
         "{\"group\":\"samples\",\"flags_to_set\":\"0x1\",\"set_option\":\"or\","
         "\"suspended_count\":2}"},
        {50, {0x200, 1, 0, 0}, "{\"mutex\":\"samples\",\"priority_inheritance\":\"inherit\",\"stack\":\"0x00000000\"}"},
        {83,
         {0x200, 0, 7, 0},
         "{\"semaphore\":\"samples\",\"wait_option\":\"none\",\"current_count\":7,"
         "\"stack\":\"0x00000000\"}"},
        {83,
         {0x200, 10, 7, 0},
         "{\"semaphore\":\"samples\",\"wait_option\":\"10\",\"current_count\":7,"
         "\"stack\":\"0x00000000\"}"},
        {379, {0x200, 0x0A000001, 0, 0}, "{\"ip\":\"samples\",\"gateway_address\":\"10.0.0.1\"}"},
        {413, {0x200, 0x100, 5, 0}, "{\"ip\":\"samples\",\"socket\":\"0x00000100\",\"socket_state\":\"established\"}"},
        {394, {1, 0xFFFFFFFF, 2, 0}, "{\"packet\":\"0x00000001\",\"packet_status\":\"free\",\"available_packets\":2}"},
    };

    exporter.options.columns = TXTAP_COLUMN_FIELDS;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t *info = cases[i].info;
        char expected[300];
        const char *line;

        snprintf(expected, sizeof(expected), "\"fields\":%s}\n", cases[i].fields);
        send(event_of(cases[i].id, info[0], info[1], info[2], info[3]));
        line = written();
        cr_assert_str_eq(strstr(line, "\"fields\""), expected);
    }
}

struct name_case {
    const char *name, *json;
};

Test(jsonl, names_of_any_bytes_make_valid_strings)
{
    static const struct name_case cases[] = {
        {"two words", "two words"},
        {"say \"hi\"", "say \\\"hi\\\""},
        {"back\\slash", "back\\\\slash"},
        {"\033[31m", "\\u001b[31m"},
        {"\t\n\r\x01", "\\u0009\\u000a\\u000d\\u0001"},
        {"del\x7f", "del\\u007f"},
        {"\xc2\x9b"
         "1m",
         "\\u009b1m"},
        {"\x9b"
         "1m",
         "\\ufffd1m"},
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
        {"\xf0\x9f\x90\x9f", "\xf0\x9f\x90\x9f"},
        {"cut \xe2\x82", "cut \\ufffd\\ufffd"},
        {"\xc0\xaf", "\\ufffd\\ufffd"},
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
        {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
    };

    exporter.options.columns = TXTAP_COLUMN_FIELDS;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char expected[200];

        rename_object(1, cases[i].name);
        snprintf(expected, sizeof(expected), "\"fields\":{\"queue\":\"%s\"}}\n", cases[i].json);
        send(event_of(70, 0x200, 0, 0, 0));
        cr_assert_str_eq(strstr(written(), "\"fields\""), expected);
    }
}

Test(jsonl, the_longest_names_still_fit_in_one_whole_object)
{
    struct txtap_event event = event_of(1, 0x200, 0x200, 0x200, 0x200);

    for (size_t i = 0; i < 2; i++)
        memset(objects[i].name, '\033', sizeof(objects[i].name) - 1);
    exporter.options.tick_hz = 1e-300;
    event.seq = event.ticks = UINT64_MAX;
    send(event);
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK);
    cr_assert_eq(captured.writes, 1);
    cr_assert_geq(captured.length, 3 * 63 * 6);
    cr_assert_not_null(strstr(captured.text, "\"},\"priority\":0,\"threshold\":0}\n"));
}

Test(jsonl, a_gap_is_where_the_events_are_missing)
{
    struct txtap_gap gap = {.seq = 17, .lost = 1234, .exact = true};

    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "{\"type\":\"gap\",\"seq\":17,\"lost\":1234,\"exact\":true}\n");
    gap.exact = false;
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "{\"type\":\"gap\",\"seq\":17,\"lost\":1234,\"exact\":false}\n");
    gap.estimate = 3282;
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "{\"type\":\"gap\",\"seq\":17,\"lost\":1234,\"exact\":false,\"estimate\":3282}\n");
}

Test(jsonl, begin_stops_when_the_reader_is_gone)
{
    static struct txtap_object many[1000];

    registry.objects = many;
    registry.count = registry.capacity = sizeof(many) / sizeof(many[0]);
    captured.answer = TXTAP_END;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_END);
    cr_assert_eq(captured.writes, 1);
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
}

Test(jsonl, an_interrupt_has_no_priority)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.context = TXTAP_CONTEXT_ISR;
    event.priority = 3;
    assert_line(event, "{\"type\":\"event\",\"seq\":0,\"ticks\":0,\"context\":\"isr\",\"thread\":\"producer\","
                       "\"id\":6,\"event\":\"Running\",\"info\":[0,0,0,0],\"fields\":{}}\n");
}

Test(jsonl, cores_other_than_the_first_have_a_key)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.core = 3;
    send(event);
    cr_assert_not_null(strstr(written(), "\"fields\":{},\"priority\":0,\"threshold\":0,\"core\":3}"));
}

Test(jsonl, only_requested_keys_are_there)
{
    struct txtap_event event = event_of(69, 0x200, 0, 0, 0);

    cr_assert(txtap_columns_parse("event,seq", &exporter.options.columns));
    assert_line(event, "{\"type\":\"event\",\"seq\":0,\"event\":\"tx_queue_send\"}\n");
    cr_assert(txtap_columns_parse("thread,threshold", &exporter.options.columns));
    assert_line(event, "{\"type\":\"event\",\"thread\":\"producer\",\"threshold\":0}\n");
}

Test(jsonl, a_mark_has_its_own_type)
{
    static const char *const types[TXTAP_MARK_KINDS] = {"detached", "attached", "reset",   "moved",
                                                        "disabled", "enabled",  "trigger", "unsure",
                                                        "halted",   "running",  "check",   "fault"};

    for (int kind = 0; kind < TXTAP_MARK_KINDS; kind++) {
        struct txtap_mark mark = {.kind = (enum txtap_mark_kind)kind, .seq = 7, .text = "a \"b\""};
        char expected[100];

        cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
        snprintf(expected, sizeof(expected), "{\"type\":\"%s\",\"seq\":7,\"text\":\"a \\\"b\\\"\"}\n", types[kind]);
        cr_assert_str_eq(written(), expected);
    }
}

Test(jsonl, host_time_is_there_if_known)
{
    struct txtap_mark mark = {.kind = TXTAP_MARK_RESET, .unix_us = 1700000000000001, .text = ""};

    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(written(), "{\"type\":\"reset\",\"seq\":0,\"unix_us\":1700000000000001,\"text\":\"\"}\n");
}

Test(jsonl, names_words_that_the_kernel_had_not_written_yet)
{
    struct txtap_event event = event_of(10, 0, 0, 5, 3);

    send(event);
    cr_assert(strstr(written(), "\"available_blocks\":3},\"pending\":[\"memory\"]"), "%s", written());
    event.info[1] = 0x20001000;
    send(event);
    cr_assert_not(strstr(written(), "pending"), "%s", written());
    event = event_of(419, 0x200, 0, 0, 0);
    send(event);
    cr_assert(strstr(written(), "\"pending\":[\"packet\",\"length\",\"rx_sequence\"]"), "%s", written());
}

/* ---- functions ---- */

static struct txtap_definition definition[1];
static char strings[256];
static struct txtap_definitions definitions;

Test(jsonl, names_of_functions_follow_the_fields)
{
    static const char text[] = "function 0x08000100 \"on_receive\"\n"
                               "event 4096 \"e\" \"{0=done:function} {1=notify:function} {2=other:function}\"\n";
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){definition, 1, NULL, 0, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, text, sizeof text - 1, &problem), TXTAP_OK);
    exporter.definitions = &definitions;
    assert_line(event_of(4096, 0x08000101, 0, 0x08000200, 0),
                "{\"type\":\"event\",\"seq\":0,\"ticks\":0,\"context\":\"thread\",\"thread\":\"producer\",\"id\":4096,"
                "\"event\":\"e\",\"info\":[134217985,0,134218240,0],\"fields\":{\"done\":\"0x08000101\","
                "\"notify\":\"0x00000000\",\"other\":\"0x08000200\"},\"functions\":{\"done\":\"on_receive\"},"
                "\"priority\":0,\"threshold\":0}\n");
}
