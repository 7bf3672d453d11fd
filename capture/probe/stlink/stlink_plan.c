/* SPDX-License-Identifier: MIT */
/* Blocks and lists. */
#include "probe/stlink/stlink_plan.h"

#include <string.h>

#define TRANSFER_CLOCKS 46
#define SAVED_US        500 /* time of a command, without the time of the wire */
#define WORDS_MIN       5   /* the five words of a ring's pointer always fit */
#define WORDS_UNKNOWN   16

uint32_t stlink_plan_short_bytes(unsigned khz)
{
    uint64_t words = (uint64_t)SAVED_US * khz / (2 * TRANSFER_CLOCKS * 1000);

    if (khz == 0)
        words = WORDS_UNKNOWN;
    words = words < WORDS_MIN ? WORDS_MIN : words;
    return 4 * (uint32_t)(words < STLINK_LIST_WORDS ? words : STLINK_LIST_WORDS);
}

void stlink_plan_init(struct stlink_plan *plan, const struct txtap_read *reads, size_t count, uint32_t short_bytes)
{
    *plan = (struct stlink_plan){.reads = reads, .count = count, .short_bytes = short_bytes};
}

/* Gathers the short pieces from the plan's next piece on. Returns the number of pieces that are not empty. */
static size_t gather(const struct stlink_plan *plan, struct stlink_part *part)
{
    size_t filled = 0;

    *part = (struct stlink_part){.first = plan->read};
    for (size_t i = plan->read; i < plan->count; i++) {
        uint32_t length = plan->reads[i].length;

        if (length > plan->short_bytes || part->words + length / 4 > STLINK_LIST_WORDS)
            break;
        part->words += length / 4;
        part->pieces++;
        filled += length > 0;
    }
    return filled;
}

/* A single short piece costs two commands either way. Its list has another length than a status. */
static bool is_list(const struct stlink_plan *plan, struct stlink_part *part)
{
    size_t filled;

    if (plan->short_bytes == 0 || plan->offset > 0)
        return false;
    filled = gather(plan, part);
    return filled > 1 || (filled == 1 && plan->reads[plan->read].length == STLINK_STATUS_BYTES);
}

static void make_block(struct stlink_plan *plan, struct stlink_part *part)
{
    uint32_t left = plan->reads[plan->read].length - plan->offset;
    uint32_t length = left < STLINK_READ_BYTES_MAX ? left : STLINK_READ_BYTES_MAX;

    if (length == STLINK_STATUS_BYTES)
        length -= 4;
    *part = (struct stlink_part){.first = plan->read, .offset = plan->offset, .length = length};
    plan->offset += length;
}

bool stlink_plan_next(struct stlink_plan *plan, struct stlink_part *part)
{
    while (plan->read < plan->count && plan->offset == plan->reads[plan->read].length) {
        plan->read++;
        plan->offset = 0;
    }
    if (plan->read == plan->count)
        return false;
    if (is_list(plan, part))
        plan->read += part->pieces;
    else
        make_block(plan, part);
    return true;
}

void stlink_plan_list(const struct stlink_plan *plan, const struct stlink_part *part, uint8_t port,
                      struct stlink_command *command)
{
    stlink_make_list(command, port);
    for (size_t i = 0; i < part->words; i++)
        stlink_add_word(command, stlink_plan_address(plan, part, i));
}

void stlink_plan_take(const struct stlink_plan *plan, const struct stlink_part *part, const uint8_t *words)
{
    for (size_t i = part->first; i < part->first + part->pieces; i++) {
        if (plan->reads[i].length > 0)
            memcpy(plan->reads[i].buffer, words, plan->reads[i].length);
        words += plan->reads[i].length;
    }
}

uint32_t stlink_plan_address(const struct stlink_plan *plan, const struct stlink_part *part, size_t index)
{
    size_t i = part->first;

    for (; index >= plan->reads[i].length / 4; i++)
        index -= plan->reads[i].length / 4;
    return plan->reads[i].address + 4 * (uint32_t)index;
}
