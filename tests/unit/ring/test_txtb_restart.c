/* SPDX-License-Identifier: MIT */
/* A trace that is set up again in its old place while it is read, as tx_trace_enable() and a warm reset do. */
#include <criterion/criterion.h>
#include <string.h>

#include "ring/txtb_target.h"

#define ENTRIES 64u

static struct ring_target target;
static struct txtap_ring ring;
static uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];

/* Sets the trace up again. ThreadX clears only the thread words; the header and all other words of the entries stay. */
static void set_up_again(void)
{
    for (uint32_t i = 0; i < ENTRIES; i++)
        memset(target.memory + TXTB_HEADER_BYTES + i * TXTB_ENTRY_BYTES + TXTB_ENTRY_THREAD, 0, 4);
    target.written = 0;
}

/* Makes exchanges until all written events have been read, or until an exchange fails. */
static enum txtap_status read_on(uint64_t *delivered)
{
    struct txtap_ring_batch batch;
    enum txtap_status status = TXTAP_OK;

    *delivered = 0;
    for (int i = 0; i < 8 && status == TXTAP_OK; i++) {
        target.now_us += 100000;
        status = target_exchange(&target, &ring, &batch);
        if (status == TXTAP_OK)
            *delivered += batch.held_count + batch.count;
    }
    return status;
}

static void attach_and_read(bool counts_laps, uint64_t written)
{
    uint64_t delivered;

    target_init(&target, ENTRIES, counts_laps, 1);
    target_write(&target, written);
    target_attach(&target, &ring, buffer, ENTRIES, TXTAP_RING_FROM_OLDEST);
    cr_assert_eq(read_on(&delivered), TXTAP_OK);
    cr_assert_eq(delivered, written < ENTRIES ? written : ENTRIES - 1);
}

Test(ring_restart, is_noticed_at_any_positions_of_the_writer)
{
    /*
     * Two cases are left out. If the old trace ended at the ring's start, the new trace looks like its continuation.
     * If the new trace has filled all slots except the slot at the pointer, it looks like another lap of the old trace.
     */
    for (uint64_t before = ENTRIES + 1; before < 2 * ENTRIES; before++)
        for (uint64_t after = 1; after < ENTRIES - 1; after++) {
            uint64_t delivered;
            struct txtap_ring_batch batch;

            if (after == before % ENTRIES)
                continue; /* the pointer is where the old trace left it, so nothing is read */
            attach_and_read(false, before);
            set_up_again();
            target_write(&target, after);
            cr_assert_eq(read_on(&delivered), TXTAP_ERROR_MOVED, "%d before, %d after", (int)before, (int)after);
            cr_assert_eq(delivered, 0);
            txtap_ring_finish(&ring, txtap_ring_state(&ring).head, &batch);
            cr_assert_eq(batch.lost, 0, "it is not known where the writer was");
        }
}

Test(ring_restart, is_not_reported_for_a_ring_that_has_not_wrapped)
{
    uint64_t delivered;

    for (uint64_t written = 0; written < 3 * ENTRIES; written++) {
        attach_and_read(false, written % ENTRIES);
        target_write(&target, written / 3 % ENTRIES);
        cr_assert_eq(read_on(&delivered), TXTAP_OK);
        cr_assert_eq(delivered, written / 3 % ENTRIES);
    }
}
