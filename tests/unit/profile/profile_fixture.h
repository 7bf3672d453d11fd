/* SPDX-License-Identifier: MIT */
/* A small program for tests of profiles: addresses with known functions, and threads. */
#ifndef TXTAP_TEST_PROFILE_FIXTURE_H
#define TXTAP_TEST_PROFILE_FIXTURE_H

#include "txtap/inner/profile.h"

#define PC_LOOP    0x08000100u /* loop(), line 10 of main.c */
#define PC_INLINED 0x08000110u /* step(), line 3, inlined into loop() at line 12 */
#define PC_FILTER  0x08000200u /* filter(), line 30 */
#define PC_NOWHERE 0x10000000u
#define THREAD_A   0x20000100u /* has the name "sampler" */
#define THREAD_B   0x20000200u

extern const struct txtap_profile_names profile_names;

/* Returns a profile with profile_names. The caller frees it. */
struct txtap_profile *profile_new(void);

/* Returns the row of a function at a level; NULL: no such row. */
const struct txtap_profile_row *profile_row(struct txtap_profile *profile, enum txtap_profile_level level,
                                            const char *function);

#endif
