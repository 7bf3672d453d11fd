/* SPDX-License-Identifier: MIT */
#include "format/memory_sink.h"
#include "sanitized.h"

static void set_up(void)
{
    open_exporter("text", 0);
    exporter.options.wide = true;
    add_object(TXTAP_OBJECT_THREAD, 0x100, "producer");
    add_object(TXTAP_OBJECT_QUEUE, 0x200, "samples");
    add_object(TXTAP_OBJECT_QUEUE, 0x300, "worker 1");
    add_object(TXTAP_OBJECT_THREAD, 0x400, "");
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_eq(captured.writes, 0);
}

TestSuite(text, .init = set_up);

/* Checks the whole line. It must be written in one call. */
static void assert_line(struct txtap_event event, const char *expected)
{
    send(event);
    cr_assert_eq(captured.writes, 0, "lines are collected");
    cr_assert_str_eq(written(), expected);
}

static void rename_thread(const char *name)
{
    rename_object(0, name);
}

static void assert_fields(struct txtap_event event, const char *expected)
{
    const char *fields;

    send(event);
    fields = strchr(written() + 32, '=');
    cr_assert_not_null(fields);
    while (fields[-1] != ' ')
        fields--;
    cr_assert_str_eq(fields, expected);
}

Test(text, formats_are_found_by_name)
{
    cr_assert_str_eq(txtap_exporter_find("text")->name, "text");
    cr_assert_str_eq(txtap_exporter_find("jsonl")->name, "jsonl");
    cr_assert_null(txtap_exporter_find("json"));
    cr_assert_null(txtap_exporter_find(""));
    cr_assert_str_eq(txtap_exporter_names(), "text, jsonl, csv, trx, vcd, vcd-wires, ctf, perfetto");
}

Test(text, an_event_is_a_line_of_columns_and_fields)
{
    struct txtap_event event = event_of(69, 0x200, 0x20000f3c, 0xFFFFFFFF, 3);

    event.ticks = 12345;
    assert_line(event, "       12345  producer          tx_queue_send               "
                       "queue=samples source=0x20000f3c wait_option=forever messages_enqueued=3\n");
}

Test(text, time_is_in_seconds_when_the_tick_rate_is_known)
{
    struct txtap_event event = event_of(103, 0, 0, 0, 0);

    exporter.options.tick_hz = 168e6;
    event.ticks = 168000000ull * 3661 + 84;
    assert_line(event, " 3661.000001  producer          tx_thread_identify\n");
    event.ticks = 0;
    assert_line(event, "    0.000000  producer          tx_thread_identify\n");
    exporter.options.tick_hz = 1e-300;
    event.ticks = UINT64_MAX;
    assert_line(event, "1000000000000.000000  producer          tx_thread_identify\n");
}

Test(text, the_time_of_day_comes_first_if_known)
{
    struct txtap_event event = event_of(103, 0, 0, 0, 0);
    struct txtap_gap gap = {.seq = 17, .lost = 3, .exact = true};

    exporter.options.host_time = true;
    event.unix_us = 1700000000000007; /* 2023-11-14 22:13:20 UTC */
    assert_line(event, "22:13:20.000007             0  producer          tx_thread_identify\n");
    exporter.options.utc_offset_s = 2 * 3600 + 49 * 60;
    event.unix_us -= 11 * 1000000 + 8;
    assert_line(event, "01:02:08.999999             0  producer          tx_thread_identify\n");
    exporter.options.utc_offset_s = -23 * 3600;
    assert_line(event, "23:13:08.999999             0  producer          tx_thread_identify\n");
    event.unix_us = 0;
    assert_line(event, "                            0  producer          tx_thread_identify\n");
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "                          ---  3 events lost\n");
    exporter.options.columns = TXTAP_COLUMN_EVENT;
    assert_line(event, "tx_thread_identify\n");
}

Test(text, time_is_shown_in_the_style_that_was_asked_for)
{
    struct txtap_event event = event_of(103, 0, 0, 0, 0);

    event.ticks = 1000;
    event.stamp = 0xFFFFFF00;
    exporter.options.time = TXTAP_TIME_DELTA;
    assert_line(event, "          +0  producer          tx_thread_identify\n");
    event.ticks = 1500;
    assert_line(event, "        +500  producer          tx_thread_identify\n");
    exporter.options.tick_hz = 1000;
    event.ticks = 1750;
    assert_line(event, "   +0.250000  producer          tx_thread_identify\n");
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    assert_line(event, "4294967.040000  producer          tx_thread_identify\n");
    exporter.options.tick_hz = 0;
    assert_line(event, "  4294967040  producer          tx_thread_identify\n");
}

Test(text, names_are_remembered_only_until_the_registry_changes)
{
    assert_line(event_of(6, 0, 0, 0, 0), "           0  producer          Running\n");
    rename_object(0, "renamed");
    assert_line(event_of(6, 0, 0, 0, 0), "           0  renamed           Running\n");
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    assert_line(event_of(6, 0, 0, 0, 0), "           0  renamed           Running\n");
}

Test(text, events_whose_ids_share_a_cache_slot_do_not_share_names)
{
    for (int i = 0; i < 2; i++) {
        assert_fields(event_of(1, 0, 0, 0, 0), "thread=none previous_state=ready stack=0x00000000 next_thread=none\n");
        assert_fields(event_of(1 + TXTAP_EXPORTER_EVENTS, 1, 2, 3, 4), "info1=0x1 info2=0x2 info3=0x3 info4=0x4\n");
    }
}

Test(text, a_line_without_fields_has_no_blanks_at_its_end)
{
    assert_line(event_of(103, 0, 0, 0, 0), "           0  producer          tx_thread_identify\n");
}

Test(text, contexts_are_distinguished)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.context = TXTAP_CONTEXT_ISR;
    assert_line(event, "           0  isr:producer      Running\n");
    event.thread = 0x500;
    assert_line(event, "           0  isr:0x00000500    Running\n");
    event.context = TXTAP_CONTEXT_THREAD;
    assert_line(event, "           0  0x00000500        Running\n");
    event.thread = 0x400;
    assert_line(event, "           0  0x00000400        Running\n");
    event.thread = 0;
    event.context = TXTAP_CONTEXT_IDLE;
    assert_line(event, "           0  isr               Running\n");
    event.context = TXTAP_CONTEXT_INIT;
    assert_line(event, "           0  init              Running\n");
}

Test(text, a_threads_name_cannot_look_like_an_interrupt_or_two_columns)
{
    static const char *const names[][2] = {
        {"isr", "\"isr\"           "},   {"isr:x", "\"isr:x\"         "},  {"init", "\"init\"          "},
        {"isrx", "isrx            "},    {"a b", "a b             "},      {"a  b", "\"a  b\"          "},
        {" a", "\" a\"            "},    {"a ", "\"a \"            "},     {"a=b", "\"a=b\"           "},
        {"a\nb", "\"a\\x0ab\"        "}, {"a\"b", "\"a\\\"b\"          "},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char expected[80];

        rename_thread(names[i][0]);
        snprintf(expected, sizeof(expected), "           0  %s  Running\n", names[i][1]);
        assert_line(event_of(6, 0, 0, 0, 0), expected);
    }
}

Test(text, the_context_column_grows_to_24_and_stays)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    rename_thread("System Timer Thread");
    assert_line(event, "           0  System Timer Thread  Running\n");
    rename_thread("x");
    assert_line(event, "           0  x                    Running\n");
    rename_thread("a name of twenty-seven byte");
    assert_line(event, "           0  a name of twenty-seven byte  Running\n");
    rename_thread("x");
    assert_line(event, "           0  x                         Running\n");
}

Test(text, columns_are_counted_in_characters_not_in_bytes)
{
    rename_thread("\xc3\xa9v\xc3\xa9nement");
    assert_line(event_of(6, 0, 0, 0, 0), "           0  \xc3\xa9v\xc3\xa9nement         Running\n");
}

Test(text, long_event_names_push_the_fields)
{
    assert_line(event_of(54, 0x200, 0, 0, 0),
                "           0  producer          tx_mutex_performance_info_get  mutex=samples\n");
}

Test(text, user_events_show_their_number_and_all_their_words)
{
    assert_line(event_of(4096, 0, 0xDEADBEEF, 16, 0xFFFFFFFF),
                "           0  producer          user event 4096             info1=0x0 info2=0xdeadbeef info3=0x10 "
                "info4=0xffffffff\n");
    assert_line(
        event_of(65535, 1, 2, 3, 4),
        "           0  producer          user event 65535            info1=0x1 info2=0x2 info3=0x3 info4=0x4\n");
}

Test(text, unknown_events_show_their_number_and_all_their_words)
{
    assert_line(
        event_of(199, 1, 0, 0, 0x2000),
        "           0  producer          event 199                   info1=0x1 info2=0x0 info3=0x0 info4=0x2000\n");
}

Test(text, words_that_are_not_in_the_table_are_shown_if_not_zero)
{
    assert_line(event_of(103, 0, 7, 0, 0), "           0  producer          tx_thread_identify          info2=0x7\n");
    assert_line(
        event_of(120, 5, 0x10, 0, 9),
        "           0  producer          tx_time_get                 current_time=5 stack=0x00000010 info4=0x9\n");
}

Test(text, the_profile_decides_ids_of_two_meanings)
{
    assert_line(event_of(442, 0x200, 0, 0, 0),
                "           0  producer          nx_ip_static_route_disable  ip=samples\n");
    exporter.options.profile = TXTAP_PROFILE_NETX;
    assert_line(event_of(442, 0x200, 0x0A000000, 0xFFFFFF00, 0),
                "           0  producer          nx_ip_static_route_delete   "
                "ip=samples network_address=10.0.0.0 net_mask=255.255.255.0\n");
}

Test(text, fields_are_shown_according_to_their_kind)
{
    assert_fields(event_of(1, 0x300, 5, 0x2000A77C, 0), "thread=\"worker 1\" previous_state=queue_susp "
                                                        "stack=0x2000a77c next_thread=none\n");
    assert_fields(event_of(2, 0x400, 99, 0, 0x777), "thread=0x00000400 new_state=99 stack=0x00000000 "
                                                    "next_thread=0x00000777\n");
    assert_fields(event_of(32, 0x200, 0xF0, 0, 3), "group=samples requested_flags=0xf0 current_flags=0x0 "
                                                   "get_option=and_clear\n");
    assert_fields(event_of(36, 0x200, 1, 2, 0), "group=samples flags_to_set=0x1 set_option=and suspended_count=0\n");
    assert_fields(event_of(36, 0x200, 1, 3, 0), "group=samples flags_to_set=0x1 set_option=3 suspended_count=0\n");
    assert_fields(event_of(50, 0x200, 1, 0x10, 0), "mutex=samples priority_inheritance=inherit stack=0x00000010\n");
    assert_fields(event_of(50, 0x200, 0, 0x10, 0), "mutex=samples priority_inheritance=none stack=0x00000010\n");
    assert_fields(event_of(52, 0x200, 0, 0x100, 2), "mutex=samples wait_option=none owning_thread=producer "
                                                    "ownership_count=2\n");
    assert_fields(event_of(52, 0x200, 50, 0x100, 2), "mutex=samples wait_option=50 owning_thread=producer "
                                                     "ownership_count=2\n");
    assert_fields(event_of(323, 0x200, 0x300, 5, 11), "ip=samples socket=\"worker 1\" previous_state=established "
                                                      "new_state=last_ack\n");
    assert_fields(event_of(323, 0x200, 0x300, 0, 12), "ip=samples socket=\"worker 1\" previous_state=0 new_state=12\n");
    assert_fields(event_of(308, 0x200, 0xC0A8000A, 0x50, 40), "ip=samples source_ip=192.168.0.10 "
                                                              "packet=0x00000050 packet_length=40\n");
    assert_fields(event_of(394, 0x50, 0xAAAAAAAA, 9, 0), "packet=0x00000050 packet_status=allocated "
                                                         "available_packets=9\n");
    assert_fields(event_of(394, 0x50, 0xFFFFFFFF, 9, 0), "packet=0x00000050 packet_status=free available_packets=9\n");
    assert_fields(event_of(394, 0x50, 0x1234, 9, 0), "packet=0x00000050 packet_status=0x00001234 "
                                                     "available_packets=9\n");
}

struct name_case {
    const char *name, *shown;
};

Test(text, names_reach_no_terminal_unescaped)
{
    static const struct name_case cases[] = {
        {"plain-name_1.x:y/z", "plain-name_1.x:y/z"},
        {"two words", "\"two words\""},
        {"a=b", "\"a=b\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"back\\slash", "\"back\\\\slash\""},
        {"\033[31mred\033[0m", "\"\\x1b[31mred\\x1b[0m\""},
        {"\033]0;title\a", "\"\\x1b]0;title\\x07\""},
        {"tab\tnewline\ncr\r", "\"tab\\x09newline\\x0acr\\x0d\""},
        {"del\x7f", "\"del\\x7f\""},
        {"\xc2\x9b"
         "31m",
         "\"\\xc2\\x9b31m\""}, /* C1 CSI as UTF-8 */
        {"\x9b"
         "31m",
         "\"\\x9b31m\""},                           /* C1 CSI as a byte */
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"}, /* valid, so it stays */
        {"\xe2\x82\xac", "\xe2\x82\xac"},
        {"\xf0\x9f\x90\x9f", "\xf0\x9f\x90\x9f"},
        {"cut \xe2\x82", "\"cut \\xe2\\x82\""},
        {"\xc0\xaf", "\"\\xc0\\xaf\""}, /* an overlong encoding */
        {"\xe0\x80\xaf", "\"\\xe0\\x80\\xaf\""},
        {"\xf0\x80\x80\xaf", "\"\\xf0\\x80\\x80\\xaf\""},
        {"\xed\xa0\x80", "\"\\xed\\xa0\\x80\""},          /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\""}, /* above the last code point of Unicode */
        {"\xff\xfe", "\"\\xff\\xfe\""},
        {"\xc3(", "\"\\xc3(\""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char expected[200];

        rename_object(1, cases[i].name);
        snprintf(expected, sizeof(expected), "queue=%s\n", cases[i].shown);
        assert_fields(event_of(70, 0x200, 0, 0, 0), expected);
    }
}

Test(text, of_any_byte_writes_only_printable_characters)
{
    for (unsigned first = 1; first < 256; first++) {
        for (unsigned second = 1; second < 256; second += RUNS_DIVISOR) {
            const char name[] = {(char)first, (char)second, '\0'};
            const char *line;

            rename_object(0, name);
            send(event_of(6, 0, 0, 0, 0));
            for (line = written(); *line != '\n'; line++) {
                unsigned char byte = (unsigned char)*line;

                cr_assert(byte >= 0x20 && byte != 0x7F, "%02x %02x", first, second);
                cr_assert(byte < 0x80 || byte == first || byte == second);
                if (byte == 0xC2)
                    cr_assert_geq((unsigned char)line[1], 0xA0, "%02x %02x", first, second);
            }
            cr_assert_eq(line[1], '\0');
        }
    }
}

Test(text, the_longest_names_still_fit_in_one_line)
{
    for (size_t i = 0; i < 4; i++)
        memset(objects[i].name, '\033', sizeof(objects[i].name) - 1);
    send(event_of(1, 0x300, 5, 0x200, 0x200));
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK);
    cr_assert_eq(captured.writes, 1);
    cr_assert_eq(captured.text[captured.length - 1], '\n');
    cr_assert_eq(captured.text[captured.length - 2], '"');
    cr_assert_gt(captured.length, 3 * 63 * 4);
}

Test(text, a_gap_says_how_much_was_lost)
{
    struct txtap_gap gap = {.seq = 17, .lost = 1234, .exact = true};

    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  1234 events lost\n");
    gap.exact = false;
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  at least 1234 events lost\n");
    gap.estimate = 3282;
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  at least 1234 events lost, by their rate 3282\n");
    gap.lost = gap.estimate = 0;
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  events may be lost here: nobody knows how many\n");
    gap.lost = 1;
    gap.exact = true;
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  1 event lost\n");
}

Test(text, colours_change_no_column_and_are_always_switched_off)
{
    struct txtap_gap gap = {.lost = 2, .exact = true};
    struct txtap_event event = event_of(13, 0x200, 0, 0, 0);

    exporter.options.color = true;
    assert_line(event, "           0  \033[32mproducer\033[0m          \033[36mtx_block_pool_info_get\033[0m      "
                       "pool=samples\n");
    event.context = TXTAP_CONTEXT_IDLE;
    event.id = 5000;
    assert_line(event, "           0  \033[33misr\033[0m               \033[1muser event 5000\033[0m             "
                       "info1=0x200 info2=0x0 info3=0x0 info4=0x0\n");
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  \033[31m2 events lost\033[0m\n");
}

Test(text, whole_lines_are_written_when_many_are_collected_or_on_request)
{
    size_t length, sent = 0;

    send(event_of(6, 0, 0, 0, 0));
    length = strlen(written());
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK);
    cr_assert_eq(captured.length, 0, "nothing is written twice");
    for (captured.writes = 0; captured.writes == 0; sent++)
        send(event_of(6, 0, 0, 0, 0));
    cr_assert_gt(captured.length, TXTAP_EXPORTER_CHUNK_BYTES - 9000u);
    cr_assert_eq(captured.length, (sent - 1) * length, "without the line that did not fit");
    cr_assert_eq(strlen(written()), sent * length);
}

Test(text, the_sinks_status_is_passed_on)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);
    struct txtap_gap gap = {.lost = 2};
    enum txtap_status status = TXTAP_OK;

    captured.answer = TXTAP_END;
    for (int i = 0; i < 10000 && status == TXTAP_OK; i++)
        status = exporter.ops->event(&exporter, &event);
    cr_assert_eq(status, TXTAP_END);
    captured.answer = TXTAP_ERROR_SYSTEM;
    captured.length = 0;
    status = TXTAP_OK;
    for (int i = 0; i < 10000 && status == TXTAP_OK; i++)
        status = exporter.ops->gap(&exporter, &gap);
    cr_assert_eq(status, TXTAP_ERROR_SYSTEM);
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK, "what could not be written is forgotten");
    send(event);
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_ERROR_SYSTEM);
}

Test(text, other_cores_are_shown_and_no_name_looks_like_one)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.core = 1;
    assert_line(event, "           0  core1:producer    Running\n");
    event.context = TXTAP_CONTEXT_ISR;
    assert_line(event, "           0  core1:isr:producer  Running\n");
    event.core = 0;
    event.context = TXTAP_CONTEXT_THREAD;
    rename_thread("core1:producer");
    assert_line(event, "           0  \"core1:producer\"    Running\n");
    rename_thread("corer");
    assert_line(event, "           0  corer               Running\n");
}

Test(text, only_requested_columns_are_there)
{
    struct txtap_event event = event_of(69, 0x200, 1, 0, 0);

    event.ticks = 7;
    event.seq = 42;
    event.priority = 10;
    event.threshold = 5;
    cr_assert(txtap_columns_parse("time", &exporter.options.columns));
    assert_line(event, "           7\n");
    cr_assert(txtap_columns_parse("seq,thread,priority,threshold,id", &exporter.options.columns));
    assert_line(event, "        42  producer            10     5     69\n");
    event.context = TXTAP_CONTEXT_ISR;
    assert_line(event, "        42  isr:producer                     69\n");
    cr_assert(txtap_columns_parse("event,info", &exporter.options.columns));
    assert_line(event, "tx_queue_send               0x00000200  0x00000001  0x00000000  0x00000000\n");
    cr_assert(txtap_columns_parse("fields", &exporter.options.columns));
    assert_line(event, "queue=samples source=0x00000001 wait_option=none messages_enqueued=0\n");
}

Test(text, columns_are_named_one_by_one_and_nothing_else_is)
{
    unsigned columns = 77;

    cr_assert_not(txtap_columns_parse("", &columns));
    cr_assert_not(txtap_columns_parse("time,", &columns));
    cr_assert_not(txtap_columns_parse(",time", &columns));
    cr_assert_not(txtap_columns_parse("tim", &columns));
    cr_assert_not(txtap_columns_parse("time,times", &columns));
    cr_assert_eq(columns, 77);
    cr_assert_str_eq(txtap_columns_names(),
                     "seq, time, core, context, thread, priority, threshold, id, event, info, fields");
    cr_assert(txtap_columns_parse("seq,time,core,context,thread,priority,threshold,id,event,info,fields", &columns));
    cr_assert_eq(columns, (1u << 11) - 1);
}

static void assert_shown(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4,
                         const char *expected)
{
    char line[256];

    exporter.options.columns = TXTAP_COLUMN_FIELDS;
    (void)snprintf(line, sizeof(line), "%s\n", expected);
    assert_line(event_of(id, info1, info2, info3, info4), line);
}

Test(text, error_codes_have_names)
{
    assert_shown(999, 0x53, 0, 0, 0,
                 "error_code=endpoint_handle_unknown related_ptr_or_value=0x0 additional_value=0x0");
    assert_shown(999, 0x1234, 0, 0, 0, "error_code=0x1234 related_ptr_or_value=0x0 additional_value=0x0");
    assert_shown(868, 1, 0x5c, 0, 0, "transfer_request=0x00000001 completion_code=transfer_timeout");
}

Test(text, requests_of_filex_and_netx_have_names)
{
    assert_shown(247, 0, 0, 0, 2, "media=none file=none file_name=0x00000000 open_type=read_fast");
    assert_shown(249, 0, 9, 3, 0, "file=none byte_offset=9 seek_from=back previous_offset=0");
    assert_shown(264, 0, 0, 3, 0, "media=none volume_name=0x00000000 volume_source=directory_sector");
    assert_shown(374, 0, 12, 0, 0, "ip=none command=get_duplex_type return_value=0x0?");
}

Test(text, bits_are_shown_by_name_and_the_rest_as_a_number)
{
    assert_shown(220, 0, 0, 0x21, 0, "media=none directory_name=0x00000000 attributes=read_only|archive");
    assert_shown(220, 0, 0, 0x1C0, 0, "media=none directory_name=0x00000000 attributes=0x1c0");
    assert_shown(220, 0, 0, 0x90, 0, "media=none directory_name=0x00000000 attributes=directory|0x80");
    assert_shown(220, 0, 0, 0, 0, "media=none directory_name=0x00000000 attributes=0x0?");
    assert_shown(257, 0, 0, 0, 9,
                 "media=none scratch_memory=0x00000000 scratch_memory_size=0 errors=fat_chain|file_size");
    assert_shown(385, 0, 4, 0x105, 0,
                 "ip=none needed_status=link_enabled "
                 "actual_status=initialize_done|link_enabled|interface_link_enabled wait_option=none");
}

Test(text, a_mark_is_a_line_of_its_own)
{
    struct txtap_mark mark = {.kind = TXTAP_MARK_RESET, .seq = 4, .text = "the lap count went back"};

    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  reset: the lap count went back\n");
    mark = (struct txtap_mark){.kind = TXTAP_MARK_ENABLED, .text = ""};
    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  enabled\n");
    mark = (struct txtap_mark){.kind = TXTAP_MARK_DETACHED, .text = "\033[2J"};
    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(written(), "         ---  detached: \\x1b[2J\n");
}

Test(text, marks_words_that_the_kernel_had_not_written_yet)
{
    struct txtap_event event = event_of(1, 0x100, 1, 0x20000f3c, 0x100);

    assert_shown(10, 0, 0, 5, 3, "pool=none memory=0x00000000? wait_option=5 available_blocks=3");
    assert_shown(10, 0, 0, 0, 3, "pool=none memory=0x00000000 wait_option=none available_blocks=3");
    assert_shown(10, 0, 0x20001000, 5, 3, "pool=none memory=0x20001000 wait_option=5 available_blocks=3");
    assert_shown(1, 0, 1, 0x20000f3c, 0, "thread=none previous_state=completed stack=0x20000f3c next_thread=none");
    event.unsettled = true;
    send(event);
    cr_assert(strstr(written(), "next_thread=producer?\n"), "%s", written());
}

Test(text, stack_pointers_are_shown_only_when_lines_may_be_wide)
{
    exporter.options.wide = false;
    assert_fields(event_of(2, 0x300, 5, 0x2000a77c, 0), "thread=\"worker 1\" new_state=queue_susp next_thread=none\n");
    assert_fields(event_of(2, 0x300, 5, 0x2000a77c, 0x777),
                  "thread=\"worker 1\" new_state=queue_susp next_thread=0x00000777\n");
}

static const char *whole_line(unsigned width, struct txtap_event event)
{
    exporter.options.width = width;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    send(event);
    return written();
}

/* Returns the event's line, limited to `width` columns, without leading blanks. */
static const char *in_columns(unsigned width, struct txtap_event event)
{
    const char *line = whole_line(width, event);

    return line + strspn(line, " ");
}

Test(text, the_least_important_parts_are_left_out_of_a_long_line)
{
    const struct txtap_event event = event_of(69, 0x200, 0x20000f3c, 0xFFFFFFFF, 3);

    cr_assert_str_eq(in_columns(131, event),
                     "0  producer          tx_queue_send               "
                     "queue=samples source=0x20000f3c wait_option=forever messages_enqueued=3\n");
    cr_assert_str_eq(in_columns(130, event), "0  producer          tx_queue_send               "
                                             "queue=samples wait_option=forever messages_enqueued=3 +1 field\n");
    cr_assert_str_eq(in_columns(93, event),
                     "0  producer  tx_queue_send         queue=samples messages_enqueued=3 +2 fields\n");
    cr_assert_str_eq(in_columns(74, event), "0  producer  tx_queue_send         queue=samples +3 fields\n");
    cr_assert_str_eq(in_columns(63, event), "0  producer  tx_queue_send         queue=samples +3\n",
                     "no room for words");
}

/* The blanks that align columns are left out before the object. If this is not enough, the line is too long. */
Test(text, an_object_is_never_left_out_of_a_line)
{
    const struct txtap_event event = event_of(69, 0x200, 0x20000f3c, 0xFFFFFFFF, 3);

    exporter.options.time = TXTAP_TIME_DELTA; /* the time of a line that was written twice is the same */
    cr_assert_str_eq(in_columns(61, event), "+0  producer  tx_queue_send  queue=samples +3\n");
    cr_assert_str_eq(in_columns(40, event), "+0  producer  tx_queue_send  queue=samples +3\n");
}

Test(text, the_most_frequent_events_have_short_names_in_a_narrow_line)
{
    const struct txtap_event event = event_of(2, 0x300, 5, 0x2000a77c, 0);

    cr_assert_not_null(strstr(in_columns(99, event), "  Suspend               thread="));
    cr_assert_not_null(strstr(in_columns(100, event), "  Internal Thread Suspend     thread="));
}

Test(text, a_line_is_no_longer_than_the_terminal_is_wide_if_the_names_fit)
{
    for (unsigned width = 40; width <= 200; width += RUNS_DIVISOR)
        for (uint32_t id = 1; id < 1000; id++) {
            const char *line = whole_line(width, event_of(id, 0x200, 0x20000f3c, 0xFFFFFFFF, 0x12345678));

            const char *first = strchr(line, '=');

            cr_assert(strlen(line) - 1 <= width || first == NULL || strchr(first + 1, '=') == NULL, "id %u, %u: %s", id,
                      width, line);
        }
}

Test(text, words_after_the_fourth_are_left_out_first_and_counted)
{
    static const uint32_t more[7] = {0x200, 1, 2, 3, 4, 5, 6};
    struct txtap_event event = event_of(69, 0x200, 1, 2, 3);

    event.words = more;
    event.word_count = 7;
    cr_assert_str_eq(in_columns(0, event),
                     "0  producer          tx_queue_send               queue=samples source=0x00000001 "
                     "wait_option=2 messages_enqueued=3 info5=0x4 info6=0x5 info7=0x6\n");
    cr_assert_str_eq(in_columns(140, event),
                     "0  producer          tx_queue_send               "
                     "queue=samples source=0x00000001 wait_option=2 messages_enqueued=3 +3 fields\n");
    cr_assert_str_eq(in_columns(72, event), "0  producer  tx_queue_send         queue=samples +6 fields\n");
}

Test(text, inexact_ticks_have_a_tilde)
{
    struct txtap_event event = event_of(103, 0, 0, 0, 0);

    event.ticks = 12345;
    event.ticks_doubtful = true;
    assert_line(event, "      ~12345  producer          tx_thread_identify\n");
    exporter.options.time = TXTAP_TIME_DELTA;
    event.ticks = 12350;
    assert_line(event, "          ~5  producer          tx_thread_identify\n");
    exporter.options.time = TXTAP_TIME_ABSOLUTE; /* a stamp is always certain */
    event.stamp = 7;
    assert_line(event, "           7  producer          tx_thread_identify\n");
}

Test(text, a_mark_has_the_time_of_day_if_events_have)
{
    struct txtap_mark mark = {.kind = TXTAP_MARK_RESET, .unix_us = 1700000000000007, .text = "why"};

    exporter.options.host_time = true;
    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(written(), "22:13:20.000007           ---  reset: why\n");
}

/* ---- functions ---- */

static struct txtap_definition definition[1];
static char strings[256];
static struct txtap_definitions definitions;

static void define(const char *text)
{
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){definition, 1, NULL, 0, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, text, strlen(text), &problem), TXTAP_OK);
    exporter.definitions = &definitions;
}

Test(text, a_function_has_its_name_in_a_field_and_in_a_defined_text)
{
    define("function 0x08000100 \"on_receive\"\nevent 4096 \"e\" \"calls {0:function}, not {1:function}\"\n");
    send(event_of(4096, 0x08000101, 0x08000103, 0, 0));
    cr_assert(strstr(written(), "calls on_receive, not 0x08000103\n") != NULL, "%s", written());
    send(event_of(420 /* nx_tcp_socket_receive_notify */, 0x300, 0x400, 0x08000101, 0));
    cr_assert(strstr(written(), " receive_notify=on_receive\n") != NULL, "%s", written());
}
