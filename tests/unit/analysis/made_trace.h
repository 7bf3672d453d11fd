/* SPDX-License-Identifier: MIT */
/* A small trace, made event by event, with names: its figures are known by construction. */
#ifndef TXTAP_TESTS_MADE_TRACE_H
#define TXTAP_TESTS_MADE_TRACE_H

#include "model/event_ids.h"
#include "analysis/figure_list.h"
#include "txtap/registry.h"

#define MADE_TIMER 0x20000F00u /* a thread that resumes others, as the kernel's timer thread does */

/* Begins a trace; named objects are known from the start. The options are copied. */
void made_begin(const struct txtap_analysis_options *options);
void made_object(uint32_t address, uint8_t type, const char *name);

/* Threads at one address are told apart by those names, each with the events that mean it. */
void made_names(const struct txtap_object *objects, size_t count);

/* The priority of a thread's events from now on; before, 4. */
void made_priority(uint32_t thread, uint16_t priority);

/* The core of the events from now on; before, 0. */
void made_core(uint8_t core);

/* An event of a thread at that tick. */
void made_event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/* An event of an interrupt that interrupts the thread; 0: that interrupts nothing. */
void made_interrupt(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/* A job of a thread: resumed at that tick by the timer thread, it runs from start to end, then the core is idle. */
void made_job(uint32_t thread, uint64_t resumed, uint64_t start, uint64_t end);

void made_gap(uint64_t lost);

/* All figures. Valid until the next trace. */
const struct figure_list *made_end(void);

/* The figure of that name and subject; subject 0: the whole trace. NULL: no such figure. */
const struct txtap_figure *made_figure(const char *name, uint32_t subject);

/* The same of one of the threads that were at that address: subject.life. */
const struct txtap_figure *made_life(const char *name, uint32_t subject, uint32_t life);

/* The same of a subject and another one. */
const struct txtap_figure *made_pair(const char *name, uint32_t subject, uint32_t other);

/* One of its statistics; fails the test if it does not have it. */
double made_stat(const char *name, uint32_t subject, enum txtap_stat stat);

#endif
