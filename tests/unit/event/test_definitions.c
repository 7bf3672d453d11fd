/* SPDX-License-Identifier: MIT */
#include "txtap/definitions.h"

#include "format/memory_sink.h"

static struct txtap_definition events[8];
static struct txtap_word words[16];
static char strings[2048];
static struct txtap_definitions definitions;
static struct txtap_definitions_problem problem;

static void forget(void)
{
    struct txtap_definitions_memory room = {events, 8, words, 16, strings, sizeof(strings)};

    txtap_definitions_init(&definitions, room);
}

static void set_up(void)
{
    forget();
    open_exporter("text", 0);
    add_object(TXTAP_OBJECT_THREAD, 0x100, "producer");
    add_object(TXTAP_OBJECT_QUEUE, 0x200, "a queue");
    exporter.definitions = &definitions;
    exporter.options.columns = TXTAP_COLUMN_EVENT | TXTAP_COLUMN_FIELDS;
}

TestSuite(definitions, .init = set_up);

static enum txtap_status parse(const char *text)
{
    return txtap_definitions_parse(&definitions, text, strlen(text), &problem);
}

static void define(const char *text)
{
    enum txtap_status status = parse(text);

    cr_assert_eq(status, TXTAP_OK, "line %zu: %s", problem.line, problem.text);
}

/* Selects a format. The next event is formatted without the state of earlier events. */
static void use_format(const char *name)
{
    exporter.ops = txtap_exporter_find(name);
    memset(&memory, 0, sizeof(memory));
}

/* Returns the character in column `column` of a UTF-8 line. */
static const char *at_column(const char *line, size_t column)
{
    for (; column > 0 && *line != '\0'; column--) {
        line++;
        while ((*line & 0xC0) == 0x80)
            line++;
    }
    return line;
}

/* Checks the text of an event, from the end of the event's name to the end of the line. */
static void assert_text(struct txtap_event event, const char *expected)
{
    const char *line;

    use_format("text");
    send(event);
    line = at_column(written(), 28);
    cr_assert_eq(strncmp(line, expected, strlen(expected)), 0, "%s", line);
    cr_assert_str_eq(line + strlen(expected), "\n");
}

static void assert_json(struct txtap_event event, const char *expected)
{
    char line[512];

    use_format("jsonl");
    send(event);
    (void)snprintf(line, sizeof(line), "{\"type\":\"event\",%s}\n", expected);
    cr_assert_str_eq(written(), line);
}

/* Checks the text of an event that has one field. kind: the field's kind and unit. */
static void assert_kind(const char *kind, uint32_t number, const char *text, const char *json)
{
    char line[128];

    (void)snprintf(line, sizeof(line), "event 5000 \"e\" \"{0=v%s}\"", kind);
    forget();
    define("enum state 0=idle 1=running -1=\"out of order\"\nflags bits 1=a 6=bc 2=b 4=c 0=no\n");
    define(line);
    assert_text(event_of(5000, number, 0, 0, 0), text);
    (void)snprintf(line, sizeof(line), "\"event\":\"e\",\"fields\":{\"v\":%s}", json);
    assert_json(event_of(5000, number, 0, 0, 0), line);
}

Test(definitions, a_user_event_has_a_name_and_a_text_over_its_words)
{
    define("# what the firmware records\n"
           "\n"
           "enum state 0=idle 1=running 2=\"out of order\"\n"
           "  event 4096 \"sample ready\" \"channel {0=channel} value {1=value:d mV} state {2=state:enum state}\"  \n");
    assert_text(event_of(4096, 3, (uint32_t)-12, 2, 0), "channel 3 value -12 mV state out of order");
    assert_json(event_of(4096, 3, (uint32_t)-12, 2, 0),
                "\"event\":\"sample ready\",\"fields\":{\"channel\":3,\"value\":-12,\"state\":\"out of order\"}");
}

Test(definitions, every_kind_of_value_is_shown_in_its_form)
{
    assert_kind("", 4294967295u, "4294967295", "4294967295");
    assert_kind(":u", 7, "7", "7");
    assert_kind(":d", 0x80000000u, "-2147483648", "-2147483648");
    assert_kind(":d", 5, "5", "5");
    assert_kind(":u/10", 1234, "123.4", "123.4");
    assert_kind(":u/1000000000", 4294967295u, "4.294967295", "4.294967295");
    assert_kind(":d/1000", (uint32_t)-5, "-0.005", "-0.005");
    assert_kind(":x", 0xbeef, "0xbeef", "\"0xbeef\"");
    assert_kind(":addr", 0xbeef, "0x0000beef", "\"0x0000beef\"");
    assert_kind(":object", 0x200, "\"a queue\"", "\"a queue\"");
    assert_kind(":object", 0, "none", "null");
    assert_kind(":wait", UINT32_MAX, "forever", "\"forever\"");
    assert_kind(":ipv4", 0xC0A80001u, "192.168.0.1", "\"192.168.0.1\"");
    assert_kind(":state", 4, "sleep", "\"sleep\"");
    assert_kind(":tx_status", 0x0B, "queue_full", "\"queue_full\"");
    assert_kind(":fx_status", 0x90, "io_error", "\"io_error\"");
    assert_kind(":nx_status", 0x38, "not_connected", "\"not_connected\"");
    assert_kind(":ux_status", 0x21, "transfer_stalled", "\"transfer_stalled\"");
    assert_kind(":ux_status", 0x7777, "0x7777", "\"0x7777\"");
    assert_kind(":enum state", 1, "running", "\"running\"");
    assert_kind(":enum state", UINT32_MAX, "out of order", "\"out of order\"");
    assert_kind(":enum state", 9, "9", "\"9\"");
    assert_kind(":enum state", (uint32_t)-9, "-9", "\"-9\"");
    assert_kind(":flags bits", 5, "a|c", "\"a|c\"");
    assert_kind(":flags bits", 7, "a|bc", "\"a|bc\"");
    assert_kind(":flags bits", 0, "no", "\"no\"");
    assert_kind(":flags bits", 0x11, "a|0x10", "\"a|0x10\"");
}

Test(definitions, different_floats_look_different_and_are_valid_json)
{
    assert_kind(":f", 0x00000000, "0", "0");
    assert_kind(":f", 0x80000000, "-0", "-0");
    assert_kind(":f", 0x3fc00000, "1.5", "1.5");
    assert_kind(":f", 0xc2c80000, "-100", "-100");
    assert_kind(":f", 0x3dcccccd, "0.100000001", "0.100000001");
    assert_kind(":f", 0x38d1b717, "9.99999975e-5", "9.99999975e-5");
    assert_kind(":f", 0x3a83126f, "0.00100000005", "0.00100000005");
    assert_kind(":f", 0x4d3c614e, "197530848", "197530848");
    assert_kind(":f", 0x4e932c06, "1.23456794e9", "1.23456794e9");
    assert_kind(":f", 0x7f7fffff, "3.40282347e38", "3.40282347e38");
    assert_kind(":f", 0x00000001, "1.40129846e-45", "1.40129846e-45");
    assert_kind(":f", 0x5d5e0b6b, "9.99999984e17", "9.99999984e17");
    assert_kind(":f", 0x7f800000, "inf", "\"inf\"");
    assert_kind(":f", 0xff800000, "-inf", "\"-inf\"");
    assert_kind(":f", 0x7fc00000, "nan", "\"nan\"");
}

Test(definitions, a_text_may_have_braces_units_and_a_word_twice)
{
    define("event 4096 \"e\" \"{{{0}}} is {0:x} of {3=limit %}, }}\"");
    assert_text(event_of(4096, 26, 0, 0, 50), "{26} is 0x1a of 50 %, }");
    assert_json(event_of(4096, 26, 0, 0, 50), "\"event\":\"e\",\"fields\":{\"info1\":26,\"limit\":50}");
}

Test(definitions, words_that_a_text_leaves_out_are_fields_only_if_not_0)
{
    define("event 4096 \"e\" \"{1=b}\"");
    assert_json(event_of(4096, 0, 2, 0, 0), "\"event\":\"e\",\"fields\":{\"b\":2}");
    assert_json(event_of(4096, 9, 2, 0, 0), "\"event\":\"e\",\"fields\":{\"info1\":\"0x9\",\"b\":2}");
    assert_text(event_of(4096, 9, 2, 0, 0), "2");
}

Test(definitions, an_event_without_a_text_shows_all_its_words)
{
    define("event 4096 \"e\"\nevent 4097 \"silent\" \"\"");
    assert_text(event_of(4096, 0, 2, 0, 0), "info1=0x0 info2=0x2 info3=0x0 info4=0x0");
    use_format("text");
    send(event_of(4097, 1, 2, 3, 4));
    cr_assert_str_eq(written(), "silent\n");
}

Test(definitions, an_unknown_user_event_stays_a_number)
{
    define("event 4096 \"e\"");
    send(event_of(4097, 1, 0, 0, 0));
    cr_assert_str_eq(written(), "user event 4097             info1=0x1 info2=0x0 info3=0x0 info4=0x0\n");
    cr_assert_null(txtap_definitions_find(&definitions, 4097));
    cr_assert_null(txtap_definitions_find(&definitions, 65536 + 4096));
}

Test(definitions, a_definition_overrides_the_table_and_a_later_file_an_earlier_one)
{
    define("event 1030 \"mine\" \"\"\nevent 7 \"seven\" \"\"");
    cr_assert_str_eq(txtap_definitions_event(&definitions, 1030, 0)->name, "mine");
    cr_assert_str_eq(txtap_definitions_event(&definitions, 7, 0)->name, "seven");
    cr_assert_str_eq(txtap_definitions_event(&definitions, 69, 0)->name, "tx_queue_send");
    cr_assert_str_eq(txtap_definitions_event(NULL, 69, 0)->name, "tx_queue_send");
    define("event 7 \"again\" \"\"");
    cr_assert_str_eq(txtap_definitions_event(&definitions, 7, 0)->name, "again");
}

Test(definitions, enumerations_of_an_earlier_file_can_be_used)
{
    define("enum onoff 0=off 1=on");
    define("event 5000 \"e\" \"{0:enum onoff}\"");
    assert_text(event_of(5000, 1, 0, 0, 0), "on");
}

#define TRXC_LINE "4096, Sample Ready ,SR,(255,0,0),(0,255,128),Channel,Raw Value,,Channel\n"

Test(definitions, a_trxc_file_is_read)
{
    define("anything, before the start\n4097,no,NO,(1,1,1),(1,1,1),a,b,c,d\nStart\n" TRXC_LINE
           "\nEnd\nanything behind\n");
    cr_assert_eq(problem.skipped, 0);
    send(event_of(4096, 3, 0xbeef, 0, 5));
    cr_assert_str_eq(written(),
                     "Sample Ready                info1=0x00000003 Raw_Value=0x0000beef Channel=0x00000005\n");
    assert_json(event_of(4096, 3, 0xbeef, 1, 5),
                "\"event\":\"Sample Ready\",\"fields\":{\"info1\":\"0x00000003\",\"Raw_Value\":\"0x0000beef\","
                "\"info3\":\"0x1\",\"Channel\":\"0x00000005\"}");
    cr_assert_null(txtap_definitions_find(&definitions, 4097), "what is before the start is a comment");
}

Test(definitions, a_trxc_with_windows_line_ends_and_a_byte_order_mark_is_read)
{
    define("\xEF\xBB\xBFStart\r\n4096,N,SR,(255,0,0),(0,255,128),a,b,c,d\r\nEnd\r\n");
    cr_assert_str_eq(txtap_definitions_find(&definitions, 4096)->info.field[3].label, "d");
}

Test(definitions, a_trxc_cannot_replace_events_of_the_kernel)
{
    define("Start\n69,mine,SR,(255,0,0),(0,255,128),a,b,c,d\n4096,N,SR,(255,0,0),(0,255,128),a,b,c,d\nEnd\n");
    cr_assert_str_eq(txtap_definitions_event(&definitions, 69, 0)->name, "tx_queue_send");
    cr_assert_str_eq(txtap_definitions_event(&definitions, 4096, 0)->name, "N");
}

Test(definitions, invalid_lines_of_a_trxc_are_skipped_and_counted_if_one_line_is_valid)
{
    define("Start\nfour thousand,N,SR,(255,0,0),(0,255,128),a,b,c,d\n" TRXC_LINE "4097,too few\n");
    cr_assert_eq(problem.skipped, 2);
    cr_assert_eq(problem.line, 2);
    cr_assert_str_eq(problem.text, "not an event number (0 to 65535): 'four thousand'");
    forget();
    cr_assert_eq(parse("\nStart\n4097,too few\nEnd\n"), TXTAP_ERROR_FORMAT);
    cr_assert_eq(problem.line, 3);
    cr_assert_str_eq(problem.text, "fewer than 13 fields: '4097,too few'");
    cr_assert_eq(parse("Start\n4096,,SR,(255,0,0),(0,255,128),a,b,c,d\n"), TXTAP_ERROR_FORMAT);
    cr_assert_eq(parse("Start\n65536,N,SR,(255,0,0),(0,255,128),a,b,c,d\n"), TXTAP_ERROR_FORMAT);
    cr_assert_eq(parse("Start\nEnd\n"), TXTAP_OK, "what TraceX installs");
}

Test(definitions, nothing_of_a_trxc_reaches_a_terminal_or_breaks_a_parser)
{
    const struct txtap_event_info *info;

    define("Start\n4096,a\x1b[31m\"b\"\\\xff\xc2\x9b\xc3\xa9,SR,(255,0,0),(0,255,128),x=\x07 y,a,a,info2\nEnd\n");
    info = &txtap_definitions_find(&definitions, 4096)->info;
    cr_assert_str_eq(info->name, "a?[31m?b?????\xc3\xa9");
    cr_assert_str_eq(info->field[0].label, "x_?_y");
    cr_assert_str_eq(info->field[1].label, "info2", "labels are unique");
    cr_assert_str_eq(info->field[2].label, "a");
    cr_assert_str_eq(info->field[3].label, "info4");
}

Test(definitions, errors_name_the_line_and_the_reason)
{
    static const struct {
        const char *text, *reason;
        size_t line;
    } cases[] = {
        {"\n\nevnt 4096 \"e\"",
         "expected event, enum, flags, slice, counter, interrupt, interrupts, vector or function: 'evnt'", 3},
        {"!", "expected event, enum, flags, slice, counter, interrupt, interrupts, vector or function: '!'", 1},
        {"event x \"e\"", "expected an event number (0 to 65535): 'x'", 1},
        {"event 65536 \"e\"", "expected an event number (0 to 65535): '65536'", 1},
        {"event 4096 e", "expected a text in quotes: 'e'", 1},
        {"event 4096", "expected a text in quotes", 1},
        {"event 4096 \"e", "the quote is not closed: 'e'", 1},
        {"event 4096 \"\"", "a name is empty", 1},
        {"event 4096 \"e\" \"a\" b", "more than a name and a text: 'b'", 1},
        {"event 4096 \"e\" \"{4}\"", "a field begins with its word, 0 to 3: '4'", 1},
        {"event 4096 \"e\" \"{}\"", "a field begins with its word, 0 to 3", 1},
        {"event 4096 \"e\" \"{0\"", "a brace without its other: {{ and }} stand for braces: '{0'", 1},
        {"event 4096 \"e\" \"0}\"", "a brace without its other: {{ and }} stand for braces: '0}'", 1},
        {"event 4096 \"e\" \"{0:y}\"", "not a kind of value: 'y'", 1},
        {"event 4096 \"e\" \"{0:}\"", "not a kind of value", 1},
        {"event 4096 \"e\" \"{0:u/7}\"", "expected 10, 100, ... 1000000000 behind the '/': '7'", 1},
        {"event 4096 \"e\" \"{0:u/1}\"", "expected 10, 100, ... 1000000000 behind the '/': '1'", 1},
        {"event 4096 \"e\" \"{0:x/10}\"", "only u and d can be divided: '10'", 1},
        {"event 4096 \"e\" \"{0:enum nix}\"", "no line above defines this enumeration: 'nix'", 1},
        {"flags f 1=a\nevent 4096 \"e\" \"{0:enum f}\"", "no line above defines this enumeration: 'f'", 2},
        {"event 4096 \"e\" \"{0=:u}\"", "a label has 1 to 63 letters, digits, or _ . -", 1},
        {"event 4096 \"e\" \"{0=a}{1=a}\"", "two words have the same label: '{0=a}{1=a}'", 1},
        {"event 4096 \"e\" \"{0=info3}\"", "two words have the same label: '{0=info3}'", 1},
        {"event 4096 \"e\" \"{0!}\"", "expected WORD=LABEL:KIND UNIT: '0!'", 1},
        {"event 4096 \"e\" \"{0}{0}{0}{0}{0}{0}{0}{0}{0}\"", "more than 8 fields in a text: '0'", 1},
        {"enum 1a 0=x", "expected a name of letters, digits and _: '1a'", 1},
        {"enum", "expected a name of letters, digits and _", 1},
        {"enum a", "no NUMBER=WORD behind the name: 'a'", 1},
        {"enum a 0=x\nenum a 0=x", "this name is taken: 'a'", 2},
        {"enum a x=1", "expected NUMBER=WORD: 'x'", 1},
        {"enum a 0 x", "expected a '=' and a word behind the number: '0'", 1},
        {"enum a 0=", "a name is empty", 1},
        {"enum a 4294967296=x", "expected NUMBER=WORD: '4294967296'", 1},
        {"enum a -2147483649=x", "expected NUMBER=WORD: '-2147483649'", 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        forget();
        cr_assert_eq(parse(cases[i].text), TXTAP_ERROR_FORMAT, "%s", cases[i].text);
        cr_assert_str_eq(problem.text, cases[i].reason, "%s: %s", cases[i].text, problem.text);
        cr_assert_eq(problem.line, cases[i].line, "%s", cases[i].text);
        cr_assert_null(txtap_definitions_find(&definitions, 4096), "%s", cases[i].text);
    }
}

Test(definitions, control_characters_quotes_backslashes_and_broken_utf8_are_refused)
{
    static const char *const bad[] = {"\x1b[31m", "a\x07", "a\\b", "\xff", "\xc3", "\xc2\x9b", "\x7f", "a\tb"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char line[64];

        (void)snprintf(line, sizeof(line), "event 4096 \"%s\"", bad[i]);
        cr_assert_eq(parse(line), TXTAP_ERROR_FORMAT, "%zu", i);
        (void)snprintf(line, sizeof(line), "event 4096 \"e\" \"%s\"", bad[i]);
        cr_assert_eq(parse(line), TXTAP_ERROR_FORMAT, "%zu", i);
        (void)snprintf(line, sizeof(line), "enum a%zu 0=\"%s\"", i, bad[i]);
        cr_assert_eq(parse(line), TXTAP_ERROR_FORMAT, "%zu", i);
    }
    define("event 4096 \"événement\" \"{0 °C}\"");
    assert_text(event_of(4096, 21, 0, 0, 0), "21 °C");
}

Test(definitions, a_full_table_is_an_error_and_keeps_its_entries)
{
    char text[1024] = "";

    for (int i = 0; i < 9; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "event %d \"e\" \"\"\n", 5000 + i);
    cr_assert_eq(parse(text), TXTAP_ERROR_SPACE);
    cr_assert_eq(problem.line, 9);
    cr_assert_not_null(txtap_definitions_find(&definitions, 5007));
    cr_assert_null(txtap_definitions_find(&definitions, 5008));
    forget();
    cr_assert_eq(parse("enum a 1=a 2=a 3=a 4=a 5=a 6=a 7=a 8=a 9=a 10=a 11=a 12=a 13=a 14=a 15=a 16=a 17=a"),
                 TXTAP_ERROR_SPACE);
    forget();
    definitions.memory.string_capacity = 4;
    cr_assert_eq(parse("event 5000 \"abcd\""), TXTAP_ERROR_SPACE);
    cr_assert_eq(parse("event 5000 \"abc\""), TXTAP_OK);
    cr_assert_eq(parse("Start\n4096,Name,SR,(255,0,0),(0,255,128),a,b,c,d\nEnd\n"), TXTAP_ERROR_SPACE);
}

Test(definitions, the_longest_line_of_a_definition_is_whole)
{
    char file[1024] = "flags f ", name[64];
    const char *line;

    for (unsigned bit = 0; bit < 5; bit++)
        (void)snprintf(file + strlen(file), sizeof(file) - strlen(file), "%u=%.*s%u ", 1u << bit, 62,
                       "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij", bit);
    (void)snprintf(file + strlen(file), sizeof(file) - strlen(file),
                   "\nevent 4096 \"e\" \"{0:flags f}{1:flags f}{2:flags f}{3:flags f}"
                   "{0:flags f}{1:flags f}{2:flags f}{3:flags f}|\"");
    define(file);
    memset(name, '\x1b', 63);
    name[63] = '\0';
    strcpy(objects[0].name, name);
    exporter.options.columns = UINT32_MAX;
    use_format("text");
    send(event_of(4096, 31, 31, 31, 31));
    line = written();
    cr_assert_str_eq(line + strlen(line) - 4, "j4|\n");
    use_format("jsonl");
    send(event_of(4096, 31, 31, 31, 31));
    cr_assert_not_null(strstr(written(), "j4\"},\"priority\":0,\"threshold\":0}\n"));
    strcpy(strstr(file, "16="), "16=a 32=longer\n");
    forget();
    define(file);
    strcpy(strstr(file, "16="), "16=a 32=longer 64=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcde\n");
    forget();
    cr_assert_eq(parse(file), TXTAP_ERROR_FORMAT);
    cr_assert_str_eq(problem.text, "the words of the flags are longer than 320 bytes together: 'f'");
}

Test(definitions, a_name_of_63_bytes_fits_and_one_of_64_does_not)
{
    char line[100];

    (void)snprintf(line, sizeof(line), "event 4096 \"%063d\"", 0);
    define(line);
    (void)snprintf(line, sizeof(line), "event 4096 \"%064d\"", 0);
    cr_assert_eq(parse(line), TXTAP_ERROR_FORMAT);
}

Test(definitions, every_prefix_and_every_changed_byte_of_both_formats_is_read_or_refused)
{
    static const char *const files[] = {
        "enum state 0=idle 1=\"out of order\"\nflags f 1=a\nevent 4096 \"n\" \"{{a {0=c:u/10 V} {2:enum state}{1:flags "
        "f}\"\n",
        "x\nStart\n" TRXC_LINE "End\n",
    };

    for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
        size_t length = strlen(files[f]);
        char copy[512];

        for (size_t end = 0; end <= length; end++) {
            char *exact = malloc(end + 1); /* exact size: the sanitizer detects a read past the prefix */

            memcpy(exact, files[f], end);
            forget();
            (void)txtap_definitions_parse(&definitions, exact, end, &problem);
            free(exact);
        }
        for (size_t at = 0; at < length; at++) {
            for (int byte = 0; byte < 256; byte++) {
                memcpy(copy, files[f], length);
                copy[at] = (char)byte;
                forget();
                (void)txtap_definitions_parse(&definitions, copy, length, &problem);
                if (txtap_definitions_find(&definitions, 4096) != NULL) {
                    use_format("text");
                    send(event_of(4096, 1, 2, 3, 4));
                    (void)written();
                }
            }
        }
    }
}

Test(definitions, slices_and_counters_are_rows)
{
    define("event 10 \"a\"\nevent 11 \"b\"\nevent 12 \"c\" \"{2=fill:d %}\"\n"
           "slice 10 11 \"work\"\ncounter 12 2 \"fill level\"\n");
    cr_assert_eq(events[0].row.role, TXTAP_DEFINITION_BEGIN);
    cr_assert_eq(events[1].row.role, TXTAP_DEFINITION_END);
    cr_assert_eq(events[0].row.number, events[1].row.number);
    cr_assert_str_eq(events[1].row.name, "work");
    cr_assert_eq(events[2].row.role, TXTAP_DEFINITION_COUNTER);
    cr_assert_eq(events[2].row.word, 2);
    cr_assert_neq(events[2].row.number, events[0].row.number);
}

Test(definitions, invalid_slices_and_counters_are_refused)
{
    static const struct {
        const char *line, *problem;
    } wrong[] = {
        {"slice 10 12 \"x\"", "no line above defines this event: '12'"},
        {"slice 10 10 \"x\"", "an event cannot end what it begins"},
        {"slice 10 \"x\"", "expected an event number"},
        {"slice 10 11", "expected a text in quotes"},
        {"slice 10 11 \"\"", "a name is empty"},
        {"slice 10 11 \"x\" y", "more than a name"},
        {"slice 70000 11 \"x\"", "expected an event number"},
        {"counter 10 4 \"x\"", "expected a word, 0 to 3: '4'"},
        {"counter 10 \"x\"", "expected a word, 0 to 3"},
        {"counter 10 0 \"x\"\nslice 10 11 \"y\"", "in a slice or a counter already: '10'"},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        forget();
        define("event 10 \"a\"\nevent 11 \"b\"\n");
        cr_assert_eq(parse(wrong[i].line), TXTAP_ERROR_FORMAT, "%s", wrong[i].line);
        cr_assert_not_null(strstr(problem.text, wrong[i].problem), "%s: %s", wrong[i].line, problem.text);
    }
}

Test(definitions, too_many_slices_and_counters_are_refused)
{
    define("event 10 \"a\"\n");
    definitions.row_count = TXTAP_DEFINITION_ROWS_MAX;
    cr_assert_eq(parse("counter 10 0 \"x\"\n"), TXTAP_ERROR_SPACE);
}
