/* SPDX-License-Identifier: MIT */
/* Plans the requests to a CMSIS-DAP probe, packet by packet, and checks their answers. */
#include "probe/dap/dap_plan.h"

#include <string.h>

#define SEGMENT_BYTES 1024u /* TAR is guaranteed to increment within a segment of this size: ARM IHI 0031, C2.2.2 */
#define HEAD_BYTES    4u    /* bytes of an answer before its words */
#define LAST_WORD     (SEGMENT_BYTES - 4)
#define TAR_BYTES     5u /* bytes of a request that writes TAR */

/* Returns the largest number of words in one answer. This is one less than the number of words that fit, because some
 * firmwares merge full packets. */
static size_t dap_plan_words_max(size_t packet_bytes)
{
    return (packet_bytes - HEAD_BYTES) / 4 - 1;
}

void dap_plan_init(struct dap_plan *plan, const struct txtap_read *reads, size_t count, size_t packet_bytes,
                   unsigned turn, uint32_t dpidr)
{
    *plan =
        (struct dap_plan){.reads = reads, .count = count, .packet_bytes = packet_bytes, .turn = turn, .dpidr = dpidr};
}

/* Returns the limit of words for the current packet. The limit is one word lower in every other packet. */
static size_t words_max(const struct dap_plan *plan)
{
    return dap_plan_words_max(plan->packet_bytes) - (plan->turn + plan->packets) % 2;
}

/* ---- a cursor ---- */

/* Moves to the piece with the next word. False: no more pieces. */
static bool settle(const struct dap_plan *plan, struct dap_cursor *cursor)
{
    while (cursor->read < plan->count && cursor->offset == plan->reads[cursor->read].length) {
        cursor->read++;
        cursor->offset = 0;
    }
    return cursor->read < plan->count;
}

static uint32_t address_of(const struct dap_plan *plan, const struct dap_cursor *cursor)
{
    return plan->reads[cursor->read].address + cursor->offset;
}

/* Returns the number of words up to the end of the piece, the segment's last word, or the end of the segment. */
static size_t words_left(const struct dap_plan *plan, const struct dap_cursor *cursor)
{
    uint32_t piece = plan->reads[cursor->read].length - cursor->offset;
    uint32_t within = address_of(plan, cursor) % SEGMENT_BYTES;
    uint32_t segment = within < LAST_WORD ? LAST_WORD - within : 4;

    return (piece < segment ? piece : segment) / 4;
}

static bool stands_right(const struct dap_plan *plan, const struct dap_cursor *cursor)
{
    return cursor->tar_known && cursor->tar == address_of(plan, cursor);
}

/* Reports whether a check must follow. more: result of settle(). */
static bool wants_check(const struct dap_plan *plan, const struct dap_cursor *cursor, bool more)
{
    if (!more)
        return cursor->last > 0;
    return cursor->unchecked && (!stands_right(plan, cursor) || cursor->tar % SEGMENT_BYTES == LAST_WORD);
}

/* Returns the number of registers that are read after the last word. */
static unsigned last_checks(const struct dap_plan *plan)
{
    return 2 + plan->turn % 2;
}

/* Returns the register that the next check reads. */
static enum dap_register check_register(const struct dap_plan *plan, const struct dap_cursor *cursor, bool more)
{
    return more || cursor->last == last_checks(plan) ? DAP_TAR_NOW : DAP_DPIDR;
}

static void note_check(struct dap_cursor *cursor, bool more)
{
    cursor->unchecked = false;
    if (!more)
        cursor->last--;
}

static void advance(const struct dap_plan *plan, struct dap_cursor *cursor, size_t words)
{
    cursor->tar = address_of(plan, cursor) + (uint32_t)(4 * words);
    cursor->tar_known = cursor->tar % SEGMENT_BYTES != 0;
    cursor->unchecked = true;
    cursor->last = last_checks(plan);
    cursor->offset += (uint32_t)(4 * words);
}

/* ---- asking ---- */

/* Returns the number of words of the segment that fit into the packet; 0: no word fits. */
static size_t words_that_fit(const struct dap_plan *plan, const struct dap_packet *packet)
{
    size_t extra = stands_right(plan, &plan->asked) ? 0 : 1;
    size_t room = plan->packet_bytes - packet->length, requests = DAP_TRANSFERS_MAX - packet->requests;
    size_t words = words_max(plan) - packet->words, left = words_left(plan, &plan->asked);

    if (room <= extra * TAR_BYTES || requests <= extra)
        return 0;
    room -= extra * TAR_BYTES;
    requests -= extra;
    words = words < left ? words : left;
    words = words < room ? words : room;
    return words < requests ? words : requests;
}

static bool has_room(const struct dap_plan *plan, const struct dap_packet *packet)
{
    return packet->words < words_max(plan) && packet->length < plan->packet_bytes &&
           packet->requests < DAP_TRANSFERS_MAX;
}

static void fill_transfer(struct dap_plan *plan, struct dap_packet *packet)
{
    struct dap_cursor *asked = &plan->asked;

    dap_make_transfer(packet);
    while (has_room(plan, packet)) {
        bool more = settle(plan, asked);

        if (wants_check(plan, asked, more)) {
            dap_add_read(packet, check_register(plan, asked, more), 1);
            note_check(asked, more);
        } else {
            size_t words = more ? words_that_fit(plan, packet) : 0;

            if (words == 0)
                return;
            if (!stands_right(plan, asked))
                dap_add_tar(packet, address_of(plan, asked));
            dap_add_read(packet, DAP_DATA, words);
            advance(plan, asked, words);
        }
    }
}

bool dap_plan_next(struct dap_plan *plan, struct dap_packet *packet)
{
    size_t most = words_max(plan);
    bool more = settle(plan, &plan->asked), check = wants_check(plan, &plan->asked, more);

    if (!more && !check)
        return false;
    if (plan->packets > 0 && !check && stands_right(plan, &plan->asked) && words_left(plan, &plan->asked) >= most) {
        dap_make_block(packet, (uint16_t)most);
        advance(plan, &plan->asked, most);
    } else {
        fill_transfer(plan, packet);
    }
    plan->packets++;
    return true;
}

/* ---- taking ---- */

static bool is_expected_tar(const struct dap_cursor *cursor, uint32_t tar)
{
    return cursor->tar_known ? tar == cursor->tar : tar % SEGMENT_BYTES == 0;
}

static bool is_expected(const struct dap_plan *plan, const struct dap_cursor *cursor, bool more, uint32_t word)
{
    return check_register(plan, cursor, more) == DAP_DPIDR ? word == plan->dpidr : is_expected_tar(cursor, word);
}

/* Takes either one check, or the words before the next check. Returns their number; 0: the check has a wrong value. */
static size_t take_some(struct dap_plan *plan, const uint8_t *words, size_t left)
{
    struct dap_cursor *taken = &plan->taken;
    bool more = settle(plan, taken);
    size_t part;

    if (wants_check(plan, taken, more)) {
        bool expected = is_expected(plan, taken, more, dap_word(words));

        note_check(taken, more);
        return expected ? 1 : 0;
    }
    if (!more)
        return 0;
    part = words_left(plan, taken);
    part = part < left ? part : left;
    memcpy(plan->reads[taken->read].buffer + taken->offset, words, 4 * part);
    advance(plan, taken, part);
    return part;
}

enum dap_result dap_plan_take(struct dap_plan *plan, const struct dap_packet *packet, const uint8_t *bytes,
                              size_t length)
{
    const uint8_t *words;
    enum dap_result result = dap_take_transfer(packet, bytes, length, &words);

    for (size_t left = packet->words; result == DAP_OK && left > 0;) {
        size_t some = take_some(plan, words, left);

        if (some == 0)
            return DAP_CONFUSED;
        words += 4 * some;
        left -= some;
    }
    return result;
}
