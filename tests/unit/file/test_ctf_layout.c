/* SPDX-License-Identifier: MIT */
/* The length of each record, which follows from Zephyr's CTF metadata. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/ctf_layout.h"

#define TYPES                                                                                                          \
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"                                         \
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"                                       \
    "typealias integer { size = 64; align = 8; } := uint64_t;\n"                                                       \
    "typealias integer { size = 8; align = 8; encoding = ASCII; } := text;\n"
#define HEADER "struct event_header { uint32_t timestamp; uint8_t id; };\n"
#define STREAM "trace { major = 1; minor = 8; byte_order = le; };\nstream { event.header := struct event_header; };\n"
#define EVENTS                                                                                                         \
    "event { name = out; id = 0x10; fields := struct { uint32_t thread; text name[20]; }; };\n"                        \
    "event { name = isr; id = 0x1B; };\n"                                                                              \
    "event { name = in; id = 5; fields := struct { uint8_t a; }; };\n"
#define ALL "/* CTF 1.8 */\n" TYPES HEADER STREAM EVENTS

static struct txtap_ctf_layout layout;

static enum txtap_status parse(const char *text)
{
    return txtap_ctf_layout_parse(&layout, text, strlen(text));
}

Test(ctf_layout, knows_each_records_length)
{
    cr_assert_eq(parse(ALL), TXTAP_OK, "line %zu: %s", layout.error_line, layout.complaint);
    cr_expect(layout.header_bytes == 5 && layout.id_at == 4 && layout.id_bytes == 1 && !layout.big_endian);
    cr_assert_eq(layout.event_count, 3);
    cr_expect(layout.events[0].id == 5 && layout.events[0].bytes == 1);
    cr_expect(layout.events[1].id == 0x10 && layout.events[1].bytes == 24);
    cr_expect(layout.events[2].id == 0x1B && layout.events[2].bytes == 0);
}

Test(ctf_layout, knows_the_larger_header_of_later_versions)
{
    cr_assert_eq(parse(TYPES "typealias integer { size = 16; align = 8; } := uint16_t;\n"
                             "struct event_header { uint64_t timestamp; uint16_t id; };\n" STREAM EVENTS),
                 TXTAP_OK);
    cr_expect(layout.header_bytes == 10 && layout.id_at == 8 && layout.id_bytes == 2);
}

Test(ctf_layout, takes_enumerations_structs_with_names_comments_and_big_endian)
{
    cr_assert_eq(parse(TYPES "typealias enum : uint32_t { A = 33, B = 34 } := call;\n"
                             "struct pair { uint8_t a; // and\n uint32_t b[2][3]; };\n" HEADER
                             "trace { major = 1; byte_order = be; };\n"
                             "stream { id = 0; event.header := struct event_header; };\n"
                             "event { name = \"in quotes\"; stream_id = 0; id = 7; fields := struct {\n"
                             "  call what; struct pair pairs[2]; enum : uint8_t { X, Y = 3 } e;\n"
                             "  integer { size = 16; signed = true; } i; }; };\n"),
                 TXTAP_OK, "line %zu: %s", layout.error_line, layout.complaint);
    cr_expect(layout.big_endian);
    cr_expect_eq(layout.events[0].bytes, 4 + 2 * 25 + 1 + 2);
}

static bool field_is(const struct txtap_ctf_event *event, size_t i, struct txtap_ctf_field want)
{
    const struct txtap_ctf_field *field = &layout.fields[event->field + i];

    return i < event->field_count && strcmp(field->name, want.name) == 0 && field->at == want.at &&
           field->bytes == want.bytes && field->kind == want.kind;
}

Test(ctf_layout, knows_the_fields_of_events)
{
    const struct txtap_ctf_event *event;

    cr_assert_eq(
        parse(TYPES HEADER STREAM
              "struct pair { uint8_t a; uint32_t b; };\n"
              "typealias integer { size = 32; align = 8; signed = 1; } := int32_t;\n"
              "event { name = late; id = 9; fields := struct { uint32_t thread_id; text name[20]; }; };\n"
              "event { name = early; id = 3; fields := struct { struct pair p; uint8_t bytes[2]; int32_t ret;\n"
              "  text letter; integer { size = 16; signed = true; } i; uint64_t wide;\n"
              "  enum : uint8_t { X } e; integer { size = 16; encoding = UTF8; } odd; }; };\n"
              "event { name = none; id = 4; };\n"),
        TXTAP_OK, "line %zu: %s", layout.error_line, layout.complaint);
    event = txtap_ctf_find(&layout, 9);
    cr_expect_eq(event->field_count, 2);
    cr_expect(field_is(event, 0, (struct txtap_ctf_field){"thread_id", 0, 4, TXTAP_CTF_UNSIGNED}));
    cr_expect(field_is(event, 1, (struct txtap_ctf_field){"name", 4, 20, TXTAP_CTF_TEXT}));
    event = txtap_ctf_find(&layout, 3);
    cr_expect_eq(event->field_count, 8);
    cr_expect(field_is(event, 0, (struct txtap_ctf_field){"p", 0, 5, TXTAP_CTF_OTHER}));
    cr_expect(field_is(event, 1, (struct txtap_ctf_field){"bytes", 5, 2, TXTAP_CTF_OTHER}));
    cr_expect(field_is(event, 2, (struct txtap_ctf_field){"ret", 7, 4, TXTAP_CTF_SIGNED}));
    cr_expect(field_is(event, 3, (struct txtap_ctf_field){"letter", 11, 1, TXTAP_CTF_TEXT}));
    cr_expect(field_is(event, 4, (struct txtap_ctf_field){"i", 12, 2, TXTAP_CTF_SIGNED}));
    cr_expect(field_is(event, 5, (struct txtap_ctf_field){"wide", 14, 8, TXTAP_CTF_UNSIGNED}));
    cr_expect(field_is(event, 6, (struct txtap_ctf_field){"e", 22, 1, TXTAP_CTF_UNSIGNED}));
    cr_expect(field_is(event, 7, (struct txtap_ctf_field){"odd", 23, 2, TXTAP_CTF_UNSIGNED}));
    cr_expect_eq(txtap_ctf_find(&layout, 4)->field_count, 0);
}

Test(ctf_layout, keeps_the_first_fields_if_not_all_have_room)
{
    static char text[1 << 20];
    size_t used = (size_t)snprintf(text, sizeof text, TYPES HEADER STREAM);

    for (size_t event = 0; event < 2; event++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "event { id = %zu; fields := struct {", event);
        for (size_t i = 0; i < TXTAP_CTF_FIELDS_MAX - 1; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "uint8_t f;");
        used += (size_t)snprintf(text + used, sizeof text - used, "}; };\n");
    }
    cr_assert_eq(txtap_ctf_layout_parse(&layout, text, used), TXTAP_OK, "%s", layout.complaint);
    cr_expect(layout.events[0].field_count == TXTAP_CTF_FIELDS_MAX - 1 && layout.events[1].field_count == 1);
    cr_expect_eq(layout.events[1].bytes, TXTAP_CTF_FIELDS_MAX - 1);
}

struct refused {
    const char *text;
    size_t line;
    const char *says;
};

Test(ctf_layout, refuses_types_of_unknown_length)
{
    static const struct refused table[] = {
        {"", 1, "header"},
        {TYPES HEADER STREAM, 7, "no event"},
        {TYPES HEADER "stream { event.header := struct other; };\n" EVENTS, 9, "header"},
        {TYPES "struct event_header { uint32_t timestamp; };\n" STREAM EVENTS, 10, "header"},
        {TYPES "struct event_header { uint32_t id[0]; };\n" STREAM EVENTS, 10, "header"},
        {TYPES "struct event_header { uint8_t padding[64]; uint32_t id[0]; };\n" STREAM EVENTS, 10, "header"},
        {TYPES "struct event_header { uint32_t timestamp; uint8_t id[2]; };\n" STREAM EVENTS, 10, "header"},
        {TYPES "struct pair { uint8_t a; uint8_t b; };\nstruct event_header { struct pair id; };\n" STREAM EVENTS, 11,
         "header"},
        {TYPES "struct none { };\nstruct event_header { struct none id; };\n" STREAM EVENTS, 11, "header"},
        {TYPES HEADER "trace { packet.header := struct event_header; };\n", 6, "packets"},
        {TYPES HEADER "stream { packet.context := struct event_header; };\n", 6, "packets"},
        {ALL "event { id = 9; fields := struct { string s; }; };\n", 12, "not known"},
        {ALL "event { id = 9; fields := struct { struct { uint8_t a; } s; }; };\n", 12, "name"},
        {ALL "event { id = 5; };\n", 12, "same id"},
        {ALL "event { name = x; };\n", 12, "without an id"},
        {ALL "event { id = 9; fields := struct { uint8_t a[99999]; }; };\n", 12, "number"},
        {ALL "event { id = 9; fields := struct { uint8_t a[4096][4096]; }; };\n", 12, "array"},
        {ALL "event { id = 99999999999; };\n", 12, "number"},
        {ALL "event { id = 0x1G; };\n", 12, "number"},
        {ALL "typealias integer { size = 7; } := odd;\n", 12, "whole bytes"},
        {ALL "typealias integer { size = 32; align = 32; } := odd;\n", 12, "aligned"},
        {ALL "clock { freq = 1; };\n", 12, "statement"},
        {ALL "event { name = \"x; id = 9; };\n", 12, "quote"},
        {ALL "event { id = 9; fields := struct { uint8_t a;", 12, "missing"},
        {ALL "\n/* comment\n without end", 14, NULL},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        enum txtap_status status = parse(table[i].text);

        if (table[i].says == NULL) {
            cr_expect_eq(status, TXTAP_OK);
            continue;
        }
        cr_expect_eq(status, TXTAP_ERROR_FORMAT, "row %zu", i);
        cr_expect(strstr(layout.complaint, table[i].says) != NULL, "row %zu: '%s'", i, layout.complaint);
        cr_expect_eq(layout.error_line, table[i].line, "row %zu: line %zu", i, layout.error_line);
    }
}

Test(ctf_layout, survives_every_prefix_and_every_changed_byte)
{
    static char text[sizeof ALL];

    for (size_t length = 0; length < sizeof ALL; length++)
        (void)txtap_ctf_layout_parse(&layout, ALL, length);
    for (size_t i = 0; i + 1 < sizeof ALL; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(text, ALL, sizeof ALL);
            text[i] = (char)(text[i] ^ 1 << bit);
            if (txtap_ctf_layout_parse(&layout, text, sizeof ALL - 1) != TXTAP_OK)
                cr_assert(layout.complaint[0] != '\0');
        }
}

/* ---- records ---- */

static const uint8_t records[] = {
    1, 0, 0, 0, 0x1B,                                                                           /* isr */
    2, 0, 0, 0, 0x10, 1, 2, 3, 4, 'a', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* ends in zeros */
    3, 0, 0, 0, 5,    9,
};

Test(ctf_layout, counts_records_cut_into_any_pieces)
{
    cr_assert_eq(parse(ALL), TXTAP_OK);
    for (size_t piece = 1; piece <= sizeof records; piece++) {
        struct txtap_ctf_counter counter = {0};

        for (size_t at = 0; at < sizeof records; at += piece)
            txtap_ctf_count(&layout, &counter, records + at, piece < sizeof records - at ? piece : sizeof records - at);
        cr_expect_eq(counter.records, 3);
        cr_expect_eq(counter.bytes, sizeof records);
        cr_expect_eq(counter.partial, 0);
        cr_expect_not(counter.stopped);
    }
}

Test(ctf_layout, reports_the_bytes_after_the_last_whole_record)
{
    static const size_t ends[] = {0, 5, 34, 40};
    static const uint8_t zeros[100];

    cr_assert_eq(parse(ALL), TXTAP_OK);
    for (size_t length = 0; length <= sizeof records; length++) {
        struct txtap_ctf_counter counter = {0};
        size_t whole = 0;

        while (whole < 3 && ends[whole + 1] <= length)
            whole++;
        txtap_ctf_count(&layout, &counter, records, length);
        cr_expect_eq(counter.records, whole);
        cr_expect_eq(counter.bytes, ends[whole]);
        cr_expect_eq(counter.partial, length - ends[whole]);
    }
    struct txtap_ctf_counter counter = {0};

    txtap_ctf_count(&layout, &counter, records, sizeof records);
    txtap_ctf_count(&layout, &counter, zeros, sizeof zeros);
    cr_expect(counter.stopped && counter.id == 0);
    cr_expect(counter.records == 3 && counter.bytes == sizeof records && counter.partial == sizeof zeros);
}
