/* SPDX-License-Identifier: MIT */
/* The functions that truth.c, truth_figures.c and truth_waits.c share. */
#ifndef TXTAP_TESTS_ORACLE_TRUTH_PARTS_H
#define TXTAP_TESTS_ORACLE_TRUTH_PARTS_H

#include "oracle/truth.h"

/* ---- truth_figures.c ---- */

/* Return subjects. truth_nothing() means the whole system. */
struct txtap_subject truth_subject(enum txtap_subject_kind kind, uint32_t number);
struct txtap_subject truth_nothing(void);
struct txtap_subject truth_thread_of(const struct truth *truth, unsigned number);
struct txtap_subject truth_object_of(const struct truth *truth, unsigned number);

/* Returns the figure with this name and these subjects. Creates it if necessary. */
struct truth_figure *truth_figure_of(struct truth *truth, enum truth_kind kind, const char *name,
                                     struct txtap_subject of, struct txtap_subject other, const char *detail);

/* Add a sample. truth_sample(): a complete sample; truth_cut(): a sample that the end of the trace cuts off;
 * truth_piece(): either of these two. */
void truth_sample(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                  const char *detail, uint64_t value);
void truth_cut(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
               const char *detail, uint64_t value);
void truth_piece(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                 const char *detail, uint64_t value, bool complete);

/* Adds to a figure that is a value or a share. */
void truth_add(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
               const char *detail, uint64_t value);
void truth_count(struct truth *truth, const char *name, struct txtap_subject of);
void truth_share(struct truth *truth, const char *name, struct txtap_subject of, const char *detail, uint64_t ticks);

/* Raises a value to at least `value`, or lowers it to at most `value`. */
void truth_raise(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value);
void truth_lower(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value);

/* ---- truth_waits.c ---- */

/* Begins inversions that are new, and ends inversions that are over. */
void truth_look_for_inversions(struct truth *truth);

/* Ends a thread's wait for the core, without adding a sample. */
void truth_cut_wait_for_core(struct truth *truth, unsigned thread);

/* End a job, an inversion, a life or a wait. complete: false if the end of the trace cuts the sample off. */
void truth_end_job(struct truth *truth, unsigned thread, bool complete);
void truth_inversion_ends(struct truth *truth, unsigned thread, bool complete);
void truth_end_life(struct truth *truth, unsigned thread);
void truth_end_wait(struct truth *truth, unsigned thread, bool complete);

/* ---- truth.c ---- */

/* Returns the action of a service with this event on its object: "send", "receive", ...; "": it moves nothing. */
const char *truth_action(enum kernel_event id);

/* Returns the thread, the interrupt or the initialization that runs. */
struct txtap_subject truth_context(const struct truth *truth);

/* Returns the owner of the mutex for which the thread waits; NOBODY if it does not wait for a mutex. */
unsigned truth_owner_awaited(const struct truth *truth, unsigned thread);

/* Returns the interrupt that is running. */
struct txtap_subject truth_interrupt_number(const struct truth *truth);

#endif
