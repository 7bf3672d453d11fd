/* SPDX-License-Identifier: MIT */
/* Computes the variables from the number of events, without floating point. */
#include "waveform.h"

#define RATIO_ONE   0x3f800000u /* 1.0 in binary32 */
#define PRECISE_ONE 0x3ff00000u /* the upper word of 1.0 in binary64 */

static const int16_t sine[16] = {0, 383, 707, 924, 1000, 924, 707, 383, 0, -383, -707, -924, -1000, -924, -707, -383};
static volatile struct waveform_node nodes[2] = {{(struct waveform_node *)&nodes[1], 0},
                                                 {(struct waveform_node *)&nodes[0], 0}};

volatile struct waveform demo_waveform;

/* The words of variables that the compiler would otherwise write in several steps, or with floating point. */
static volatile uint32_t *words_of(volatile void *variable)
{
    return variable;
}

void waveform_update(uint32_t count)
{
    static const enum waveform_state states[] = {STOPPED, RUNNING, FAULT, RUNNING};
    volatile struct waveform *waveform = &demo_waveform;
    volatile struct waveform_node *node = &nodes[count & 1u];

    waveform->count = count;
    waveform->sine = sine[count & 15u];
    waveform->half = (uint16_t)count;
    waveform->small = (int8_t)count;
    waveform->flag = (count & 1u) != 0;
    *words_of(&waveform->ratio) = RATIO_ONE | (count & 0x7fffffu);
    words_of(&waveform->precise)[0] = count;
    words_of(&waveform->precise)[1] = PRECISE_ONE | (count & 0xfffffu);
    words_of(&waveform->wide)[0] = count;
    words_of(&waveform->wide)[1] = ~count;
    waveform->state = states[count >> 2 & 3u];
    *words_of(&waveform->bits) = (count & 7u) | (count >> 3 & 127u) << 3 | (count & 31u) << 10;
    for (uint32_t i = 0; i < 4; i++) {
        waveform->list[i] = count + i;
    }
    waveform->grid[1][2] = (uint8_t)(count >> 1);
    node->count = count;
    waveform->current = (struct waveform_node *)node;
}
