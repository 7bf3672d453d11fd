/* SPDX-License-Identifier: MIT */
#include "items.h"

static uint32_t word(uint8_t byte)
{
    return byte < 0x40 ? byte & 7u : byte < 0xC0 ? 0x1000u + 0x100u * (byte & 7u) : byte < 0xF8 ? 0xFFFFFFFFu : byte;
}

struct txtap_item item_of(const uint8_t at[ITEM_BYTES], uint64_t seq, uint64_t *ticks, unsigned cores)
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
