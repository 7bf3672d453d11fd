/* SPDX-License-Identifier: MIT */
/* Plans of reads: which pieces become one read, their order, and the memory that is never read. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernel/reads.h"

#define RAM       0x20000000u
#define RAM_BYTES 0x00100000u
#define HOLE      (RAM + 0x110u) /* 16 bytes that must not be read */

static struct reads reads;

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    (void)self;
    if (address < HOLE + 16 && address + bytes > HOLE)
        return false;
    return address >= RAM && bytes <= RAM_BYTES && address - RAM <= RAM_BYTES - bytes;
}

static void begin(void)
{
    memset(&reads, 0xA5, sizeof reads); /* reads_clear() sets what it needs */
    reads.memory = (struct txtap_kernel_memory){permits, NULL, NULL};
    reads_clear(&reads);
}

/* Fills the buffers with the low bytes of the addresses. */
static void do_reads(const bool *failed)
{
    for (size_t i = 0; i < reads.count; i++)
        for (uint32_t k = 0; k < reads.list[i].length; k++)
            reads.list[i].buffer[k] = (uint8_t)(reads.list[i].address + k);
    reads_take(&reads, failed);
}

#define expect_read(number, from, bytes)                                                                               \
    cr_assert(reads.list[number].address == (from) && reads.list[number].length == (bytes), "read %u: 0x%08x, %u",     \
              (unsigned)(number), reads.list[number].address, reads.list[number].length)
#define expect_count(number) cr_assert_eq(reads.count, (size_t)(number), "%zu reads", reads.count)

TestSuite(kernel_reads, .init = begin);

Test(kernel_reads, close_pieces_become_one_read)
{
    cr_assert(reads_want(&reads, RAM + 16 + READS_GAP_BYTES, 4)); /* in any order */
    cr_assert(reads_want(&reads, RAM, 16));
    cr_assert(reads_want(&reads, RAM + 4, 8)); /* inside another piece */
    reads_end_phase(&reads);
    expect_count(1);
    expect_read(0, RAM, 20 + READS_GAP_BYTES);
}

Test(kernel_reads, distant_pieces_stay_apart)
{
    cr_assert(reads_want(&reads, RAM + 20 + READS_GAP_BYTES, 4));
    cr_assert(reads_want(&reads, RAM, 16));
    reads_end_phase(&reads);
    expect_count(2);
    expect_read(0, RAM, 16);
    expect_read(1, RAM + 20 + READS_GAP_BYTES, 4);
}

Test(kernel_reads, pieces_grow_to_whole_words)
{
    cr_assert(reads_want(&reads, RAM + 3, 2));
    reads_end_phase(&reads);
    expect_count(1);
    expect_read(0, RAM, 8);
}

Test(kernel_reads, a_read_contains_no_memory_without_permission)
{
    cr_assert(reads_want(&reads, HOLE - 8, 8));
    cr_assert(reads_want(&reads, HOLE + 16, 8)); /* the hole is smaller than READS_GAP_BYTES */
    cr_assert_not(reads_want(&reads, HOLE - 4, 8));
    cr_assert_not(reads_want(&reads, HOLE + 13, 1));
    reads_end_phase(&reads);
    expect_count(2);
    expect_read(0, HOLE - 8, 8);
    expect_read(1, HOLE + 16, 8);
}

Test(kernel_reads, impossible_pieces_are_refused)
{
    cr_assert_not(reads_want(&reads, RAM, 0));
    cr_assert_not(reads_want(&reads, RAM, READS_BYTES + 4));
    cr_assert_not(reads_want(&reads, RAM, UINT32_MAX));
    cr_assert_not(reads_want(&reads, UINT32_MAX, 1));
    cr_assert_not(reads_want(&reads, UINT32_MAX - 3, 8));
    cr_assert_not(reads_want(&reads, 0x40000000, 4));
    cr_assert_not(reads_want(&reads, RAM + RAM_BYTES - 4, 8));
    cr_assert(reads_want(&reads, RAM + RAM_BYTES - 4, 4));
    reads_end_phase(&reads);
    expect_count(1);
}

Test(kernel_reads, phases_stay_in_order)
{
    cr_assert(reads_want(&reads, RAM + 0x1000, 4));
    reads_end_phase(&reads);
    cr_assert(reads_want(&reads, RAM + 8, 4));
    cr_assert(reads_want(&reads, RAM, 4));
    reads_end_phase(&reads);
    cr_assert(reads_want(&reads, RAM + 0x1000, 4));
    reads_end_phase(&reads);
    expect_count(3);
    expect_read(0, RAM + 0x1000, 4);
    expect_read(1, RAM, 12);
    expect_read(2, RAM + 0x1000, 4);
    do_reads(NULL);
    cr_assert_not_null(reads_at(&reads, 0, RAM + 0x1000, 4));
    cr_assert_null(reads_at(&reads, 0, RAM, 4), "the piece belongs to another phase");
    cr_assert_null(reads_at(&reads, 1, RAM + 0x1000, 4));
    cr_assert_neq(reads_at(&reads, 0, RAM + 0x1000, 4), reads_at(&reads, 2, RAM + 0x1000, 4));
}

Test(kernel_reads, an_empty_phase_has_no_bytes)
{
    reads_end_phase(&reads);
    reads_end_phase(&reads);
    expect_count(0);
    cr_assert_null(reads_at(&reads, 0, RAM, 4));
    cr_assert_null(reads_at(&reads, 1, RAM, 4));
}

Test(kernel_reads, pieces_are_found_in_their_reads)
{
    for (uint32_t i = 0; i < 100; i++)
        cr_assert(reads_want(&reads, RAM + 0x1000 + i * 0x100, 8));
    reads_end_phase(&reads);
    do_reads(NULL);
    for (uint32_t i = 0; i < 100; i++) {
        const uint8_t *bytes = reads_at(&reads, 0, RAM + 0x1000 + i * 0x100 + 5, 3);

        cr_assert(bytes != NULL && bytes[0] == 5 && bytes[2] == 7, "piece %u", i);
        cr_assert_null(reads_at(&reads, 0, RAM + 0x1000 + i * 0x100 + 5, 4), "it ends after the read");
        cr_assert_null(reads_at(&reads, 0, RAM + 0x1000 + i * 0x100 + 8, 1));
    }
    cr_assert_null(reads_at(&reads, 0, RAM, 4));
    cr_assert_null(reads_at(&reads, 0, UINT32_MAX, 1));
}

Test(kernel_reads, a_refused_read_has_no_bytes)
{
    const bool failed[] = {false, true};

    cr_assert(reads_want(&reads, RAM, 4));
    cr_assert(reads_want(&reads, RAM + 0x1000, 4));
    reads_end_phase(&reads);
    do_reads(failed);
    cr_assert_not_null(reads_at(&reads, 0, RAM, 4));
    cr_assert_null(reads_at(&reads, 0, RAM + 0x1000, 4));
    do_reads(NULL);
    cr_assert_not_null(reads_at(&reads, 0, RAM + 0x1000, 4));
}

Test(kernel_reads, more_pieces_than_there_is_room_for_are_refused)
{
    for (uint32_t i = 0; i < READS_MAX; i++)
        cr_assert(reads_want(&reads, RAM + 0x1000 + 64 * i, 4), "piece %u", i);
    cr_assert_not(reads_want(&reads, RAM, 4));
    reads_end_phase(&reads);
    expect_count(READS_MAX);
}

Test(kernel_reads, reads_without_room_for_their_bytes_are_dropped)
{
    cr_assert(reads_want(&reads, RAM + 0x1000, READS_BYTES - 8));
    cr_assert(reads_want(&reads, RAM + 0x80000, 12));
    cr_assert(reads_want(&reads, RAM + 0x90000, 8));
    reads_end_phase(&reads);
    expect_count(2);
    expect_read(0, RAM + 0x1000, READS_BYTES - 8);
    expect_read(1, RAM + 0x90000, 8);
    do_reads(NULL);
    cr_assert_null(reads_at(&reads, 0, RAM + 0x80000, 4));
    cr_assert_not_null(reads_at(&reads, 0, RAM + 0x90000, 8));
}
