/* SPDX-License-Identifier: MIT */
/* Student's test with a pooled variance, and the separation of two groups. */
#include "compare/noise.h"

#include <math.h>

static double mean_of(const struct noise_group *group)
{
    double sum = 0;

    for (size_t i = 0; i < group->count; i++)
        sum += group->values[i];
    return sum / (double)group->count;
}

/* Returns the sum of the squares of the distances from the mean. */
static double squares_of(const struct noise_group *group, double mean)
{
    double sum = 0;

    for (size_t i = 0; i < group->count; i++)
        sum += (group->values[i] - mean) * (group->values[i] - mean);
    return sum;
}

/*
 * Returns the chance of at least t or at most -t in Student's distribution. freedom: at least 1. Abramowitz and Stegun,
 * 26.7.3 and 26.7.4: a finite series, for each whole number of degrees of freedom.
 */
static double student_chance(double t, size_t freedom)
{
    double angle = atan(t / sqrt((double)freedom)), cosine = cos(angle), term = freedom % 2 == 1 ? cosine : 1, sum = 0;

    for (size_t i = freedom % 2; i + 2 <= freedom; i += 2) {
        sum += term;
        term *= cosine * cosine * (double)(i + 1) / (double)(i + 2);
    }
    if (freedom % 2 == 1)
        return fmax(0, 1 - 2 / M_PI * (angle + sin(angle) * sum));
    return fmax(0, 1 - sin(angle) * sum);
}

double noise_chance(const struct noise_group *a, const struct noise_group *b, double least)
{
    double mean_a = mean_of(a), mean_b = mean_of(b), distance = fabs(mean_a - mean_b);
    size_t freedom = a->count + b->count - 2;
    double deviation = sqrt((squares_of(a, mean_a) + squares_of(b, mean_b)) / (double)freedom);

    deviation = fmax(deviation, least) * sqrt(1 / (double)a->count + 1 / (double)b->count);
    if (distance == 0)
        return 1;
    return deviation > 0 ? student_chance(distance / deviation, freedom) : 0;
}

bool noise_is_apart(const struct noise_group *a, const struct noise_group *b)
{
    double low[2] = {(double)INFINITY, (double)INFINITY}, high[2] = {-(double)INFINITY, -(double)INFINITY};
    const struct noise_group *groups[2] = {a, b};

    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < groups[side]->count; i++) {
            low[side] = fmin(low[side], groups[side]->values[i]);
            high[side] = fmax(high[side], groups[side]->values[i]);
        }
    return low[0] > high[1] || low[1] > high[0];
}

bool noise_is_exceeded(const struct noise_group *a, const struct noise_group *b, double least, size_t numbers)
{
    return noise_is_apart(a, b) && noise_chance(a, b, least) * (double)numbers < NOISE_ALARM;
}
