/* SPDX-License-Identifier: MIT */
/*
 * The amount and the timing of the load. Keeps the recorded events at demo_event_rate per second of real time and the
 * ledger entries at a quarter of that rate, and ends the load at demo_stop_after. It only measures and decides; the
 * threads cause the events.
 */
#ifndef DEMO_PACE_H
#define DEMO_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns once demo_hold is 0. */
void pace_start(void);
/* Returns true if the sensor shall interrupt now, because more events are due. Called in the interrupt of each tick. */
bool pace_tick(void);
/* Returns true if fewer events have been recorded than are due. */
bool pace_behind(void);
/* Records the ledger entries that are due, but at most `most`. */
void pace_ledger(uint32_t most);
/* Sleeps for a period of `ticks` at the default rate; at other rates the period is scaled. */
void pace_sleep(uint32_t ticks);
/* Returns the period of a timer, scaled in the same way. */
uint32_t pace_period(uint32_t ticks);
/* Returns true once demo_stop_after has been reached. */
bool pace_stopping(void);

#endif
