/* SPDX-License-Identifier: MIT */
#include "ring/states/configuration.h"

#define STAMP_AND_INFO (1u << 3 | 1u << 7)
#define CONSTANT_STAMP (1u << 4 | 1u << 7)
#define ALIKE          (1u << 1 | 1u << 3)

#define OLDEST TXTAP_RING_FROM_OLDEST
#define NOW    TXTAP_RING_FROM_NOW
#define START  TXTAP_RING_FROM_START

#define LATE_NEXT_THREAD 1  /* RESUME: information 4 */
#define LATE_MEMORY      10 /* BLOCK_ALLOCATE: information 2 */

/* Three rows for one ring and writer, one for each way to attach. others: more options of "oldest" and "now". */
#define EACH_WAY(others, name, slots, events, ...)                                                                     \
    {name ".oldest", slots, events, __VA_ARGS__, .from = OLDEST, others},                                              \
        {name ".now", slots, events, __VA_ARGS__, .from = NOW, others},                                                \
    {                                                                                                                  \
        name ".start", slots, events, __VA_ARGS__, .from = START                                                       \
    }
#define EACH_FROM(...) EACH_WAY(, __VA_ARGS__)
/* All three take long, so the tests run only "start". */
#define EACH_FROM_SLOWLY(...) EACH_WAY(.by_hand = true, __VA_ARGS__)
#define BETWEEN_PIECES        .any_buffer = true, .slow = true, .own_words = STAMP_AND_INFO
#define EVERY_WORD            .every_word = true, .own_words = STAMP_AND_INFO

const struct configuration configurations[] = {
    /* Two slots; the writer may move before every word. */
    EACH_FROM_SLOWLY("2.words.plain", 2, 3, .written = 5, EVERY_WORD),
    EACH_FROM("2.words.counted", 2, 3, .written = 5, .counts_laps = true, EVERY_WORD, .by_hand = true),
    EACH_FROM("2.words.recorder", 2, 3, .written = 5, .counts_laps = true, .recorder_order = true, EVERY_WORD,
              .by_hand = true),
    /* Three to five slots; more than a lap within an exchange; any buffer size; slow exchanges. */
    EACH_FROM("3.plain", 3, 7, .written = 6, BETWEEN_PIECES),
    EACH_FROM_SLOWLY("3.counted", 3, 7, .written = 6, .counts_laps = true, BETWEEN_PIECES),
    EACH_FROM("4.plain", 4, 9, .written = 8, BETWEEN_PIECES, .by_hand = true),
    EACH_FROM("4.counted", 4, 9, .written = 8, .counts_laps = true, .recorder_order = true, BETWEEN_PIECES,
              .by_hand = true),
    EACH_FROM("5.plain", 5, 11, .written = 10, .recorder_order = true, BETWEEN_PIECES, .by_hand = true),
    EACH_FROM("5.counted", 5, 11, .written = 10, .counts_laps = true, BETWEEN_PIECES, .by_hand = true),
    /* Some words are equal in all entries. */
    EACH_FROM("3.constant_stamps.plain", 3, 4, .written = 5, .any_buffer = true, .own_words = CONSTANT_STAMP),
    EACH_FROM("3.constant_stamps.counted", 3, 4, .written = 5, .counts_laps = true, .any_buffer = true,
              .own_words = CONSTANT_STAMP),
    EACH_FROM("3.alike.plain", 3, 4, .written = 5, .any_buffer = true, .own_words = ALIKE),
    EACH_FROM("3.alike.counted", 3, 4, .written = 5, .counts_laps = true, .any_buffer = true, .own_words = ALIKE),
    /* Reads that return invalid pointers or the headers of other buffers. */
    EACH_FROM("3.bad_answers.plain", 3, 2, .written = 5, .bad_answers = true, BETWEEN_PIECES),
    EACH_FROM("3.bad_answers.counted", 3, 2, .written = 5, .bad_answers = true, .counts_laps = true, BETWEEN_PIECES),
    /* The ring has three laps, or the 16-bit lap count is about to wrap. */
    EACH_FROM("3.laps.counted", 3, 4, .written = 5, .laps_before = 3, .counts_laps = true, BETWEEN_PIECES),
    EACH_FROM("2.wrap.counted", 2, 3, .written = 6, .laps_before = 65533, .counts_laps = true,
              .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("3.wrap.counted", 3, 4, .written = 9, .laps_before = 65533, .counts_laps = true,
              .own_words = STAMP_AND_INFO, .by_hand = true),
    /* Words that are written late. */
    EACH_FROM("2.late.plain", 2, 2, .written = 3, .late_slots = 1, .late_id = LATE_NEXT_THREAD,
              .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("2.late.counted", 2, 2, .written = 3, .late_slots = 1, .late_id = LATE_MEMORY, .counts_laps = true,
              .recorder_order = true, .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("3.late.plain", 3, 2, .written = 3, .late_slots = 1, .late_id = LATE_NEXT_THREAD,
              .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("3.late.counted", 3, 2, .written = 3, .late_slots = 1, .late_id = LATE_MEMORY, .counts_laps = true,
              .recorder_order = true, .own_words = STAMP_AND_INFO, .by_hand = true),
    /* A trace that is set up again. */
    EACH_FROM_SLOWLY("4.again.plain", 4, 3, .written = 6, .any_buffer = true, .again = AGAIN_WITHIN,
                     .own_words = STAMP_AND_INFO),
    EACH_FROM("5.again.plain", 5, 3, .written = 6, .any_buffer = true, .again = AGAIN_WITHIN,
              .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("4.again.counted", 4, 5, .written = 6, .again = AGAIN_BETWEEN, .counts_laps = true,
              .own_words = STAMP_AND_INFO),
    EACH_FROM("3.smaller.plain", 3, 2, .written = 5, .again = AGAIN_SMALLER, .own_words = STAMP_AND_INFO),
    EACH_FROM("3.smaller.counted", 3, 2, .written = 5, .again = AGAIN_SMALLER, .counts_laps = true,
              .own_words = STAMP_AND_INFO),
    /* Half-laps; the number of the life identifies a new trace. */
    EACH_FROM("2.half.words", 2, 3, .written = 5, .counts_laps = true, .counts_half_laps = true, EVERY_WORD),
    EACH_FROM("3.half.pieces", 3, 7, .written = 6, .counts_laps = true, .counts_half_laps = true, BETWEEN_PIECES),
    EACH_FROM("4.half.pieces", 4, 9, .written = 8, .counts_laps = true, .counts_half_laps = true,
              .recorder_order = true, BETWEEN_PIECES, .by_hand = true),
    EACH_FROM("5.half.pieces", 5, 11, .written = 10, .counts_laps = true, .counts_half_laps = true, BETWEEN_PIECES,
              .by_hand = true),
    EACH_FROM("3.half.late", 3, 2, .written = 3, .late_slots = 1, .late_id = LATE_MEMORY, .counts_laps = true,
              .counts_half_laps = true, .recorder_order = true, .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("3.half.bad_answers", 3, 2, .written = 5, .bad_answers = true, .counts_laps = true,
              .counts_half_laps = true, BETWEEN_PIECES),
    EACH_FROM("3.half.wrap", 3, 4, .written = 9, .laps_before = 65533, .counts_laps = true, .counts_half_laps = true,
              .own_words = STAMP_AND_INFO),
    EACH_FROM("3.half.again", 3, 4, .written = 5, .any_buffer = true, .again = AGAIN_ANY, .counts_laps = true,
              .counts_half_laps = true, .own_words = STAMP_AND_INFO),
    EACH_FROM("4.half.again", 4, 5, .written = 6, .any_buffer = true, .again = AGAIN_ANY, .counts_laps = true,
              .counts_half_laps = true, .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("3.half.set_up", 3, 1, .written = 4, .again = AGAIN_SET_UP, .counts_laps = true, .counts_half_laps = true,
              .own_words = STAMP_AND_INFO),
    EACH_FROM("2.half.set_up", 2, 3, .written = 4, .again = AGAIN_SET_UP, .counts_laps = true, .counts_half_laps = true,
              .own_words = STAMP_AND_INFO, .by_hand = true),
    EACH_FROM("3.half.smaller", 3, 4, .written = 5, .again = AGAIN_SMALLER, .counts_laps = true,
              .counts_half_laps = true, .own_words = STAMP_AND_INFO),
    EACH_FROM("3.half.words", 3, 4, .written = 5, .counts_laps = true, .counts_half_laps = true, .recorder_order = true,
              .any_buffer = true, EVERY_WORD),
    /* Three slots; the writer may move before every word. */
    EACH_FROM("3.words.plain", 3, 4, .written = 5, .any_buffer = true, EVERY_WORD, .by_hand = true),
    EACH_FROM("3.words.counted", 3, 4, .written = 5, .counts_laps = true, .any_buffer = true, EVERY_WORD,
              .by_hand = true),
    EACH_FROM("3.words.recorder", 3, 4, .written = 5, .counts_laps = true, .recorder_order = true, .any_buffer = true,
              EVERY_WORD, .by_hand = true),
};
const unsigned configuration_count = sizeof configurations / sizeof *configurations;
