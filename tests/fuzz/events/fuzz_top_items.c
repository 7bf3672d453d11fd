/* SPDX-License-Identifier: MIT */
/*
 * Feeds any events to the monitor of "txtap top", and draws its state. 8 bytes are an event, a gap, a mark, a reset, or
 * a rate of ticks. The shares of a core must not exceed the whole.
 */
#include <string.h>

#include "fuzz.h"
#include "items.h"
#include "txtap/inner/top.h"

static struct txtap_top_state state;
static char cells[40 * 140];

static bool is_share(double percent)
{
    return percent < 100 + 1e-6;
}

static void look(struct txtap_top *top, const struct txtap_registry *names, unsigned choice)
{
    struct txtap_top_view view = {.page = (enum txtap_top_page)(choice % (TXTAP_TOP_PAGE_HELP + 1))};
    struct txtap_top_screen screen = {.rows = 40, .columns = 140, .cells = cells};

    txtap_top_look(top, names, choice % TXTAP_TOP_WINDOWS, &state);
    REQUIRE(is_share(state.load) && is_share(state.idle) && is_share(state.load_max));
    for (size_t i = 0; i < state.thread_count; i++)
        REQUIRE(state.cores > 1 || is_share(state.threads[i].cpu));
    view.selected = txtap_top_neighbour(&state, &view, 1);
    txtap_top_draw(&state, &view, &screen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static struct txtap_object objects[] = {
        {.pointer = 0x1000, .type = TXTAP_OBJECT_THREAD, .name = "\x1b[2Jthread\xff", .parameter = {0x1000, 0x100}},
        {.pointer = 0x1100,
         .type = TXTAP_OBJECT_QUEUE,
         .name = "a queue whose name is as long as it can be, or so",
         .parameter = {64, 1}},
        {.pointer = 0x1200, .type = TXTAP_OBJECT_MUTEX, .name = ""},
    };
    const struct txtap_registry registry = {.objects = objects, .count = 3};
    unsigned cores = length > 0 ? data[0] & 3u : 0;
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {.sections = TXTAP_SECTION_BIT(TXTAP_SECTION_TRACE)};
    static void *memory, *analysis_memory; /* several MB, so they are allocated only once */
    struct txtap_analysis *analysis;
    struct txtap_top *top;
    uint64_t ticks = 0;

    if (analysis_memory == NULL)
        analysis_memory = malloc(txtap_analysis_bytes(&limits, options.sections));
    REQUIRE(analysis_memory != NULL);
    analysis = txtap_analysis_open(analysis_memory, &limits, &options);
    if (memory == NULL)
        memory = malloc(txtap_top_bytes(analysis));
    REQUIRE(memory != NULL);
    top = txtap_top_open(memory, analysis);
    if (cores & 1u)
        txtap_analysis_objects(analysis, &registry);
    for (size_t i = 1; i + ITEM_BYTES <= length; i += ITEM_BYTES) {
        struct txtap_item item = item_of(data + i, i / ITEM_BYTES, &ticks, cores);

        if (data[i] == 0xF8)
            txtap_top_rate(top, 1.0 + (double)((uint64_t)data[i + 1] << data[i + 2] % 40));
        else if (data[i] == 0xF9)
            txtap_top_reset(top);
        else if (data[i] == 0xF7)
            look(top, &registry, data[i + 1]);
        else
            REQUIRE(txtap_analysis_take(analysis, &item) == TXTAP_OK);
    }
    txtap_analysis_end(analysis);
    look(top, NULL, length > 1 ? data[1] : 0);
    return 0;
}
