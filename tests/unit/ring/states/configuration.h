/* SPDX-License-Identifier: MIT */
/* The configurations to explore. Each row has a ring, a writer and a reader. */
#ifndef TXTAP_TESTS_RING_STATES_CONFIGURATION_H
#define TXTAP_TESTS_RING_STATES_CONFIGURATION_H

#include <stdbool.h>

#include "txtap/ring.h"

#define SLOTS_MAX 5

/* How a trace is set up again while it is read. */
enum set_up_again {
    NEVER_AGAIN,
    /* in the same place, between two exchanges; the new trace stays so short that its lap count shows the restart */
    AGAIN_BETWEEN,
    /* in the same place, before any read of an exchange; the new trace stays so short that empty slots show it */
    AGAIN_WITHIN,
    AGAIN_ANY,    /* in the same place, before any read of an exchange; the new trace may have any length */
    AGAIN_SET_UP, /* first elsewhere, then in the same place, step by step: see writer_sets_up() */
    /* the new ring has one slot fewer; this may happen before any read of an exchange */
    AGAIN_SMALLER,
};

struct configuration {
    const char *name;
    unsigned slots;        /* of the ring */
    unsigned events;       /* maximum number of events that the target writes during an exchange */
    bool counts_laps;      /* the target counts laps: true for the recorder, false for ThreadX */
    bool counts_half_laps; /* the target also counts half-laps, in words beside the buffer */
    enum txtap_ring_from from;
    unsigned written;     /* maximum number of events before the reader attached, not counting laps_before */
    unsigned laps_before; /* number of whole laps before the events in `written` */
    bool every_word;      /* the writer may move before every word read, not only before every piece */
    bool any_buffer;      /* the reader's buffer has room for any number of entries in each exchange */
    bool slow;            /* an exchange may take 60 ms before its first read */
    bool recorder_order;  /* words of an entry are stored in the recorder's order, not in ThreadX's */
    unsigned own_words;   /* bit n: word n contains the event's number; other words are equal in all entries */
    unsigned late_slots;  /* bit n: each event in slot n has a late word */
    unsigned late_id;     /* id of the events with a late word */
    bool bad_answers;     /* some reads return invalid pointers and headers of other buffers */
    enum set_up_again again;
    bool by_hand; /* only for runs by hand, because it takes long */
};

extern const struct configuration configurations[];
extern const unsigned configuration_count;

#endif
