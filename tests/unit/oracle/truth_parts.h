/* SPDX-License-Identifier: MIT */
/* The functions that truth.c, truth_figures.c and truth_waits.c share. */
#ifndef TXTAP_TESTS_ORACLE_TRUTH_PARTS_H
#define TXTAP_TESTS_ORACLE_TRUTH_PARTS_H

#include "oracle/truth.h"

/* ---- truth_figures.c ---- */

/* Return subjects; truth_nothing() means the whole system. */
struct txtap_subject truth_subject(enum txtap_subject_kind kind, uint32_t number);
struct txtap_subject truth_nothing(void);
struct txtap_subject truth_thread_of(const struct truth *truth, unsigned number);
struct txtap_subject truth_object_of(const struct truth *truth, unsigned number);

/* Returns the figure with the given name and subjects; makes it if necessary. */
struct truth_figure *truth_figure_of(struct truth *truth, enum truth_kind kind, const char *name,
                                     struct txtap_subject of, struct txtap_subject other, const char *detail);

/* Adds a sample: truth_sample() a complete one, truth_cut() one that the end of the trace cuts off, truth_piece()
 * either. */
void truth_sample(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                  const char *detail, uint64_t value);
void truth_cut(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
               const char *detail, uint64_t value);
void truth_piece(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                 const char *detail, uint64_t value, bool complete);

/* Adds to a value, or to a share. */
void truth_add(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
               const char *detail, uint64_t value);
void truth_count(struct truth *truth, const char *name, struct txtap_subject of);
void truth_share(struct truth *truth, const char *name, struct txtap_subject of, const char *detail, uint64_t ticks);

/* Raises a value to at least `value`, or lowers it to at most `value`. */
void truth_raise(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value);
void truth_lower(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value);

/* ---- truth_waits.c ---- */

/* Begins new inversions, and ends past inversions. */
void truth_look_for_inversions(struct truth *truth);

/* Ends a wait for the core without a sample. */
void truth_cut_wait_for_core(struct truth *truth, unsigned thread);

/* End a job, an inversion, a life, a wait. complete: the end of the trace does not cut off the sample. */
void truth_end_job(struct truth *truth, unsigned thread, bool complete);
void truth_inversion_ends(struct truth *truth, unsigned thread, bool complete);
void truth_end_life(struct truth *truth, unsigned thread);
void truth_end_wait(struct truth *truth, unsigned thread, bool complete);

/* ---- truth.c ---- */

/* Returns the owner of the mutex that the thread waits for; NOBODY if it waits for no mutex. */
unsigned truth_owner_awaited(const struct truth *truth, unsigned thread);

/* Returns the interrupt that runs. */
struct txtap_subject truth_interrupt_number(const struct truth *truth);

#endif
