/* SPDX-License-Identifier: MIT */
#include "zephyr_trace.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "txtap/trace.h"

#include "zephyr_target.h"

static struct txtap_object objects[ZEPHYR_OBJECTS_MAX];
static struct txtap_trace trace;

const struct txtap_definitions *zephyr_definitions(void)
{
    static struct txtap_definition events[1024];
    static struct txtap_word words[256];
    static char strings[65536], text[131072];
    static struct txtap_definitions definitions;
    struct txtap_definitions_problem problem;
    struct txtap_definitions_memory memory = {events, 1024, words, 256, strings, sizeof(strings)};
    FILE *file = fopen(TXTAP_ZEPHYR_EVENTS, "r");
    size_t length;

    cr_assert_not_null(file, "%s", TXTAP_ZEPHYR_EVENTS);
    length = fread(text, 1, sizeof(text), file);
    (void)fclose(file);
    cr_assert_lt(length, sizeof(text));
    txtap_definitions_init(&definitions, memory);
    cr_assert_eq(txtap_definitions_parse(&definitions, text, length, &problem), TXTAP_OK, "line %zu: %s", problem.line,
                 problem.text);
    return &definitions;
}

size_t zephyr_decode(struct txtap_event events[ZEPHYR_EVENTS_MAX])
{
    struct txtap_item item;
    size_t count = 0;

    cr_assert_eq(txtap_trace_open(&trace, zephyr_ram, ZEPHYR_RAM_BYTES, objects, ZEPHYR_OBJECTS_MAX), TXTAP_OK);
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        cr_assert_eq(item.kind, TXTAP_ITEM_EVENT, "a gap");
        cr_assert_lt(count, ZEPHYR_EVENTS_MAX);
        events[count++] = item.event;
    }
    return count;
}

const struct txtap_registry *zephyr_registry(void)
{
    return &trace.registry;
}

const char *zephyr_name_of(const void *object)
{
    const struct txtap_object *found = txtap_registry_find(&trace.registry, zephyr_address(object));

    return found != NULL && found->live ? found->name : "";
}
