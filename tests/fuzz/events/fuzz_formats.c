/* SPDX-License-Identifier: MIT */
/*
 * Writes any events, gaps and marks in any format. The first bytes select the format and the clock. After them, each 8
 * bytes are an item.
 */
#include "export.h"
#include "fuzz.h"
#include "items.h"

#define HEAD_BYTES 4

static const char *const names[] = {"", "a\"b\\c</script>", "\xff\xfe\x1b[2J\x07", "\xe2\x82", "$end #1 x\n", "ok"};

static void name_objects(struct txtap_object objects[static 4], uint8_t choice)
{
    static const uint8_t types[] = {TXTAP_OBJECT_THREAD, TXTAP_OBJECT_QUEUE, TXTAP_OBJECT_MUTEX, TXTAP_OBJECT_THREAD};

    for (uint8_t i = 0; i < 4; i++) {
        objects[i] = (struct txtap_object){
            .pointer = 0x1000u + 0x100u * i, .type = types[i], .parameter = {0x1000, 0x100}, .live = true};
        for (size_t at = 0; names[(choice + i) % 6][at] != '\0'; at++)
            objects[i].name[at] = names[(choice + i) % 6][at];
    }
}

/* Definitions for some of the ids that items have. */
static const struct txtap_definitions *define(void)
{
    static const char text[] =
        "event 1344 \"b\"\nevent 1351 \"e\"\nevent 1358 \"f\" \"{0:f}\"\nevent 1365 \"d\" \"{1:d/1000 V}\"\n"
        "slice 1344 1351 \"a slice\"\ncounter 1358 0 \"float\"\ncounter 1365 1 \"volts\"\n";
    static struct txtap_definition events[4];
    static char strings[256];
    static struct txtap_definitions definitions;
    struct txtap_definitions_memory room = {events, 4, NULL, 0, strings, sizeof strings};
    struct txtap_definitions_problem problem;

    if (definitions.event_count == 0) {
        txtap_definitions_init(&definitions, room);
        REQUIRE(txtap_definitions_parse(&definitions, text, sizeof text - 1, &problem) == TXTAP_OK);
    }
    return &definitions;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static const double rates[] = {0, 1, 1e6, 168e6, 1e6 / 3, 4e9, 1e300, 0.1};
    static struct txtap_object objects[4];
    struct txtap_registry registry = {.objects = objects, .count = 4};
    struct txtap_header header = {.timer_mask = UINT32_MAX};
    struct txtap_exporter exporter = {.registry = &registry, .header = &header, .definitions = define()};
    uint64_t ticks = 0;

    if (length < HEAD_BYTES)
        return 0;
    name_objects(objects, data[3]);
    exporter.options = (struct txtap_exporter_options){
        .tick_hz = rates[data[1] % 8], .wide = data[2] & 1, .columns = data[2] & 2 ? TXTAP_COLUMN_EVENT : 0};
    export_open(&exporter, data[0], false);
    REQUIRE(exporter.ops->begin(&exporter) == TXTAP_OK);
    for (size_t i = HEAD_BYTES; i + ITEM_BYTES <= length; i += ITEM_BYTES) {
        struct txtap_item item = item_of(data + i, i / ITEM_BYTES, &ticks, data[2] >> 6);

        if (item.kind == TXTAP_ITEM_GAP)
            item.gap = (struct txtap_gap){.seq = i / ITEM_BYTES, .lost = data[i + 1], .exact = data[i + 2] & 1};
        if (data[i] == 0xF9) { /* the registry gets other names for the same addresses */
            name_objects(objects, data[i + 1]);
            registry.generation++;
        }
        REQUIRE(txtap_exporter_take(&exporter, &item) == TXTAP_OK);
    }
    REQUIRE(exporter.ops->end(&exporter) == TXTAP_OK);
    export_close(&exporter);
    return 0;
}
