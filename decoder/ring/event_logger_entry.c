/* SPDX-License-Identifier: MIT */
/*
 * Makes TXTB entries from a logger's events, for code that reads TXTB entries. capture/ring/event_logger.events defines
 * the words of each event id.
 */
#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "txtap/event_logger.h"

#define UNIT_CYCLES 0u
#define UNIT_TICKS  1u

#define BACK_MAX (1u << 20) /* ticks; an interrupt between taking and storing a stamp takes less time */

/*
 * Returns the index of the data word that contains the event's time. Returns item->count if the event does not record
 * its time.
 */
static uint32_t stamp_word(const struct txtap_logger_item *item, bool zephyr)
{
    switch (item->type) {
    case TXTAP_LOGGER_CONTEXT_SWITCH:
    case TXTAP_LOGGER_INTERRUPT:
        return item->count == 2 ? 0 : item->count;
    case TXTAP_LOGGER_SLEEP:
        return item->count == 3 ? (zephyr ? 0 : 1) : item->count;
    default:
        return item->count;
    }
}

/*
 * Returns the event's stamp. Zephyr takes the time before it takes the lock. So the order of stored events may differ
 * from the order of their times.
 */
static uint32_t stamp_of(struct txtap_logger_clock *clock, const struct txtap_logger_item *item, bool zephyr)
{
    uint32_t at = stamp_word(item, zephyr);

    if (at == item->count)
        return clock->last; /* the event does not record its time */
    if (!(zephyr && clock->known && clock->last - item->words[at] <= BACK_MAX))
        clock->last = item->words[at];
    clock->known = true;
    return clock->last;
}

/*
 * Chooses the words to show, and returns their number. The words of the kernel's own events get the order and the units
 * that the events' definitions require.
 */
static uint32_t choose_words(const struct txtap_logger_item *item, bool zephyr, uint32_t words[TXTAP_LOGGER_WORDS_MAX])
{
    uint32_t stamp = stamp_word(item, zephyr);

    if (stamp == item->count) {
        memcpy(words, item->words, item->count * sizeof *words);
        return item->count;
    }
    if (item->type != TXTAP_LOGGER_SLEEP) {
        words[0] = item->words[1];
        return 1;
    }
    words[0] = zephyr ? item->words[1] : item->words[1] - item->words[0];
    words[1] = zephyr ? UNIT_TICKS : UNIT_CYCLES;
    words[2] = item->words[2];
    return 3;
}

static uint32_t thread_of(const struct txtap_logger_item *item)
{
    if (item->type == TXTAP_LOGGER_INTERRUPT || item->type == TXTAP_LOGGER_SLEEP)
        return TXTB_THREAD_ISR;
    if (item->type == TXTAP_LOGGER_CONTEXT_SWITCH && item->count == 2 && item->words[1] != 0)
        return item->words[1];
    return TXTAP_LOGGER_THREAD_UNKNOWN;
}

void txtap_logger_entry(struct txtap_logger_clock *clock, const struct txtap_logger_item *item, bool zephyr,
                        uint8_t entry[TXTB_ENTRY_BYTES], uint32_t words[TXTAP_LOGGER_WORDS_MAX], uint32_t *count)
{
    uint32_t stamp = stamp_of(clock, item, zephyr);
    uint8_t *at = entry;

    *count = choose_words(item, zephyr, words);
    at = put_u32(at, TXTAP_LITTLE, thread_of(item));
    at = put_u32(at, TXTAP_LITTLE, 0);
    at = put_u32(at, TXTAP_LITTLE, TXTAP_LOGGER_TYPES_BASE + item->type);
    at = put_u32(at, TXTAP_LITTLE, stamp);
    for (uint32_t i = 0; i < 4; i++)
        at = put_u32(at, TXTAP_LITTLE, i < *count ? words[i] : 0);
}

void txtap_logger_more(const uint8_t before[TXTB_ENTRY_BYTES], const uint32_t *words, uint32_t count,
                       uint8_t entry[TXTB_ENTRY_BYTES])
{
    memcpy(entry, before, TXTB_ENTRY_BYTES);
    put_u32(entry + TXTB_ENTRY_ID, TXTAP_LITTLE, TXTAP_LOGGER_MORE_ID);
    for (uint32_t i = 0; i < 4; i++)
        put_u32(entry + TXTB_ENTRY_INFO + 4 * (size_t)i, TXTAP_LITTLE, i < count ? words[i] : 0);
}
