/* SPDX-License-Identifier: MIT */
/*
 * Variables of all types, whose values follow from the number of events that were written: the events of a trace tell
 * the value that each variable had between two events. tests/e2e/variables_check.c has the same formulas.
 */
#ifndef DEMO_WAVEFORM_H
#define DEMO_WAVEFORM_H

#include <stdbool.h>
#include <stdint.h>

enum waveform_state { STOPPED, RUNNING, FAULT = 7 };

struct waveform_node {
    struct waveform_node *other;
    uint32_t count;
};

struct waveform {
    uint32_t count;
    int16_t sine;
    uint16_t half;
    int8_t small;
    bool flag;
    float ratio; /* 1 + (count mod 2^23) / 2^23 */
    double precise;
    uint64_t wide; /* not written at once: its halves are the count and the inverted count */
    enum waveform_state state;
    struct {
        uint32_t low : 3, middle : 7;
        int32_t sign : 5;
        uint32_t rest : 17;
    } bits;
    uint32_t list[4];
    uint8_t grid[2][3];
    struct waveform_node *current; /* each event replaces the node */
};

extern volatile struct waveform demo_waveform;

/* Sets all variables for `count` written events. */
void waveform_update(uint32_t count);

#endif
