/* SPDX-License-Identifier: MIT */
/*
 * Reads CTF from RAM. The target first stores the bytes of a record, and then moves the position past these bytes. So
 * once a position was read, all bytes before it are final until the target restarts. After a restart the position is
 * smaller, or bytes that were delivered have changed. The reader checks this after it has read the bytes. Start-up code
 * may clear the buffer before it clears the position. So the reader does not accept cleared bytes until the position
 * changes.
 */
#include "txtap/ctf_ram.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

#define ZEROS_MIN 8 /* no record begins with this number of zero bytes */

void txtap_ctf_ram_init(struct txtap_ctf_ram *ram, const struct txtap_ctf_ram_place *place, uint8_t *buffer,
                        uint32_t buffer_bytes)
{
    assert(buffer_bytes >= 16 && buffer_bytes % 4 == 0);
    memset(ram, 0, sizeof *ram);
    ram->place = *place;
    ram->buffer = buffer;
    ram->buffer_bytes = buffer_bytes;
}

/*
 * Plans a read of the words that contain the count bytes from address on. Returns the number of extra bytes before
 * address.
 */
static uint32_t plan_bytes(struct txtap_ctf_ram_plan *plan, uint32_t address, uint32_t count, uint8_t *buffer)
{
    uint32_t skip = address % 4;

    assert(plan->count < TXTAP_CTF_RAM_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address - skip, (skip + count + 3) & ~3u, buffer};
    return skip;
}

void txtap_ctf_ram_plan(struct txtap_ctf_ram *ram, struct txtap_ctf_ram_plan *plan)
{
    const struct txtap_ctf_ram_place *place = &ram->place;
    uint64_t room = ram->buffer_bytes - 8; /* alignment needs up to 8 bytes */

    memset(plan, 0, sizeof *plan);
    plan->first = ram->next;
    plan->end = ram->head - ram->next < room ? ram->head : ram->next + room;
    plan->guarded = ram->guard_bytes > 0;
    if (plan->end > plan->first)
        plan->skip =
            plan_bytes(plan, place->buffer + (uint32_t)plan->first, (uint32_t)(plan->end - plan->first), ram->buffer);
    if (place->has_full) /* read before the position, because a set flag means that the position no longer changes */
        (void)plan_bytes(plan, place->full, 1, plan->full);
    (void)plan_bytes(plan, place->position, 4, plan->position);
    if (plan->guarded)
        plan->guard_skip =
            plan_bytes(plan, place->buffer + (uint32_t)ram->next - ram->guard_bytes, ram->guard_bytes, plan->guard);
}

static void keep_guard(struct txtap_ctf_ram *ram, const uint8_t *bytes, uint32_t count)
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

/*
 * Returns true if the buffer was cleared. With a guard: each byte of the guard is unchanged or zero, and at least one
 * byte became zero. Without a guard: all bytes that were read are zero, and there are at least ZEROS_MIN.
 */
static bool is_cleared(const struct txtap_ctf_ram *ram, const struct txtap_ctf_ram_plan *plan)
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

/* Returns true if the target restarted: the position is smaller, or delivered bytes have changed. */
static bool has_restarted(const struct txtap_ctf_ram *ram, const struct txtap_ctf_ram_plan *plan, uint32_t position)
{
    if (!plan->guarded)
        return false; /* no bytes were delivered, so none can have changed */
    return position < ram->head || memcmp(plan->guard + plan->guard_skip, ram->guard, ram->guard_bytes) != 0;
}

enum txtap_status txtap_ctf_ram_commit(struct txtap_ctf_ram *ram, const struct txtap_ctf_ram_plan *plan,
                                       const uint8_t **bytes, uint32_t *count)
{
    uint32_t position = bytes_u32(plan->position, ram->place.endian);
    bool is_at_rest, cleared;

    *bytes = ram->buffer + plan->skip;
    *count = 0;
    if (position > ram->place.size)
        return TXTAP_ERROR_POINTER;
    is_at_rest = position == ram->head;
    cleared = position >= ram->head && is_cleared(ram, plan) && (is_at_rest || !ram->cleared);
    if (!cleared && has_restarted(ram, plan, position))
        return TXTAP_ERROR_MOVED;
    if (!cleared && position >= plan->end) {
        *count = (uint32_t)(plan->end - plan->first);
        keep_guard(ram, *bytes, *count);
        ram->next = plan->end;
    }
    ram->cleared = cleared;
    ram->head = position;
    /* Once the flag is set, the position does not change. If the position has changed, the target set the flag before a
     * restart. */
    ram->full = is_at_rest && position > 0 && !cleared && ram->place.has_full && plan->full[ram->place.full % 4] != 0;
    return TXTAP_OK;
}
