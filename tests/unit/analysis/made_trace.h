/* SPDX-License-Identifier: MIT */
/* Makes a small trace event by event, with names. Its figures are known by construction. */
#ifndef TXTAP_TESTS_MADE_TRACE_H
#define TXTAP_TESTS_MADE_TRACE_H

#include "model/event_ids.h"
#include "analysis/figure_list.h"
#include "txtap/registry.h"

#define MADE_TIMER 0x20000F00u /* a thread that resumes others, as the kernel's timer thread does */

/* Begins a trace; named objects are known from the start. The options are copied. */
void made_begin(const struct txtap_analysis_options *options);
void made_object(uint32_t address, uint8_t type, const char *name);

/* Gives names to the threads at one address. Events name the thread to which they refer. */
void made_names(const struct txtap_object *objects, size_t count);

/* Sets the priority of a thread's events from now on; initially 4. */
void made_priority(uint32_t thread, uint16_t priority);

/* Sets the core of the events from now on; initially 0. */
void made_core(uint8_t core);

/* Records an event of the thread `thread` at the tick `ticks`. */
void made_event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/* Records an event of an interrupt that interrupts the thread `thread`; 0: it interrupts nothing. */
void made_interrupt(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/*
 * Records a job of a thread: the timer thread resumes the thread at `resumed`, the thread runs from `start` to `end`,
 * and then the core is idle.
 */
void made_job(uint32_t thread, uint64_t resumed, uint64_t start, uint64_t end);

void made_gap(uint64_t lost);

/* Ends the trace and returns all figures, which are valid until the next trace. */
const struct figure_list *made_end(void);

/* Returns the figure with the name `name` and the subject `subject` (0: the whole trace), or NULL. */
const struct txtap_figure *made_figure(const char *name, uint32_t subject);

/* Does the same as made_figure() for one of several threads at an address, which is chosen by subject.life. */
const struct txtap_figure *made_life(const char *name, uint32_t subject, uint32_t life);

/* Does the same as made_figure() for a figure that has a subject and a second subject, `other`. */
const struct txtap_figure *made_pair(const char *name, uint32_t subject, uint32_t other);

/* Returns the statistic `stat` of a figure; fails the test if the figure does not have it. */
double made_stat(const char *name, uint32_t subject, enum txtap_stat stat);

#endif
