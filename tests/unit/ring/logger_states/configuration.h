/* SPDX-License-Identifier: MIT */
/* The configurations of ring, logger and reader to explore, one row each. */
#ifndef TXTAP_TESTS_LOGGER_STATES_CONFIGURATION_H
#define TXTAP_TESTS_LOGGER_STATES_CONFIGURATION_H

#include <stdbool.h>

#include "txtap/event_logger.h"

#define RING_WORDS_MAX 16
#define COPY_WORDS_MAX (2 * RING_WORDS_MAX)

enum counts { COUNTS_EVENTS, COUNTS_WORDS, COUNTS_NOTHING }; /* the last one: Zephyr's own logger */

struct configuration {
    const char *name;
    enum counts counts;
    unsigned size;    /* words of the ring */
    unsigned lengths; /* bit n: there are events of n data words */
    unsigned events;  /* put or dropped at most within one exchange */
    unsigned drops;   /* of these, at most this many dropped in a row */
    bool reports;     /* drops are reported before there is room again */
    unsigned written; /* up to this many had been put or dropped when the reader attached */
    enum txtap_ring_from from;
    bool every_word;      /* the target may go on before every word read, not only before every piece of items */
    bool slow;            /* an exchange may take long after its last read */
    unsigned copy_rings;  /* of the reader's copy: 1 or 2; 0: 1 */
    unsigned read_words;  /* at most this many in a plan of the reader; 0: no limit */
    unsigned again_words; /* the logger restarts after putting this many words; 0: never */
    bool by_hand;         /* takes long: the tests do not run it */
};

extern const struct configuration configurations[];
extern const unsigned configuration_count;

#endif
