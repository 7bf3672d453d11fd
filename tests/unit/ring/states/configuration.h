/* SPDX-License-Identifier: MIT */
/* The configurations of ring, writer and reader to explore, one row each. */
#ifndef TXTAP_TESTS_RING_STATES_CONFIGURATION_H
#define TXTAP_TESTS_RING_STATES_CONFIGURATION_H

#include <stdbool.h>

#include "txtap/ring.h"

#define SLOTS_MAX 5

/* How a trace is set up again while it is read. */
enum set_up_again {
    NEVER_AGAIN,
    /* in the same place, between two exchanges; the new trace gets at most as many events as a lap count shows */
    AGAIN_BETWEEN,
    /* in the same place, before any read of the exchange; it gets at most as many events as emptied slots show */
    AGAIN_WITHIN,
    AGAIN_ANY,    /* in the same place, before any read of the exchange, with any number of events */
    AGAIN_SET_UP, /* elsewhere, and then in the same place, step by step: writer_sets_up() */
    /* the new ring has one slot fewer; the restart may come before any read of the exchange */
    AGAIN_SMALLER,
};

struct configuration {
    const char *name;
    unsigned slots;        /* of the ring */
    unsigned events;       /* maximum within one exchange */
    bool counts_laps;      /* true for the recorder, false for ThreadX */
    bool counts_half_laps; /* also counts half-laps, in words beside the buffer */
    enum txtap_ring_from from;
    unsigned written;     /* maximum number of events before the reader attached, not counting laps_before */
    unsigned laps_before; /* number of whole laps before these events */
    bool every_word;      /* the writer may move before every word read, not only before every piece */
    bool any_buffer;      /* the reader's buffer has room for any number of entries in each exchange */
    bool slow;            /* an exchange may take 60 ms before its first read */
    bool recorder_order;  /* words of an entry are stored in the recorder's order, not in ThreadX's */
    unsigned own_words;   /* bit n: word n of an entry has its number; the others are equal in all entries */
    unsigned late_slots;  /* bit n: events in slot n have a word that is written late */
    unsigned late_id;     /* id of the events with a late word */
    bool bad_answers;     /* some reads return invalid pointers and headers of other buffers */
    enum set_up_again again;
    bool by_hand; /* takes long: the tests do not run it */
};

extern const struct configuration configurations[];
extern const unsigned configuration_count;

#endif
