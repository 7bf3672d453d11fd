/* SPDX-License-Identifier: MIT */
/* Makes a small trace, event by event, with names. The test knows its figures because it chooses all events. */
#ifndef TXTAP_TESTS_MADE_TRACE_H
#define TXTAP_TESTS_MADE_TRACE_H

#include "model/event_ids.h"
#include "analysis/figure_list.h"
#include "txtap/inner/finding.h"
#include "txtap/inner/stacks.h"
#include "txtap/registry.h"

#define MADE_TIMER 0x20000F00u /* a thread that resumes other threads, as the kernel's timer thread does */

/* Begins a trace and copies the options. Named objects are known from the start. */
void made_begin(const struct txtap_analysis_options *options);
void made_object(uint32_t address, uint8_t type, const char *name);

/* Returns the analysis of the trace, for other sinks of its model. */
struct txtap_analysis *made_analysis(void);

/* Gives names to several threads that use one address, one after the other. Each event refers to one of them. */
void made_names(const struct txtap_object *objects, size_t count);

/* Sets the priority of a thread's events from now on; initially 4. */
void made_priority(uint32_t thread, uint16_t priority);

/* Sets the core of the events from now on; initially 0. */
void made_core(uint8_t core);

/* Records an event of the thread `thread` at the tick `ticks`. */
void made_event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/* Records an event of an interrupt. thread: the interrupted thread; 0: no thread was interrupted. */
void made_interrupt(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);

/*
 * Records a job of a thread: the timer thread resumes the thread at `resumed`, the thread runs from `start` to `end`,
 * and then the core is idle.
 */
void made_job(uint32_t thread, uint64_t resumed, uint64_t start, uint64_t end);

void made_gap(uint64_t lost);

/* Gives the trace the stacks that the kernel tells. list: borrowed until the trace has ended. */
void made_stacks(const struct txtap_stack_use *list, size_t count);

/* Ends the trace and returns all figures, which are valid until the next trace. */
const struct figure_list *made_end(void);

/* Returns the findings of the ended trace, which are valid until the next trace. */
const struct txtap_findings *made_findings(void);

/* Returns a figure by name and subject, or NULL. subject 0: the whole trace. */
const struct txtap_figure *made_figure(const char *name, uint32_t subject);

/* As made_figure(), for one of several threads that used an address. life: subject.life of this thread. */
const struct txtap_figure *made_life(const char *name, uint32_t subject, uint32_t life);

/* As made_figure(), for a figure with two subjects. */
const struct txtap_figure *made_pair(const char *name, uint32_t subject, uint32_t other);

/* Returns a statistic of a figure. Fails the test if the figure does not have it. */
double made_stat(const char *name, uint32_t subject, enum txtap_stat stat);

#endif
