/* SPDX-License-Identifier: MIT */
/* Pieces of memory as blocks and lists: every word once, in order, in parts that the probe can do. */
#include "probe/stlink/stlink_plan.h"

#include <criterion/criterion.h>
#include <string.h>

#define PIECES 4

static uint8_t memory[PIECES][8192];

/* Reads a part as a probe does. A word's value is its address. */
static void do_part(const struct stlink_plan *plan, const struct stlink_part *part)
{
    uint32_t words[STLINK_LIST_WORDS];

    if (part->pieces == 0) {
        const struct txtap_read *read = &plan->reads[part->first];

        cr_assert_gt(part->length, 0);
        cr_assert_leq(part->length, STLINK_READ_BYTES_MAX);
        cr_assert_neq(part->length, STLINK_STATUS_BYTES);
        for (uint32_t i = 0; i < part->length; i += 4) {
            uint32_t address = read->address + part->offset + i;

            memcpy(read->buffer + part->offset + i, &address, 4);
        }
        return;
    }
    cr_assert_gt(part->words, 0);
    cr_assert_leq(part->words, STLINK_LIST_WORDS);
    for (size_t i = 0; i < part->words; i++)
        words[i] = stlink_plan_address(plan, part, i);
    stlink_plan_take(plan, part, (const uint8_t *)words);
}

/* Returns the number of commands. */
static unsigned do_plan(const struct txtap_read *reads, uint32_t short_bytes)
{
    struct stlink_plan plan;
    struct stlink_part part;
    size_t last = 0;
    unsigned commands = 0;

    memset(memory, 0xEE, sizeof memory);
    stlink_plan_init(&plan, reads, PIECES, short_bytes);
    while (stlink_plan_next(&plan, &part)) {
        cr_assert_geq(part.first, last, "strictly in order");
        last = part.first + (part.pieces > 0 ? part.pieces - 1 : 0);
        do_part(&plan, &part);
        commands += 2;
    }
    for (size_t i = 0; i < PIECES; i++)
        for (uint32_t at = 0; at < reads[i].length; at += 4) {
            uint32_t word;

            memcpy(&word, reads[i].buffer + at, 4);
            cr_assert_eq(word, reads[i].address + at, "piece %zu, byte %u", i, (unsigned)at);
        }
    for (size_t i = 0; i < PIECES; i++)
        cr_assert_eq(reads[i].buffer[reads[i].length], 0xEE);
    return commands;
}

Test(stlink_plan, every_word_is_read_once_for_any_lengths)
{
    static const uint32_t lengths[] = {0, 4, 8, 12, 16, 20, 60, 64, 68, 256, 260, 6140, 6144, 6148, 6156, 6160},
                          shorts[] = {0, 20, 64, 256};
    size_t count = sizeof lengths / sizeof *lengths;

    for (size_t s = 0; s < 4; s++)
        for (size_t i = 0; i < count * count * count; i++) {
            const struct txtap_read reads[PIECES] = {{0x20000000, lengths[i % count], memory[0]},
                                                     {0x20010000, lengths[i / count % count], memory[1]},
                                                     {0x20020000, lengths[i / count / count], memory[2]},
                                                     {0x20030000, lengths[(i * 7) % count], memory[3]}};

            (void)do_plan(reads, shorts[s]);
        }
}

Test(stlink_plan, short_pieces_in_a_row_take_two_commands)
{
    const struct txtap_read reads[PIECES] = {{0x20000000, 1500, memory[0]},
                                             {0x20010000, 20, memory[1]},
                                             {0x20020000, 4, memory[2]},
                                             {0x20030000, 12, memory[3]}};

    cr_expect_eq(do_plan(reads, 64), 4);
    cr_expect_eq(do_plan(reads, 0), 10, "the last piece takes two blocks");
}

Test(stlink_plan, a_fast_wire_lets_longer_pieces_into_a_list)
{
    cr_expect_eq(stlink_plan_short_bytes(24000), 4 * STLINK_LIST_WORDS);
    cr_expect_eq(stlink_plan_short_bytes(4000), 4 * 21);
    cr_expect_eq(stlink_plan_short_bytes(5), 20, "the words of a ring's pointer");
    cr_expect_eq(stlink_plan_short_bytes(0), 64, "not known");
}
