/* SPDX-License-Identifier: MIT */
/*
 * Feeds any stream of Zephyr's records, and any events of its event logger, to all analyses. For any input, lower
 * bounds must stay below upper bounds. Threads, interrupts and idle together must not get more time than has passed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/analysis.h"
#include "txtap/inner/zephyr.h"

#define THREAD              "uint32_t thread_id; text name[4];"
#define CALL                "uint32_t id;"
#define E(name, id, fields) "event { name = " name "; id = " id "; fields := struct { " fields " }; };\n"

static const char metadata[] =
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 8; align = 8; encoding = ASCII; } := text;\n"
    "struct event_header { uint8_t timestamp; uint8_t id; };\n"
    "trace { major = 1; minor = 8; byte_order = le; };\n"
    "stream { event.header := struct event_header; };\n" E("thread_switched_out", "0", THREAD)
        E("thread_switched_in", "1", THREAD) E("thread_ready", "2", THREAD) E("thread_pending", "3", THREAD)
            E("thread_suspend", "4", THREAD) E("thread_abort", "5", THREAD) E("thread_create", "6", THREAD)
                E("semaphore_give_enter", "7", CALL) E("semaphore_take_blocking", "8", CALL)
                    E("semaphore_take_exit", "9", CALL) E("mutex_lock_blocking", "10", CALL)
                        E("mutex_unlock_enter", "11",
                          CALL) "event { name = isr_enter; id = 12; };\n"
                                "event { name = isr_exit; id = 13; };\nevent { name = idle; id = 14; };\n";

static double cpu, observed;

static enum txtap_status check(void *self, const struct txtap_figure *figure)
{
    (void)self;
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        const struct txtap_measure *measure = &figure->stat[stat];

        if (measure->known)
            REQUIRE(!isnan(measure->value) && measure->lower <= measure->upper && measure->lower >= 0);
    }
    if (strcmp(figure->name, "observed") == 0)
        observed = figure->stat[TXTAP_STAT_VALUE].value;
    if (strcmp(figure->name, "cpu_ticks") == 0 || strcmp(figure->name, "idle_ticks") == 0 ||
        strcmp(figure->name, "interrupts_ticks") == 0)
        cpu += figure->stat[TXTAP_STAT_VALUE].value;
    return TXTAP_OK;
}

static void give_ctf(struct txtap_sink next, const uint8_t *data, size_t length)
{
    static struct txtap_ctf_layout layout;
    static struct txtap_zephyr_ctf ctf;
    static struct txtap_object objects[4];
    struct txtap_registry registry;
    size_t piece = length > 0 ? 1 + data[0] % 64u : 1;

    if (layout.event_count == 0)
        REQUIRE(txtap_ctf_layout_parse(&layout, metadata, sizeof metadata - 1) == TXTAP_OK);
    txtap_registry_init(&registry, objects, 4);
    txtap_zephyr_ctf_init(&ctf, &layout, &registry, next);
    for (size_t at = 1; at < length; at += piece) {
        struct txtap_item item = {.kind = TXTAP_ITEM_BYTES};

        item.bytes = (struct txtap_bytes){data + at, length - at < piece ? length - at : piece};
        REQUIRE(txtap_zephyr_ctf_take(&ctf, &item) == TXTAP_OK);
        if (piece == 33 || piece == 34) {
            item.kind = piece == 33 ? TXTAP_ITEM_RESTART : TXTAP_ITEM_GAP;
            REQUIRE(txtap_zephyr_ctf_take(&ctf, &item) == TXTAP_OK);
        }
    }
    REQUIRE(txtap_zephyr_ctf_end(&ctf) == TXTAP_OK);
    REQUIRE(strlen(txtap_zephyr_ctf_lacks(&ctf)) < 190);
}

static void give_logger(struct txtap_sink next, const uint8_t *data, size_t length)
{
    static struct txtap_zephyr_logger logger;
    uint64_t ticks = 0;

    logger = (struct txtap_zephyr_logger){.next = next};
    for (size_t at = 0; at + 4 <= length; at += 4) {
        static const enum txtap_item_kind kinds[] = {TXTAP_ITEM_GAP, TXTAP_ITEM_MARK, TXTAP_ITEM_RESTART};
        struct txtap_item item = {.kind = data[at] < 0xF0 ? TXTAP_ITEM_EVENT : kinds[data[at] % 3u]};

        ticks += data[at + 1] == 0xFF ? 1ull << 40 : data[at + 1];
        if (item.kind == TXTAP_ITEM_EVENT)
            item.event = (struct txtap_event){.seq = at,
                                              .ticks = ticks,
                                              .id = 4097 + data[at] % 5u,
                                              .info = {data[at + 2] % 8u},
                                              .ticks_doubtful = data[at + 3] == 0};
        if (item.kind == TXTAP_ITEM_MARK)
            item.mark =
                (struct txtap_mark){.kind = (enum txtap_mark_kind)(data[at + 1] % TXTAP_MARK_KINDS), .text = ""};
        REQUIRE(txtap_zephyr_logger_take(&logger, &item) == TXTAP_OK);
    }
    REQUIRE(txtap_zephyr_logger_end(&logger) == TXTAP_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    const struct txtap_analysis_limits limits = {.threads = 4, .objects = 4, .pairs = 5, .pages = 6};
    void *memory = malloc(txtap_analysis_bytes(&limits, 0));
    struct txtap_analysis *analysis;

    REQUIRE(memory != NULL);
    analysis = txtap_analysis_open(memory, &limits, &(struct txtap_analysis_options){.tick_hz = 1e6});
    (length > 0 && data[0] & 0x80u ? give_logger : give_ctf)((struct txtap_sink){txtap_analysis_take, analysis}, data,
                                                             length);
    txtap_analysis_end(analysis);
    cpu = observed = 0;
    REQUIRE(txtap_analysis_figures(analysis, 0, (struct txtap_figure_sink){check, NULL}) == TXTAP_OK);
    REQUIRE(cpu <= observed);
    free(memory);
    return 0;
}
