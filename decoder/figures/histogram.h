/* SPDX-License-Identifier: MIT */
/*
 * How often each value occurred: percentiles of any number of 64-bit values in bounded memory, log-linear as in
 * HdrHistogram. The only link to events is their number (seq).
 *
 * Values below 32 have a bucket each. Above, each octave [2^k, 2^(k+1)) has 32 buckets of equal width, so that a
 * bucket's two ends are less than 1/32 (3.1 %) apart. The buckets of an octave are one page of 128 bytes, taken from a
 * shared pool when the octave gets its first value. Durations rarely spread over more than ten octaves, and a table of
 * all buckets would be 7.5 KiB per histogram.
 */
#ifndef TXTAP_DECODER_FIGURES_HISTOGRAM_H
#define TXTAP_DECODER_FIGURES_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_PAGE_BUCKETS 32u
#define HISTOGRAM_OCTAVES      60u    /* covers all 64-bit values; the first octave is [0, 32) */
#define HISTOGRAM_PAGES_MAX    65535u /* limit for a pool */

struct histogram_page {
    uint32_t count[HISTOGRAM_PAGE_BUCKETS];
};

/* The pages that several histograms share. */
struct histogram_pool {
    struct histogram_page *pages; /* owned by the caller */
    size_t capacity, used;
};

/* All 0 is an empty histogram. */
struct histogram {
    uint64_t n, sum;    /* exact; sum stays at UINT64_MAX after an overflow */
    uint64_t min, max;  /* exact; undefined while n is 0 */
    uint64_t min_event; /* seq of the first event with the minimum */
    uint64_t max_event; /* seq of the first event with the maximum */
    uint64_t missed;    /* values included in n, but without a bucket: no page was left, or a count was at its limit */
    uint16_t page[HISTOGRAM_OCTAVES]; /* 1 + its index in the pool; 0: no value yet */
};

struct histogram_bucket {
    uint64_t low, high; /* first and last value of the bucket, within the histogram's min and max */
    uint64_t count;     /* at least 1 */
};

/*
 * Starts a pool without used pages. pages: room for capacity pages, at most HISTOGRAM_PAGES_MAX, owned by the caller;
 * the pool clears each page when it uses it.
 */
void histogram_pool_init(struct histogram_pool *pool, struct histogram_page *pages, size_t capacity);

/* Counts a value. event: the seq of the event at which it occurred. */
void histogram_add(struct histogram *histogram, struct histogram_pool *pool, uint64_t value, uint64_t event);

/*
 * Adds the values of another histogram of the same pool. later: a histogram whose values came after the values of
 * *histogram. If no value was missed, the result is the same as with all values in one histogram.
 */
void histogram_merge(struct histogram *histogram, struct histogram_pool *pool, const struct histogram *later);

/* Returns the number of the value's bucket, counted from 0, and the lowest value of a bucket. */
uint32_t histogram_step(uint64_t value);
uint64_t histogram_step_low(uint32_t step);

/*
 * Sets *bucket to the bucket of the percentile by nearest rank: the ceil(percent / 100 * n)th smallest value. percent:
 * 1 to 100. Returns false if there are no values, or if some were missed; *bucket is then unchanged.
 */
bool histogram_percentile(const struct histogram *histogram, const struct histogram_pool *pool, unsigned percent,
                          struct histogram_bucket *bucket);

/*
 * Visits the buckets that have values, from the smallest. *position: 0 before the first call; only this function
 * changes it. False after the last bucket.
 */
bool histogram_next(const struct histogram *histogram, const struct histogram_pool *pool, size_t *position,
                    struct histogram_bucket *bucket);

/* The distribution of samples: complete samples, and samples whose start or end is not in the trace. All 0 is empty. */
struct spread {
    struct histogram samples;
    uint64_t min_ticks, max_ticks; /* ticks at the ends of the extreme samples */
    uint64_t cut;                  /* number of samples without start or end */
    uint64_t cut_longest;
    uint64_t cut_seq, cut_ticks; /* event and tick at the end of the longest cut sample */
};

void spread_add(struct spread *spread, struct histogram_pool *pool, uint64_t value, uint64_t seq, uint64_t ticks);

/* Adds a sample without start or end, which lasted at least value. */
void spread_cut(struct spread *spread, uint64_t value, uint64_t seq, uint64_t ticks);

/* Samples of which only bounds are known. The spread contains these samples with their most likely values. */
struct vague {
    uint64_t n;                  /* number of these samples */
    uint64_t low_min, low_max;   /* extremes of their lower bounds */
    uint64_t high_min, high_max; /* extremes of their upper bounds; UINT64_MAX: no upper bound */
    uint64_t less, more;         /* true sum: from (sum in the spread) - less to (sum in the spread) + more */
    uint64_t perhaps; /* number of further samples that may exist, each at most high_max; UINT64_MAX: any number */
};

void spread_add_vague(struct spread *spread, struct vague *vague, struct histogram_pool *pool, const uint64_t bounds[2],
                      uint64_t value, uint64_t seq, uint64_t ticks);

/* Makes all earlier samples vague: only bounds of them are known from now on. high: extremes of their upper bounds.
 * more: by how much their sum may be larger. */
void spread_doubt(const struct spread *spread, struct vague *vague, const uint64_t high[2], uint64_t more);

/* Notes that another sample may exist. most: the largest value that it may have. */
void spread_perhaps(struct vague *vague, uint64_t most);

#endif
