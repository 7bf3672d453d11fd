/* SPDX-License-Identifier: MIT */
/* ThreadX's trace buffer, which txtap's recorder writes as well, as a kind of ring. */
#include "ring/txtb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/source_base.h"
#include "ring/txtb_half_laps.h"

/* NULL while nothing is recorded; ThreadX common/src/tx_trace_disable.c */
#define CURRENT_SYMBOL "_tx_trace_buffer_current_ptr"
#define SEARCH_START_SYMBOL                                                                                            \
    "_tx_trace_registry_search_start" /* ThreadX common/inc/tx_trace.h; the recorder has it, too */

static void list_candidates(const struct locate_result *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct locate_candidate *candidate = &found->candidates[i];

        if (candidate->status == TXTAP_OK)
            fprintf(stderr, "txtap: 0x%08" PRIx32 ": trace buffer of %" PRIu32 " entries, %" PRIu32 " objects\n",
                    candidate->address, txtap_header_ring_entries(&candidate->header),
                    txtap_header_registry_entries(&candidate->header));
        else
            fprintf(stderr, "txtap: 0x%08" PRIx32 ": not usable: %s\n", candidate->address, candidate->why);
    }
}

/* A damaged header can be plausible and yet describe more than there is: its last word must be readable. */
static enum txtap_status check_extent(struct txtap_source source, const struct locate_request *request,
                                      const struct poller_place *place, struct error *error)
{
    uint32_t last = place->header.ring_end - 4;
    uint8_t word[4];
    bool permitted = locate_permits(request, place->address, place->header.ring_end - place->address);
    enum txtap_status status = permitted ? memory_read(source, last, word, sizeof word) : ERROR_FAULT;

    if (status == ERROR_FAULT)
        return failure(error, TXTAP_ERROR_RING,
                       "trace buffer at 0x%08" PRIx32 ": its ring reaches to 0x%08" PRIx32
                       ", where %s: the header is damaged, or --address is wrong\nsearch with --scan%s",
                       place->address, place->header.ring_end,
                       permitted ? "nothing can be read" : "registers are, which txtap does not read",
                       permitted ? "" : ", --ram START:SIZE says where RAM is");
    if (status != TXTAP_OK)
        return memory_failure(source, status, NULL, error);
    return TXTAP_OK;
}

/* Where the firmware keeps the buffer's address, if it was found there. */
static uint32_t pointer_of(const struct ring_request *request, enum locate_how how)
{
    struct elf_symbol symbol;

    if (how != LOCATE_BY_POINTER || request->config->wished.symbol != NULL ||
        elf_symbol_find(request->elf, LOCATE_POINTER_SYMBOL, &symbol) != TXTAP_OK || symbol.address % 4 != 0)
        return 0;
    return symbol.address;
}

/* Where the kernel keeps the slot from which it searches the registry. */
static uint32_t search_start_of(const struct ring_request *request)
{
    struct elf_symbol symbol;

    if (request->elf == NULL || elf_symbol_find(request->elf, SEARCH_START_SYMBOL, &symbol) != TXTAP_OK ||
        !symbol.in_ram || symbol.address % 4 != 0)
        return 0;
    return symbol.address;
}

static void take(const struct ring_request *request, const struct locate_candidate *chosen, struct poller_place *place)
{
    uint32_t half_laps_at = half_laps_address(request->other_firmware ? NULL : request->elf);
    struct txtb_place own = {.how = chosen->how};

    _Static_assert(sizeof own <= sizeof place->reader.own, "a place has room for it");
    place->address = chosen->address;
    place->header = chosen->header;
    place->pointer = pointer_of(request, chosen->how);
    place->search_start = search_start_of(request);
    own.half_laps_behind = half_laps_at > place->address;
    own.half_laps = half_laps_find(request->source, half_laps_at, place);
    memcpy(place->reader.own, &own, sizeof own);
}

static enum txtap_status locate_buffer(const struct ring_request *request, struct poller_place *place,
                                       struct error *error)
{
    const struct locate_wish *wished = &request->config->wished;
    bool given = wished->ram_count > 0 || request->memory == NULL;
    const struct locate_request where = {
        .elf = wished->scan && request->other_firmware ? NULL : request->elf,
        .symbol = wished->symbol,
        .has_address = wished->has_address,
        .address = wished->address,
        .scan = wished->scan,
        .ram = given ? wished->ram : request->memory,
        .ram_count = given ? wished->ram_count : 1,
    };
    struct locate_result found;
    enum txtap_status status = locate(request->source, &where, &found, error);

    if (status == TXTAP_OK) {
        take(request, &found.candidates[found.chosen], place);
        status = check_extent(request->source, &where, place, error);
    }
    if (status != TXTAP_OK && request->lists && found.count > 1)
        list_candidates(&found);
    return status;
}

static void check(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state)
{
    (void)config;
    if (use->reads_files && use->elf != NULL)
        argp_error(state, "--elf is for a ring that is found by symbols, and ThreadX's is found in the file without "
                          "them: do not use it here");
}

static const char *const uptime_symbols[] = {
    "_tx_timer_system_clock", /* ticks since the start; ThreadX common/inc/tx_timer.h */
    "_sys_clock_tick_count",  /* the recorder under Zephyr 1.x: kernel/sys_clock.c */
    "curr_tick",              /* and under Zephyr since: kernel/timeout.c */
    NULL,
};

const struct ring_kind ring_txtb = {
    .advice = "record fewer kinds on the target (tx_trace_event_filter)",
    .laps = true,
    .enabled_symbol = CURRENT_SYMBOL,
    .uptime_symbols = uptime_symbols,
    .reader = &txtb_reader_ops,
    .check = check,
    .locate = locate_buffer,
    .copy = txtb_copy,
    .measure = txtb_measure,
    .describe = txtb_describe,
};
