/* SPDX-License-Identifier: MIT */
/*
 * The event logger's part of the load. A thread writes events of its own, at times more than the ring holds, and
 * changes the mask. A collector checks the events that it gets. A host finds the results in the variables below.
 */
#ifndef DEMO_LOGGER_H
#define DEMO_LOGGER_H

#include <stdint.h>

/* Types of the application's events, and their words. */
#define LOGGER_EVENT_LEDGER 8  /* n, ~n */
#define LOGGER_EVENT_TIME   9  /* time */
#define LOGGER_EVENT_LONG   10 /* 1 to 12 words: n, n + 1, ... */

/* Numbers of events that the collector got: context switches, interrupts, sleeps, events of the application. */
extern volatile uint32_t demo_logger_switches;
extern volatile uint32_t demo_logger_interrupts;
extern volatile uint32_t demo_logger_sleeps;
extern volatile uint32_t demo_logger_customs;
/* Ledger events written, stored or not. */
extern volatile uint32_t demo_logger_ledger_next;
/* Sum of the drop counts that the collector got, and number of drop counts that were "255 or more". */
extern volatile uint32_t demo_logger_dropped;
extern volatile uint32_t demo_logger_saturated;
/* Number of calls in which the collector first got -EMSGSIZE; number of calls that timed out. */
extern volatile uint32_t demo_logger_too_small;
extern volatile uint32_t demo_logger_timeouts;

/* Starts the logger and creates its threads. */
void logger_create(void);

#endif
