/* SPDX-License-Identifier: MIT */
/* What to ask a CMSIS-DAP probe for, packet by packet. */
#include "probe/dap_plan.h"

#include <string.h>

#define SEGMENT_BYTES 1024u /* TAR counts up within these at least: ARM IHI 0031, C2.2.2 */
#define HEAD_BYTES    4u    /* of an answer */
#define TAR_BYTES     5u    /* of a request to write TAR */

size_t dap_plan_words_max(size_t packet_bytes)
{
    return (packet_bytes - HEAD_BYTES) / 4 - 1;
}

void dap_plan_init(struct dap_plan *plan, const struct txtap_read *reads, size_t count, size_t packet_bytes)
{
    *plan = (struct dap_plan){.reads = reads, .count = count, .packet_bytes = packet_bytes};
}

/* ---- asking ---- */

/* False: the cursor is behind the last piece. */
static bool settle(const struct dap_plan *plan, struct dap_cursor *cursor)
{
    while (cursor->read < plan->count && cursor->offset == plan->reads[cursor->read].length)
        *cursor = (struct dap_cursor){cursor->read + 1, 0};
    return cursor->read < plan->count;
}

static uint32_t address_of(const struct dap_plan *plan, const struct dap_cursor *cursor)
{
    return plan->reads[cursor->read].address + cursor->offset;
}

/* Words until the piece or the segment ends. */
static size_t words_left(const struct dap_plan *plan)
{
    uint32_t piece = plan->reads[plan->asked.read].length - plan->asked.offset;
    uint32_t segment = SEGMENT_BYTES - address_of(plan, &plan->asked) % SEGMENT_BYTES;

    return (piece < segment ? piece : segment) / 4;
}

static void advance(struct dap_plan *plan, size_t words)
{
    plan->tar = address_of(plan, &plan->asked) + (uint32_t)(4 * words);
    plan->tar_known = plan->tar % SEGMENT_BYTES != 0;
    plan->asked.offset += (uint32_t)(4 * words);
}

static bool stands_right(const struct dap_plan *plan)
{
    return plan->tar_known && plan->tar == address_of(plan, &plan->asked);
}

static bool fits_block(const struct dap_plan *plan)
{
    return plan->begun && stands_right(plan) && words_left(plan) >= dap_plan_words_max(plan->packet_bytes);
}

/* How many words of the segment go into the packet; 0: none has room. */
static size_t words_that_fit(const struct dap_plan *plan, const struct dap_packet *packet)
{
    size_t room = plan->packet_bytes - packet->length, extra = stands_right(plan) ? 0 : 1;
    size_t words = dap_plan_words_max(plan->packet_bytes) - packet->words, left = words_left(plan);
    size_t requests = DAP_TRANSFERS_MAX - packet->requests;

    if (room <= extra * TAR_BYTES || requests <= extra)
        return 0;
    room -= extra * TAR_BYTES;
    requests -= extra;
    words = words < left ? words : left;
    words = words < room ? words : room;
    return words < requests ? words : requests;
}

static void fill_transfer(struct dap_plan *plan, struct dap_packet *packet)
{
    dap_make_transfer(packet);
    while (settle(plan, &plan->asked)) {
        size_t words = words_that_fit(plan, packet);

        if (words == 0)
            return;
        if (!stands_right(plan))
            dap_add_tar(packet, address_of(plan, &plan->asked));
        dap_add_read(packet, DAP_DATA, words);
        advance(plan, words);
    }
    if (packet->words == dap_plan_words_max(plan->packet_bytes) || packet->length == plan->packet_bytes ||
        packet->requests == DAP_TRANSFERS_MAX)
        return; /* TAR is read by one more packet */
    dap_add_read(packet, DAP_TAR_NOW, 1);
    plan->closed = true;
}

bool dap_plan_next(struct dap_plan *plan, struct dap_packet *packet)
{
    bool more = settle(plan, &plan->asked);

    if (plan->closed || (!more && !plan->begun))
        return false;
    if (more && fits_block(plan)) {
        size_t words = dap_plan_words_max(plan->packet_bytes);

        dap_make_block(packet, (uint16_t)words);
        advance(plan, words);
    } else {
        fill_transfer(plan, packet);
    }
    plan->begun = true;
    return true;
}

/* ---- taking ---- */

/* At the end of a segment the address may have started over. */
static bool is_expected_tar(const struct dap_plan *plan, uint32_t tar)
{
    return plan->tar_known ? tar == plan->tar : tar % SEGMENT_BYTES == 0;
}

enum dap_result dap_plan_take(struct dap_plan *plan, const struct dap_packet *packet, const uint8_t *bytes,
                              size_t length)
{
    const uint8_t *words;
    enum dap_result result = dap_take_transfer(packet, bytes, length, &words);
    size_t left = packet->words;

    while (result == DAP_OK && left > 0 && settle(plan, &plan->taken)) {
        const struct txtap_read *read = &plan->reads[plan->taken.read];
        size_t piece = (read->length - plan->taken.offset) / 4, part = left < piece ? left : piece;

        memcpy(read->buffer + plan->taken.offset, words, 4 * part);
        plan->taken.offset += (uint32_t)(4 * part);
        words += 4 * part;
        left -= part;
    }
    if (result == DAP_OK && left > 0 && !is_expected_tar(plan, dap_word(words)))
        return DAP_CONFUSED;
    return result;
}
