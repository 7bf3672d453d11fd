/* SPDX-License-Identifier: MIT */
/*
 * Writes any events, gaps, marks and samples in any format. The first bytes select the format and the clock. After
 * them, each 8 bytes are an item.
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

/* ---- samples ---- */

/* Returns channels of all kinds and forms. */
static const struct txtap_channels *all_channels(void)
{
    static const struct txtap_channel_word words[] = {{-1, "a b"}, {0, "\xc3\xa4"}};
    static struct txtap_channels channels;

    for (uint32_t i = 0; channels.count < TXTAP_FORMS + 2; i++) {
        struct txtap_channel channel = {.number = i, .words = words, .name = {(char)('a' + i), '.', '\0'}};

        channel.form = i < TXTAP_FORMS ? (enum txtap_channel_form)i : TXTAP_FORM_UNSIGNED;
        channel.kind = i < TXTAP_FORMS ? TXTAP_CHANNEL_VALUE : i == TXTAP_FORMS ? TXTAP_CHANNEL_LOG : TXTAP_CHANNEL_PC;
        channel.word_count = channel.form == TXTAP_FORM_STATE ? 2 : 0;
        channel.unit[0] = i % 2 != 0 ? '%' : '\0';
        REQUIRE(txtap_channels_add(&channels, &channel) != NULL);
    }
    return &channels;
}

/* Makes a sample of any channel, also of a channel that the exporter does not know before. */
static struct txtap_item sample_of(const uint8_t at[ITEM_BYTES], uint64_t seq, uint64_t ticks)
{
    static const struct txtap_channel late = {.number = TXTAP_CHANNELS_MAX - 1, .name = "late"};
    const struct txtap_channels *channels = all_channels();
    size_t i = at[1] % (channels->count + 1);
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};

    item.sample = (struct txtap_sample){.channel = i < channels->count ? &channels->at[i] : &late,
                                        .state = (enum txtap_sample_state)(at[2] % TXTAP_SAMPLE_STATES),
                                        .seq = seq + at[3] % 4,
                                        .ticks = ticks + at[4],
                                        .from_ticks = ticks,
                                        .to_ticks = at[4] & 1 ? UINT64_MAX : ticks + at[4],
                                        .bits = (uint64_t)at[5] << at[6] % 64 | at[7],
                                        .thread = at[6] & 1 ? 0x1000 : 0,
                                        .text = names[at[7] % 6]};
    if (at[5] == 0xFF)
        item.sample.bits = UINT64_MAX << at[7] % 64;
    return item;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static const double rates[] = {0, 1, 1e6, 168e6, 1e6 / 3, 4e9, 1e300, 0.1};
    static struct txtap_object objects[4];
    struct txtap_registry registry = {.objects = objects, .count = 4};
    struct txtap_header header = {.timer_mask = UINT32_MAX};
    struct txtap_exporter exporter = {
        .registry = &registry, .header = &header, .definitions = define(), .channels = all_channels()};
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
        if (data[i] == 0xF8)
            item = sample_of(data + i, i / ITEM_BYTES, ticks);
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
