/* SPDX-License-Identifier: MIT */
/*
 * How much load, and when: keeps the events recorded at demo_event_rate per second of real time and
 * the ledger at a quarter of them, and ends the load at demo_stop_after. It measures and decides; the threads cause the
 * events.
 */
#ifndef DEMO_PACE_H
#define DEMO_PACE_H

#include <stdbool.h>
#include <stdint.h>

void pace_start(void);
/* At each tick, in the tick's interrupt: true if the sensor is to interrupt now, because more events are due. */
bool pace_tick(void);
/* True while fewer events than are due by now have been recorded. */
bool pace_behind(void);
/* Records as many ledger entries as are missing from the ledger's share, but at most `most`. */
void pace_ledger(uint32_t most);
/* Sleeps for a period that is `ticks` at the default rate and shrinks and grows with it. */
void pace_sleep(uint32_t ticks);
/* The same period for a timer. */
uint32_t pace_period(uint32_t ticks);
/* True for good once demo_stop_after has been reached. */
bool pace_stopping(void);

#endif
