/* SPDX-License-Identifier: MIT */
/*
 * Any events to all analyses, whose tables are too small: 8 bytes are an event, a gap or a mark. Whatever comes, lower
 * bounds stay below upper ones, and threads, interrupts and idle together get no more time than there was.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/analysis.h"

static double cpu, observed;

static enum txtap_status check(void *self, const struct txtap_figure *figure)
{
    (void)self;
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        const struct txtap_measure *measure = &figure->stat[stat];

        if (!measure->known)
            continue;
        REQUIRE(!isnan(measure->value) && measure->lower <= measure->upper);
        REQUIRE(measure->lower >= 0);
    }
    if (strcmp(figure->name, "observed") == 0)
        observed = figure->stat[TXTAP_STAT_VALUE].value;
    if (strcmp(figure->name, "cpu_ticks") == 0 || strcmp(figure->name, "idle_ticks") == 0 ||
        strcmp(figure->name, "interrupts_ticks") == 0 || strcmp(figure->name, "init_ticks") == 0)
        cpu += figure->stat[TXTAP_STAT_VALUE].value;
    return TXTAP_OK;
}

static uint32_t word(uint8_t byte)
{
    return byte < 0x40 ? byte & 7u : byte < 0xC0 ? 0x1000u + 0x100u * (byte & 7u) : byte < 0xF8 ? 0xFFFFFFFFu : byte;
}

static struct txtap_item item_of(const uint8_t *at, uint64_t seq, uint64_t *ticks, unsigned cores)
{
    static const uint8_t ids[] = {1,  2,  3,  4,  5,  1,  2,  10, 17, 20, 27, 31, 32, 36,  50,  51,
                                  52, 57, 52, 57, 56, 60, 62, 63, 68, 69, 80, 83, 88, 100, 108, 109};
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    if (at[0] >= 0xFA) {
        item.kind = at[0] == 0xFF ? TXTAP_ITEM_RESTART : at[0] >= 0xFD ? TXTAP_ITEM_MARK : TXTAP_ITEM_GAP;
        if (item.kind == TXTAP_ITEM_MARK)
            item.mark = (struct txtap_mark){.kind = (enum txtap_mark_kind)(at[1] % TXTAP_MARK_KINDS), .text = ""};
        return item;
    }
    *ticks += (at[1] & 0x3F) == 0x3F ? (uint64_t)at[2] << 32 : at[1] & 0x3Fu;
    item.event = (struct txtap_event){
        .seq = seq,
        .ticks = *ticks,
        .id = at[0] >= 0xC0 ? (uint32_t)at[0] * 7 : ids[at[0] % sizeof ids],
        .thread = word(at[2]),
        .info = {word(at[3]), word(at[4]), word(at[5]), word(at[6])},
        .priority = at[7] & 7u,
        .core = (uint8_t)(cores > 1 ? at[7] >> 6 : 0),
        .context = (enum txtap_context)(at[1] >> 6),
    };
    return item;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    const struct txtap_analysis_limits limits = {.threads = 4, .objects = 4, .pairs = 5, .pages = 6};
    unsigned cores = length > 0 ? data[0] & 3u : 0;
    void *memory = malloc(txtap_analysis_bytes(&limits));
    struct txtap_analysis *analysis;
    uint64_t ticks = 0;

    REQUIRE(memory != NULL);
    analysis = txtap_analysis_open(memory, &limits, &(struct txtap_analysis_options){.tick_hz = length & 1 ? 1e6 : 0});
    for (size_t i = 1; i + 8 <= length; i += 8) {
        struct txtap_item item = item_of(data + i, i / 8, &ticks, cores);

        REQUIRE(txtap_analysis_take(analysis, &item) == TXTAP_OK);
    }
    txtap_analysis_end(analysis);
    cpu = observed = 0;
    REQUIRE(txtap_analysis_figures(analysis, NULL, (struct txtap_figure_sink){check, NULL}) == TXTAP_OK);
    if (cores <= 1)
        REQUIRE(cpu <= observed);
    free(memory);
    return 0;
}
