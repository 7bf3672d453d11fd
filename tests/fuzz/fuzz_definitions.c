/* SPDX-License-Identifier: MIT */
/* Definition files of any bytes: read or refused, and what was read can be shown in every format. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/definitions.h"
#include "txtap/exporter.h"

#define EVENTS  16
#define WORDS   64
#define STRINGS 2048

#define SHOWN_MAX 3 /* of the events in a file: lines take longer than definitions */

static struct txtap_definition events[EVENTS];
static struct txtap_word words[WORDS];
static char strings[STRINGS];
static struct txtap_definitions definitions;

/* No line of any format has a control character but its end, whatever the file called its events. */
static enum txtap_status check_line(void *self, const char *bytes, size_t length)
{
    (void)self;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        if ((byte < 0x20 && i + 1 != length && byte != '\r') || byte == 0x7F)
            abort();
    }
    return TXTAP_OK;
}

static void show(const char *format, uint16_t id)
{
    static struct txtap_registry registry;
    static struct txtap_header header;
    struct txtap_exporter exporter = {.ops = txtap_exporter_find(format), .registry = &registry, .header = &header};
    struct txtap_event event = {.id = id, .info = {id, 0x80000000u, 0x7f800001u, 5}};

    if (exporter.ops == NULL)
        return;
    exporter.sink.write = check_line;
    exporter.definitions = &definitions;
    (void)exporter.ops->event(&exporter, &event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct txtap_definitions_memory memory = {events, EVENTS, words, WORDS, strings, STRINGS};
    struct txtap_definitions_problem problem;

    /* What init would clear is 140 KiB: only what the last run filled is cleared here. */
    for (size_t i = 0; i < definitions.event_count; i++)
        definitions.by_id[events[i].info.id] = 0;
    definitions.memory = memory;
    definitions.event_count = definitions.word_count = definitions.string_bytes = definitions.list_count = 0;
    (void)txtap_definitions_parse(&definitions, (const char *)data, size, &problem);
    if (memchr(problem.text, '\0', sizeof(problem.text)) == NULL)
        abort();
    for (size_t i = 0; i < definitions.event_count && i < SHOWN_MAX; i++) {
        show("text", events[i].info.id);
        show("jsonl", events[i].info.id);
        show("csv", events[i].info.id);
    }
    return 0;
}
