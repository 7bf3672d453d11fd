/* SPDX-License-Identifier: MIT */
/*
 * Tells a change from noise: two groups of measured numbers, one group for each build.
 *
 * If both builds ran the same, each order of all numbers is equally likely. With three runs on each side, the sides are
 * completely apart by chance in 1 of 10 figures, and with five runs in 1 of 126. That alone is not enough for a report
 * of hundreds of figures. So the distance of the means must also be too large for the spread within the sides, as in
 * Student's test, with a limit for the number of figures that are compared.
 */
#ifndef TXTAP_CAPTURE_COMPARE_NOISE_H
#define TXTAP_CAPTURE_COMPARE_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#define NOISE_RUNS_MIN 3 /* the noise is known if each side has this number of runs */
#define NOISE_ALARM                                                                                                    \
    0.0002 /* the chance that a comparison of the same build names any change, if all numbers have a                   \
              normal distribution; for others it is below 0.001: see test_noise.c */

/* Numbers of a side. */
struct noise_group {
    const double *values; /* `count` numbers */
    size_t count;
};

/*
 * Returns the chance that the means of two groups with the same normal distribution are at least this far apart. least:
 * lower limit of the standard deviation, because a measured number has a resolution; 0: no limit. Each group has at
 * least 1 number, and both together have at least 3.
 */
double noise_chance(const struct noise_group *a, const struct noise_group *b, double least);

/* Returns true if all numbers of a group are above all numbers of the other group. */
bool noise_is_apart(const struct noise_group *a, const struct noise_group *b);

/* Returns true if the groups differ by more than noise, in a comparison of `numbers` pairs of groups. */
bool noise_is_exceeded(const struct noise_group *a, const struct noise_group *b, double least, size_t numbers);

#endif
