/* SPDX-License-Identifier: MIT */
/*
 * How often which value occurred: percentiles of any number of 64-bit values in bounded memory, log-linear as in
 * HdrHistogram. Knows nothing of events but their numbers.
 *
 * Values below 32 have a bucket each. Above, each octave [2^k, 2^(k+1)) has 32 buckets of equal width, so that a
 * bucket's two ends are less than 1/32 (3.1 %) apart. An octave's buckets are one page of 128 bytes, taken from a pool
 * that many histograms share when the first value falls into it: durations rarely spread over more than ten octaves,
 * and a dense table would be 7.5 KiB each.
 */
#ifndef TXTAP_DECODER_FIGURES_HISTOGRAM_H
#define TXTAP_DECODER_FIGURES_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_PAGE_BUCKETS 32u
#define HISTOGRAM_OCTAVES      60u    /* of 64-bit values; the first is [0, 32) */
#define HISTOGRAM_PAGES_MAX    65535u /* that a pool can have */

struct histogram_page {
    uint32_t count[HISTOGRAM_PAGE_BUCKETS];
};

/* The pages of all histograms that share them. */
struct histogram_pool {
    struct histogram_page *pages; /* the caller's */
    size_t capacity, used;
};

/* Empty when all of it is 0. */
struct histogram {
    uint64_t n, sum;    /* exact; sum stays at UINT64_MAX once it does not fit */
    uint64_t min, max;  /* exact; undefined while n is 0 */
    uint64_t min_event; /* number of the first event that gave the minimum */
    uint64_t max_event; /* and the maximum */
    uint64_t missed;    /* values of n that have no bucket: no page was left, or a count was at its limit */
    uint16_t page[HISTOGRAM_OCTAVES]; /* 1 + its index in the pool; 0: no value yet */
};

struct histogram_bucket {
    uint64_t low, high; /* both belong to it; within the histogram's min and max */
    uint64_t count;     /* at least 1 */
};

/* pages: capacity of them, at most HISTOGRAM_PAGES_MAX, which belong to the caller; the pool sets them to 0 as it uses
 * them. */
void histogram_pool_init(struct histogram_pool *pool, struct histogram_page *pages, size_t capacity);

/* Counts a value, which the event of that number gave. */
void histogram_add(struct histogram *histogram, struct histogram_pool *pool, uint64_t value, uint64_t event);

/* Adds to a histogram the later values of another, of the same pool. As if all had been added to one, if none was
 * missed. */
void histogram_merge(struct histogram *histogram, struct histogram_pool *pool, const struct histogram *later);

/* The number of the bucket that a value is in, counted from 0, and the lowest value of a bucket. */
uint32_t histogram_step(uint64_t value);
uint64_t histogram_step_low(uint32_t step);

/*
 * The percentile by nearest rank, the ceil(percent / 100 * n)th smallest value: it lies in *bucket. percent: 1 to 100.
 * False, and *bucket is unchanged, if there are no values or some were missed.
 */
bool histogram_percentile(const struct histogram *histogram, const struct histogram_pool *pool, unsigned percent,
                          struct histogram_bucket *bucket);

/*
 * Walks through the buckets that have values, from the smallest. *position starts at 0, and belongs to this function.
 * False after the last.
 */
bool histogram_next(const struct histogram *histogram, const struct histogram_pool *pool, size_t *position,
                    struct histogram_bucket *bucket);

/* How samples spread: those that are complete, and those of which an end is not in the trace. Empty when all of it is
 * 0.
 */
struct spread {
    struct histogram samples;
    uint64_t min_ticks, max_ticks; /* when the extremes ended */
    uint64_t cut;                  /* pieces without start or end */
    uint64_t cut_longest;
    uint64_t cut_seq, cut_ticks; /* where the longest ended */
};

void spread_add(struct spread *spread, struct histogram_pool *pool, uint64_t value, uint64_t seq, uint64_t ticks);

/* A piece that lasted at least value. */
void spread_cut(struct spread *spread, uint64_t value, uint64_t seq, uint64_t ticks);

/*
 * Of some samples only bounds are known. They are in the spread with the most likely value.
 */
struct vague {
    uint64_t n;                  /* how many samples */
    uint64_t low_min, low_max;   /* extremes of their lower bounds, */
    uint64_t high_min, high_max; /* and of their upper ones; UINT64_MAX: none */
    uint64_t less, more;         /* how much less, or more, than in the spread all of them may be together */
    uint64_t perhaps;            /* samples that there may be, too, none above high_max; UINT64_MAX: any number */
};

void spread_add_vague(struct spread *spread, struct vague *vague, struct histogram_pool *pool, const uint64_t bounds[2],
                      uint64_t value, uint64_t seq, uint64_t ticks);

/* Only bounds are known of all samples so far, too: the upper ones are between these, and all are that much more. */
void spread_doubt(const struct spread *spread, struct vague *vague, const uint64_t high[2], uint64_t more);

/* There may be another sample, of at most that value. */
void spread_perhaps(struct vague *vague, uint64_t most);

#endif
