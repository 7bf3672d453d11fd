/* SPDX-License-Identifier: MIT */
/*
 * Parses any bytes as a file of definitions. The file must be accepted or refused. If it is accepted, its events must
 * be shown in every format.
 */
#include <string.h>

#include "fuzz.h"
#include "txtap/definitions.h"
#include "txtap/exporter.h"

#define EVENTS  16
#define WORDS   64
#define STRINGS 2048

#define SHOWN_MAX 3 /* number of events shown per file; few, because printing takes longer than parsing */

static struct txtap_definition events[EVENTS];
static struct txtap_word words[WORDS];
static char strings[STRINGS];
static struct txtap_definitions definitions;

/* Checks that a line has no control character before its end. The file's names must not cause any. */
static enum txtap_status check_line(void *self, const char *bytes, size_t length)
{
    (void)self;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        REQUIRE((byte >= 0x20 && byte != 0x7F) || i + 1 == length || byte == '\r');
    }
    return TXTAP_OK;
}

static void show(const char *format, uint16_t id)
{
    static struct txtap_exporter_memory memory;
    static struct txtap_registry registry;
    static struct txtap_header header;
    struct txtap_exporter exporter = {
        .ops = txtap_exporter_find(format),
        .writer = {check_line, NULL},
        .registry = &registry,
        .header = &header,
        .definitions = &definitions,
        .memory = &memory,
    };
    struct txtap_event event = {.id = id, .info = {id, 0x80000000u, 0x7f800001u, 5}};

    /* Forgets the events of the last file. Clearing all 320 KiB would take longer. */
    for (size_t i = 0; i < TXTAP_EXPORTER_EVENTS; i++)
        memory.events[i].known = false;
    REQUIRE(exporter.ops->event(&exporter, &event) == TXTAP_OK);
    REQUIRE(txtap_exporter_flush(&exporter) == TXTAP_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct txtap_definitions_memory store = {events, EVENTS, words, WORDS, strings, STRINGS};
    struct txtap_definitions_problem problem;

    /* Clears only the elements that the last run has set, because txtap_definitions_init() would clear 140 KiB. */
    for (size_t i = 0; i < definitions.event_count; i++)
        definitions.by_id[events[i].info.id] = 0;
    definitions.memory = store;
    definitions.event_count = definitions.word_count = definitions.string_bytes = definitions.list_count = 0;
    definitions.row_count = 0;
    (void)txtap_definitions_parse(&definitions, (const char *)bytes, length, &problem);
    REQUIRE(memchr(problem.text, '\0', sizeof(problem.text)) != NULL);
    for (size_t i = 0; i < definitions.event_count && i < SHOWN_MAX; i++) {
        show("text", events[i].info.id);
        show("jsonl", events[i].info.id);
        show("csv", events[i].info.id);
    }
    return 0;
}
