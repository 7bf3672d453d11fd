/* SPDX-License-Identifier: MIT */
/*
 * Counts how often each value occurred. It gives percentiles of any number of 64-bit values in bounded memory, with
 * log-linear buckets as in HdrHistogram. A histogram refers to events only by their number (seq).
 *
 * Each value below 32 has its own bucket. Above, each octave [2^k, 2^(k+1)) has 32 buckets of equal width, so that the
 * two ends of a bucket are less than 1/32 (3.1 %) apart. The buckets of an octave are one page of 128 bytes. An octave
 * takes its page from a shared pool when it gets its first value. Durations rarely extend over more than ten octaves,
 * and a table of all buckets would need 7.5 KiB per histogram.
 */
#ifndef TXTAP_DECODER_FIGURES_HISTOGRAM_H
#define TXTAP_DECODER_FIGURES_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_PAGE_BUCKETS 32u
#define HISTOGRAM_OCTAVES      60u    /* covers all 64-bit values; the first octave is [0, 32) */
#define HISTOGRAM_PAGES_MAX    65535u /* maximum number of pages in a pool */

struct histogram_page {
    uint32_t count[HISTOGRAM_PAGE_BUCKETS];
};

/* The pages that several histograms share. */
struct histogram_pool {
    struct histogram_page *pages; /* owned by the caller */
    size_t capacity, used;
};

/* A histogram of which all bytes are 0 is empty. */
struct histogram {
    uint64_t n, sum;    /* exact; sum stays at UINT64_MAX after an overflow */
    uint64_t min, max;  /* exact; undefined while n is 0 */
    uint64_t min_event; /* seq of the first event with the minimum */
    uint64_t max_event; /* seq of the first event with the maximum */
    uint64_t missed;    /* values that n includes, but no bucket: no page was left, or a count was at its limit */
    uint16_t page[HISTOGRAM_OCTAVES]; /* index: octave; value: 1 + the octave's page in the pool; 0: no value yet */
};

struct histogram_bucket {
    uint64_t low, high; /* first and last value of the bucket, within the histogram's min and max */
    uint64_t count;     /* at least 1 */
};

/*
 * Starts a pool without used pages. pages: memory for `capacity` pages, at most HISTOGRAM_PAGES_MAX; the caller owns
 * it. The pool clears each page when it first uses the page.
 */
void histogram_pool_init(struct histogram_pool *pool, struct histogram_page *pages, size_t capacity);

/* Counts a value. event: the seq of the event at which the value occurred. */
void histogram_add(struct histogram *histogram, struct histogram_pool *pool, uint64_t value, uint64_t event);

/*
 * Adds the values of another histogram of the same pool. later: this histogram's values occurred after the values of
 * *histogram. If neither histogram has missed values, the result is the same as with all values in one histogram.
 */
void histogram_merge(struct histogram *histogram, struct histogram_pool *pool, const struct histogram *later);

/* histogram_step() returns the number of the value's bucket, counted from 0. The next function returns the lowest value
 * of a bucket. */
uint32_t histogram_step(uint64_t value);
uint64_t histogram_step_low(uint32_t step);

/*
 * Sets *bucket to the bucket of the percentile. The percentile is the ceil(percent / 100 * n)th smallest value (nearest
 * rank). percent: 1 to 100. Returns false and leaves *bucket unchanged if there are no values, or if some values were
 * missed.
 */
bool histogram_percentile(const struct histogram *histogram, const struct histogram_pool *pool, unsigned percent,
                          struct histogram_bucket *bucket);

/*
 * Visits the buckets that have values, from the smallest. *position: 0 before the first call; only this function
 * changes it. False after the last bucket.
 */
bool histogram_next(const struct histogram *histogram, const struct histogram_pool *pool, size_t *position,
                    struct histogram_bucket *bucket);

/* The distribution of samples: complete samples, and samples whose start or end is not in the trace. A spread of which
 * all bytes are 0 is empty. */
struct spread {
    struct histogram samples;
    uint64_t min_ticks, max_ticks; /* ticks at the ends of the extreme samples */
    uint64_t cut;                  /* number of samples without start or end */
    uint64_t cut_longest;
    uint64_t cut_seq, cut_ticks; /* event and tick at the end of the longest cut sample */
};

void spread_add(struct spread *spread, struct histogram_pool *pool, uint64_t value, uint64_t seq, uint64_t ticks);

/* Adds a sample whose start or end is not in the trace. value: the sample lasted at least this number of ticks. */
void spread_cut(struct spread *spread, uint64_t value, uint64_t seq, uint64_t ticks);

/* Samples of which only bounds are known. The spread contains these samples, too, with their most likely values. */
struct vague {
    uint64_t n;                  /* number of these samples */
    uint64_t low_min, low_max;   /* smallest and largest lower bound of these samples */
    uint64_t high_min, high_max; /* smallest and largest upper bound of these samples; UINT64_MAX: no upper bound */
    uint64_t less, more;         /* true sum: from (sum in the spread) - less to (sum in the spread) + more */
    uint64_t perhaps; /* number of further samples that may exist, each at most high_max; UINT64_MAX: any number */
};

void spread_add_vague(struct spread *spread, struct vague *vague, struct histogram_pool *pool, const uint64_t bounds[2],
                      uint64_t value, uint64_t seq, uint64_t ticks);

/* Makes all earlier samples vague: from now on only their bounds are known. high: smallest and largest upper bound.
 * more: how much larger the true sum may be. */
void spread_doubt(const struct spread *spread, struct vague *vague, const uint64_t high[2], uint64_t more);

/* Notes that another sample may exist. most: the largest value that it may have. */
void spread_perhaps(struct vague *vague, uint64_t most);

#endif
