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

/* Gives names to the threads at one address. Events name the thread that they mean. */
void made_names(const struct txtap_object *objects, size_t count);

/* Sets the priority of a thread's events from now on; initially 4. */
void made_priority(uint32_t thread, uint16_t priority);

/* Sets the core of the events from now on; initially 0. */
void made_core(uint8_t core);

/* Records an event of a thread at the tick `ticks`. */
void made_event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/* Records an event of an interrupt that interrupts the thread; 0: it interrupts nothing. */
void made_interrupt(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/*
 * A job of a thread: the timer thread resumes the thread at `resumed`, the thread runs from `start` to `end`, and then
 * the core is idle.
 */
void made_job(uint32_t thread, uint64_t resumed, uint64_t start, uint64_t end);

void made_gap(uint64_t lost);

/* All figures. Valid until the next trace. */
const struct figure_list *made_end(void);

/* Returns the figure with that name and subject, or NULL. subject 0: the whole trace. */
const struct txtap_figure *made_figure(const char *name, uint32_t subject);

/* The same for one of several threads at an address, which is chosen by subject.life. */
const struct txtap_figure *made_life(const char *name, uint32_t subject, uint32_t life);

/* The same for a figure that has a subject and a second subject. */
const struct txtap_figure *made_pair(const char *name, uint32_t subject, uint32_t other);

/* A statistic of the figure; fails the test if the figure does not have it. */
double made_stat(const char *name, uint32_t subject, enum txtap_stat stat);

#endif
