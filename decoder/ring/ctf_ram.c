/* SPDX-License-Identifier: MIT */
/*
 * The target stores a record's bytes and then moves the position past them. So what lies below a position that was read
 * is written for good, until the target restarts: then the position goes back, or other bytes stand where some were
 * delivered. Both are looked at after the bytes were read. Start-up code may clear the buffer before the position,
 * which is then still that of the life before: what is cleared is not believed until the position says more.
 */
#include "txtap/zephyr_ram.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

#define ZEROS_MIN 8 /* so many are no record */

void txtap_zephyr_ram_init(struct txtap_zephyr_ram *ram, const struct txtap_zephyr_ram_place *place, uint8_t *buffer,
                           uint32_t buffer_bytes)
{
    assert(buffer_bytes >= 16 && buffer_bytes % 4 == 0);
    memset(ram, 0, sizeof *ram);
    ram->place = *place;
    ram->buffer = buffer;
    ram->buffer_bytes = buffer_bytes;
}

/* The words that hold count bytes from address on; returns how many bytes are before these. */
static uint32_t plan_bytes(struct txtap_zephyr_ram_plan *plan, uint32_t address, uint32_t count, uint8_t *buffer)
{
    uint32_t skip = address % 4;

    assert(plan->count < TXTAP_ZEPHYR_RAM_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address - skip, (skip + count + 3) & ~3u, buffer};
    return skip;
}

void txtap_zephyr_ram_plan(struct txtap_zephyr_ram *ram, struct txtap_zephyr_ram_plan *plan)
{
    const struct txtap_zephyr_ram_place *place = &ram->place;
    uint64_t room = ram->buffer_bytes - 8; /* what aligning adds */

    memset(plan, 0, sizeof *plan);
    plan->first = ram->next;
    plan->end = ram->head - ram->next < room ? ram->head : ram->next + room;
    plan->guarded = ram->guard_bytes > 0;
    if (plan->end > plan->first)
        plan->skip =
            plan_bytes(plan, place->buffer + (uint32_t)plan->first, (uint32_t)(plan->end - plan->first), ram->buffer);
    if (place->has_full) /* before the position: once it is set, that stays */
        (void)plan_bytes(plan, place->full, 1, plan->full);
    (void)plan_bytes(plan, place->position, 4, plan->position);
    if (plan->guarded)
        plan->guard_skip =
            plan_bytes(plan, place->buffer + (uint32_t)ram->next - ram->guard_bytes, ram->guard_bytes, plan->guard);
}

static void keep_guard(struct txtap_zephyr_ram *ram, const uint8_t *bytes, uint32_t count)
{
    uint32_t kept = ram->guard_bytes;

    if (count >= sizeof ram->guard) {
        memcpy(ram->guard, bytes + count - sizeof ram->guard, sizeof ram->guard);
        ram->guard_bytes = sizeof ram->guard;
        return;
    }
    if (kept + count > sizeof ram->guard)
        kept = (uint32_t)sizeof ram->guard - count;
    memmove(ram->guard, ram->guard + (ram->guard_bytes - kept), kept);
    memcpy(ram->guard + kept, bytes, count);
    ram->guard_bytes = kept + count;
}

/* Each byte is what it was or zero, and one of them was not zero before. Without a guard: all that was read is zero. */
static bool is_cleared(const struct txtap_zephyr_ram *ram, const struct txtap_zephyr_ram_plan *plan)
{
    const uint8_t *now = plan->guarded ? plan->guard + plan->guard_skip : ram->buffer + plan->skip;
    uint32_t count = plan->guarded ? ram->guard_bytes : (uint32_t)(plan->end - plan->first);
    bool changed = !plan->guarded && count >= ZEROS_MIN;

    for (uint32_t i = 0; i < count; i++) {
        uint8_t before = plan->guarded ? ram->guard[i] : 0;

        if (now[i] != before && now[i] != 0)
            return false;
        changed = changed || now[i] != before;
    }
    return changed;
}

/* The target restarted: a position that goes back says so, or bytes that are others than those delivered. */
static bool is_another_life(const struct txtap_zephyr_ram *ram, const struct txtap_zephyr_ram_plan *plan,
                            uint32_t position)
{
    if (!plan->guarded)
        return false; /* nothing was delivered of the one before */
    return position < ram->head || memcmp(plan->guard + plan->guard_skip, ram->guard, ram->guard_bytes) != 0;
}

enum txtap_status txtap_zephyr_ram_commit(struct txtap_zephyr_ram *ram, const struct txtap_zephyr_ram_plan *plan,
                                          const uint8_t **bytes, uint32_t *count)
{
    uint32_t position = bytes_u32(plan->position, ram->place.endian);
    bool stands, cleared;

    *bytes = ram->buffer + plan->skip;
    *count = 0;
    if (position > ram->place.size)
        return TXTAP_ERROR_POINTER;
    stands = position == ram->head;
    cleared = position >= ram->head && is_cleared(ram, plan) && (stands || !ram->cleared);
    if (!cleared && is_another_life(ram, plan, position))
        return TXTAP_ERROR_MOVED;
    if (!cleared && position >= plan->end) {
        *count = (uint32_t)(plan->end - plan->first);
        keep_guard(ram, *bytes, *count);
        ram->next = plan->end;
    }
    ram->cleared = cleared;
    ram->head = position;
    /* The position stands for good once the flag is set; else it is the flag of the life before. */
    ram->full = stands && position > 0 && !cleared && ram->place.has_full && plan->full[ram->place.full % 4] != 0;
    return TXTAP_OK;
}
