/* SPDX-License-Identifier: MIT */
#include "format/memory_sink.h"

static void set_up(void)
{
    open_exporter("csv", 0);
    add_object(TXTAP_OBJECT_THREAD, 0x100, "producer");
    add_object(TXTAP_OBJECT_QUEUE, 0x200, "samples");
}

TestSuite(csv, .init = set_up);

#define COLUMNS_AFTER_TIME                                                                                             \
    ",context,thread,id,event,info1,info2,info3,info4,field1,field2,field3,field4,priority,"                           \
    "threshold,core,lost,exact,value\r\n"

static void assert_record(struct txtap_event event, const char *expected)
{
    send(event);
    cr_assert_str_eq(written(), expected);
}

/*
 * Returns the number of cells in the first record, by the rules of RFC 4180. -1: the record is invalid, or does not end
 * with exactly CRLF.
 */
static int cells_of(const char *record)
{
    int cells = 1;

    while (*record != '\r') {
        if (*record == ',') {
            cells++;
            record++;
        } else if (*record == '"') {
            for (record++; *record != '"' || record[1] == '"'; record += *record == '"' ? 2 : 1)
                if (*record == '\0')
                    return -1;
            record++;
            if (*record != ',' && *record != '\r')
                return -1;
        } else if (*record == '\0' || *record == '\n') {
            return -1;
        } else {
            record++;
        }
    }
    return strcmp(record, "\r\n") == 0 ? cells : -1;
}

Test(csv, begins_with_the_names_of_the_columns)
{
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_str_eq(written(), "type,seq,ticks" COLUMNS_AFTER_TIME);
    exporter.options.tick_hz = 1000;
    exporter.options.time = TXTAP_TIME_DELTA;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_str_eq(written(), "type,seq,ticks,seconds,delta" COLUMNS_AFTER_TIME);
    exporter.options.tick_hz = 0;
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_str_eq(written(), "type,seq,ticks,stamp" COLUMNS_AFTER_TIME);
}

Test(csv, host_time_has_its_own_column)
{
    struct txtap_event event = event_of(69, 0x200, 0, 0, 0);
    struct txtap_gap gap = {.seq = 17, .lost = 3, .exact = true};
    int columns;

    exporter.options.host_time = true;
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    columns = cells_of(written());
    cr_assert_eq(columns, 23);
    for (int known = 0; known < 2; known++) {
        const char *record;

        event.unix_us = known ? 1700000000000007 : 0;
        send(event);
        record = written();
        cr_assert_eq(cells_of(record), columns);
        cr_assert_not_null(strstr(record, known ? "event,0,0,0,1700000000000007,thread," : "event,0,0,0,,thread,"));
    }
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_eq(cells_of(written()), columns);
}

Test(csv, an_event_is_a_record)
{
    struct txtap_event event = event_of(69, 0x200, 0x20000f3c, 0xFFFFFFFF, 3);

    event.seq = 18446744073709551615ull;
    event.ticks = 12345;
    assert_record(event, "event,18446744073709551615,12345,thread,\"producer\",69,\"tx_queue_send\",512,536874812,"
                         "4294967295,3,\"queue=samples\",\"source=0x20000f3c\",\"wait_option=forever\","
                         "\"messages_enqueued=3\",0,0,0,,,\r\n");
}

Test(csv, contexts_without_a_thread_leave_its_cell_empty)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    event.thread = 0;
    event.context = TXTAP_CONTEXT_INIT;
    assert_record(event, "event,0,0,init,,6,\"Running\",0,0,0,0,,,,,,,0,,,\r\n");
    event.context = TXTAP_CONTEXT_IDLE;
    assert_record(event, "event,0,0,idle,,6,\"Running\",0,0,0,0,,,,,,,0,,,\r\n");
    event.context = TXTAP_CONTEXT_ISR;
    event.thread = 0x500;
    assert_record(event, "event,0,0,isr,0x00000500,6,\"Running\",0,0,0,0,,,,,,,0,,,\r\n");
}

Test(csv, an_event_that_is_not_in_the_table_has_no_name)
{
    assert_record(event_of(199, 1, 0, 0, 2), "event,0,0,thread,\"producer\",199,,1,0,0,2,\"info1=0x1\",\"info2=0x0\","
                                             "\"info3=0x0\",\"info4=0x2\",0,0,0,,,\r\n");
}

Test(csv, a_gap_is_a_record_with_the_same_number_of_cells)
{
    struct txtap_gap gap = {.seq = 17, .lost = 1234, .exact = false};

    for (int style = TXTAP_TIME_RELATIVE; style <= TXTAP_TIME_ABSOLUTE; style++) {
        for (int hz = 0; hz <= 1000; hz += 1000) {
            int columns;

            exporter.options.tick_hz = hz;
            exporter.options.time = (enum txtap_time)style;
            cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
            columns = cells_of(written());
            cr_assert_eq(columns, 21 + (hz > 0) + (style != TXTAP_TIME_RELATIVE));
            cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
            cr_assert_eq(cells_of(written()), columns);
            send(event_of(69, 0x200, 1, 2, 3));
            cr_assert_eq(cells_of(written()), columns);
        }
    }
    open_exporter("csv", 0);
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "gap,17,,,,,,,,,,,,,,,,,1234,false,\r\n");
}

Test(csv, times_are_in_their_columns)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    exporter.options.tick_hz = 1000;
    exporter.options.time = TXTAP_TIME_DELTA;
    event.ticks = 500;
    assert_record(event, "event,0,500,0.500000,0,thread,\"producer\",6,\"Running\",0,0,0,0,,,,,0,0,0,,,\r\n");
    event.ticks = 1750;
    assert_record(event, "event,0,1750,1.750000,1250,thread,\"producer\",6,\"Running\",0,0,0,0,,,,,0,0,0,,,\r\n");
    exporter.options.tick_hz = 0;
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    event.stamp = 0xFFFFFFFF;
    assert_record(event, "event,0,1750,4294967295,thread,\"producer\",6,\"Running\",0,0,0,0,,,,,0,0,0,,,\r\n");
}

Test(csv, only_chosen_columns_are_there)
{
    struct txtap_event event = event_of(69, 0x200, 1, 0, 3);
    struct txtap_gap gap = {.seq = 5, .lost = 2, .exact = true};

    event.seq = 4;
    event.core = 2;
    event.priority = 7;
    event.threshold = 3;
    exporter.options.columns =
        TXTAP_COLUMN_SEQ | TXTAP_COLUMN_EVENT | TXTAP_COLUMN_PRIORITY | TXTAP_COLUMN_THRESHOLD | TXTAP_COLUMN_CORE;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_str_eq(written(), "type,seq,event,priority,threshold,core,lost,exact,value\r\n");
    assert_record(event, "event,4,\"tx_queue_send\",7,3,2,,,\r\n");
    cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
    cr_assert_str_eq(written(), "gap,5,,,,,2,true,\r\n");
}

Test(csv, each_single_column_gives_records_with_the_same_number_of_cells)
{
    struct txtap_gap gap = {.seq = 5, .lost = 2, .exact = true};

    exporter.options.tick_hz = 1000;
    exporter.options.time = TXTAP_TIME_ABSOLUTE;
    for (unsigned column = TXTAP_COLUMN_SEQ; column <= TXTAP_COLUMN_FIELDS; column <<= 1) {
        int columns;

        exporter.options.columns = column;
        cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
        columns = cells_of(written());
        cr_assert_gt(columns, 3);
        send(event_of(69, 0x200, 1, 0, 3));
        cr_assert_eq(cells_of(written()), columns);
        cr_assert_eq(exporter.ops->gap(&exporter, &gap), TXTAP_OK);
        cr_assert_eq(cells_of(written()), columns);
    }
}

Test(csv, a_mark_is_a_record_with_the_same_number_of_cells)
{
    struct txtap_mark mark = {.kind = TXTAP_MARK_DETACHED, .seq = 17, .text = "=no, \"server\""};

    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(written(), "detached,17,,,,,\"'=no, \"\"server\"\"\",,,,,,,,,,,,,,\r\n");
    exporter.options.tick_hz = 1000;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_eq(cells_of(written()), 22);
    cr_assert_eq(exporter.ops->mark(&exporter, &mark), TXTAP_OK);
    cr_assert_eq(cells_of(written()), 22);
}

struct name_case {
    const char *name, *context, *field;
};

Test(csv, names_cannot_break_records_control_terminals_or_be_formulas)
{
    static const struct name_case cases[] = {
        {"two words", "two words", "two words"},
        {"a,b", "a,b", "a,b"},
        {"say \"hi\"", "say \"\"hi\"\"", "say \"\"hi\"\""},
        {"line\r\nend", "line\\x0d\\x0aend", "line\\x0d\\x0aend"},
        {"\033[31m", "\\x1b[31m", "\\x1b[31m"},
        {"back\\x1b", "back\\\\x1b", "back\\\\x1b"},
        {"\xc2\x9b"
         "1m",
         "\\xc2\\x9b1m", "\\xc2\\x9b1m"},
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
        {"cut \xe2\x82", "cut \\xe2\\x82", "cut \\xe2\\x82"},
        {"=1+1", "'=1+1", "=1+1"},
        {"+1", "'+1", "+1"},
        {"-1", "'-1", "-1"},
        {"@SUM(1)", "'@SUM(1)", "@SUM(1)"},
        {"'=1", "''=1", "'=1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char expected[300];

        rename_object(0, cases[i].name);
        snprintf(expected, sizeof(expected),
                 "event,0,0,thread,\"%s\",100,\"tx_thread_create\",256,0,0,0,\"thread=%s\",\"priority=0\","
                 "\"stack_start=0x00000000\",\"stack_size=0\",0,0,0,,,\r\n",
                 cases[i].context, cases[i].field);
        assert_record(event_of(100, 0x100, 0, 0, 0), expected);
    }
}

Test(csv, names_from_definitions_cannot_be_formulas_either)
{
    static const char text[] = "event 5001 \"@x\" \"{0=-cmd}\"\n";
    static struct txtap_definitions definitions;
    static struct txtap_definition rows[4];
    static struct txtap_word words[4];
    static char strings[1000];
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions, (struct txtap_definitions_memory){rows, 4, words, 4, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, text, strlen(text), &problem), TXTAP_OK, "%s", problem.text);
    exporter.definitions = &definitions;
    assert_record(event_of(5001, 7, 0, 0, 0),
                  "event,0,0,thread,\"producer\",5001,\"'@x\",7,0,0,0,\"'-cmd=7\",,,,0,0,0,,,\r\n");
}

Test(csv, any_two_bytes_make_a_record_of_21_cells)
{
    for (unsigned first = 1; first < 256; first++) {
        for (unsigned second = 1; second < 256; second++) {
            const char name[] = {(char)first, (char)second, '\0'};

            rename_object(0, name);
            send(event_of(100, 0x100, 0, 0, 0));
            cr_assert_eq(cells_of(written()), 21, "%02x %02x", first, second);
        }
    }
}

Test(csv, marks_words_that_the_kernel_had_not_written_yet)
{
    send(event_of(10, 0, 0, 5, 3));
    cr_assert(strstr(written(), ",\"memory=0x00000000?\",\"wait_option=5\","), "%s", written());
}
