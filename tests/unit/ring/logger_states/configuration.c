/* SPDX-License-Identifier: MIT */
#include "ring/logger_states/configuration.h"

#define OLDEST TXTAP_RING_FROM_OLDEST
#define NOW    TXTAP_RING_FROM_NOW
#define START  TXTAP_RING_FROM_START

/* Rows of one ring and one target, for each way to attach; read from the start, only a target that counts its events is
 * complete. */
#define EACH_FROM(name, ring_counts, ring_size, ...)                                                                   \
    {name ".oldest", ring_counts, ring_size, __VA_ARGS__, .from = OLDEST},                                             \
    {                                                                                                                  \
        name ".now", ring_counts, ring_size, __VA_ARGS__, .from = NOW                                                  \
    }
#define FROM_START(name, ring_counts, ring_size, ...)                                                                  \
    {                                                                                                                  \
        name ".start", ring_counts, ring_size, __VA_ARGS__, .from = START                                              \
    }
#define ONE      (1u << 1)
#define TWO      (1u << 2)
#define THREE    (1u << 3)
#define SEVEN    (1u << 7)
#define FOURTEEN (1u << 14)

#define EVERY_WORD .written = 1, .every_word = true

const struct configuration configurations[] = {
    /* An event fills the whole ring. */
    EACH_FROM("3.events", COUNTS_EVENTS, 3, ONE, .events = 1, EVERY_WORD),
    FROM_START("3.events", COUNTS_EVENTS, 3, ONE, .events = 1, EVERY_WORD),
    EACH_FROM("3.words", COUNTS_WORDS, 3, ONE, .events = 1, EVERY_WORD),
    EACH_FROM("5.words", COUNTS_WORDS, 5, THREE, .events = 1, EVERY_WORD, .by_hand = true),
    EACH_FROM("5.events", COUNTS_EVENTS, 5, THREE, .events = 1, EVERY_WORD, .by_hand = true),
    /* Drops: one, and more than a header can hold. */
    EACH_FROM("3.drop.words", COUNTS_WORDS, 3, ONE, .events = 1, .drops = 1, EVERY_WORD),
    EACH_FROM("3.drop.events", COUNTS_EVENTS, 3, ONE, .events = 1, .drops = 1, EVERY_WORD, .by_hand = true),
    EACH_FROM("3.drops.words", COUNTS_WORDS, 3, ONE, .events = 1, .drops = 5, .reports = true, EVERY_WORD,
              .by_hand = true),
    EACH_FROM("3.drops.events", COUNTS_EVENTS, 3, ONE, .events = 1, .drops = 3, .reports = true, EVERY_WORD,
              .by_hand = true),
    /* Exchanges that take long. */
    EACH_FROM("3.slow.words", COUNTS_WORDS, 3, ONE, .events = 1, .slow = true, EVERY_WORD),
    EACH_FROM("3.slow.events", COUNTS_EVENTS, 3, ONE, .events = 1, .slow = true, EVERY_WORD, .by_hand = true),
    /* Several laps within an exchange. */
    EACH_FROM("3.laps.words", COUNTS_WORDS, 3, ONE, .events = 2, .written = 1),
    EACH_FROM("3.laps.events", COUNTS_EVENTS, 3, ONE, .events = 2, .written = 1, .by_hand = true),
    /* Events of one word and of more. */
    EACH_FROM("4.words", COUNTS_WORDS, 4, ONE | TWO, .events = 1, EVERY_WORD, .by_hand = true),
    EACH_FROM("4.events", COUNTS_EVENTS, 4, ONE | TWO, .events = 1, EVERY_WORD, .by_hand = true),
    FROM_START("3.drop.events", COUNTS_EVENTS, 3, ONE, .events = 1, .drops = 1, EVERY_WORD, .by_hand = true),
    FROM_START("3.words", COUNTS_WORDS, 3, ONE, .events = 1, EVERY_WORD),
    FROM_START("3.drop.words", COUNTS_WORDS, 3, ONE, .events = 1, .drops = 1, EVERY_WORD),
    /* The logger is started again, at any store. */
    EACH_FROM("3.again.words", COUNTS_WORDS, 3, ONE, .events = 1, .again_words = 8, EVERY_WORD),
    EACH_FROM("3.again.put.words", COUNTS_WORDS, 3, ONE, .events = 2, .again_words = 12, .written = 1, .by_hand = true),
    EACH_FROM("3.again.events", COUNTS_EVENTS, 3, ONE, .events = 1, .again_words = 8, EVERY_WORD, .by_hand = true),
    EACH_FROM("3.again.drop.words", COUNTS_WORDS, 3, ONE, .events = 1, .drops = 1, .again_words = 8, EVERY_WORD,
              .by_hand = true),
    /* Without counts, in the smallest ring: an event is half of it, or all. */
    EACH_FROM("16.half", COUNTS_NOTHING, 16, SEVEN, .events = 1, .written = 2),
    EACH_FROM("16.whole", COUNTS_NOTHING, 16, FOURTEEN, .events = 1, .written = 2, .by_hand = true),
    EACH_FROM("16.half.drop", COUNTS_NOTHING, 16, SEVEN, .events = 1, .drops = 1, .written = 2, .by_hand = true),
    EACH_FROM("16.half.laps", COUNTS_NOTHING, 16, SEVEN, .events = 3, .written = 2, .by_hand = true),
    EACH_FROM("16.half.slow", COUNTS_NOTHING, 16, SEVEN, .events = 1, .slow = true, .written = 2, .by_hand = true),
};
const unsigned configuration_count = sizeof configurations / sizeof *configurations;
