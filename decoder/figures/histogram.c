/* SPDX-License-Identifier: MIT */
/* A log-linear histogram whose pages come from a pool. Octave 0 is [0, 32), octave k is [2^(k+4), 2^(k+5)). */
#include "figures/histogram.h"

#include <string.h>

#include "base/min_max.h"

#define BUCKET_BITS 5u /* 2^5 is HISTOGRAM_PAGE_BUCKETS */

void histogram_pool_init(struct histogram_pool *pool, struct histogram_page *pages, size_t capacity)
{
    *pool = (struct histogram_pool){pages, capacity < HISTOGRAM_PAGES_MAX ? capacity : HISTOGRAM_PAGES_MAX, 0};
}

/* Returns the number of bits of a value: 0 for 0. */
static unsigned bit_length(uint64_t value)
{
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

static unsigned octave_of(uint64_t value)
{
    unsigned length = bit_length(value);

    return length > BUCKET_BITS ? length - BUCKET_BITS : 0;
}

/* Returns log2 of the width of an octave's buckets. */
static unsigned width_bits(unsigned octave)
{
    return octave > 0 ? octave - 1 : 0;
}

static unsigned bucket_of(uint64_t value, unsigned octave)
{
    return (unsigned)(value >> width_bits(octave)) & (HISTOGRAM_PAGE_BUCKETS - 1);
}

uint32_t histogram_step(uint64_t value)
{
    unsigned octave = octave_of(value);

    return octave * HISTOGRAM_PAGE_BUCKETS + bucket_of(value, octave);
}

uint64_t histogram_step_low(uint32_t step)
{
    unsigned octave = step / HISTOGRAM_PAGE_BUCKETS;
    uint64_t index = step % HISTOGRAM_PAGE_BUCKETS;

    return octave >= HISTOGRAM_OCTAVES ? 0
                                       : (octave > 0 ? index + HISTOGRAM_PAGE_BUCKETS : index) << width_bits(octave);
}

/* Returns the counter of one bucket. Takes a page from the pool if needed. NULL: the pool has no page left. */
static uint32_t *count_at(struct histogram *histogram, struct histogram_pool *pool, unsigned octave, unsigned bucket)
{
    uint16_t *page = &histogram->page[octave];

    if (*page == 0) {
        if (pool->used == pool->capacity)
            return NULL;
        memset(&pool->pages[pool->used], 0, sizeof(pool->pages[0]));
        *page = (uint16_t)++pool->used;
    }
    return &pool->pages[*page - 1].count[bucket];
}

/* Adds n to the count of a bucket. Values that do not fit are counted in missed. */
static void count_more(struct histogram *histogram, struct histogram_pool *pool, unsigned octave, unsigned bucket,
                       uint32_t more)
{
    uint32_t *count = count_at(histogram, pool, octave, bucket);
    uint32_t fits = count == NULL ? 0 : (uint32_t)min_u64(more, UINT32_MAX - *count);

    if (fits > 0)
        *count += fits;
    histogram->missed += more - fits;
}

/* Adds n values, with their sum and their extremes. The values occurred after all values of the histogram. */
static void note_values(struct histogram *histogram, uint64_t n, uint64_t sum, uint64_t min, uint64_t min_event,
                        uint64_t max, uint64_t max_event)
{
    if (histogram->n == 0 || min < histogram->min) {
        histogram->min = min;
        histogram->min_event = min_event;
    }
    if (histogram->n == 0 || max > histogram->max) {
        histogram->max = max;
        histogram->max_event = max_event;
    }
    histogram->n += n;
    histogram->sum += min_u64(sum, UINT64_MAX - histogram->sum);
}

/* Like histogram_add(), but only for a value between minimum and maximum, which is the usual case. Returns false and
 * counts nothing if the value is outside, or if there is no room. */
static bool histogram_add_within(struct histogram *histogram, struct histogram_pool *pool, uint64_t value)
{
    unsigned octave = octave_of(value), page = histogram->page[octave];
    uint32_t *count;

    if (page == 0 || value < histogram->min || value > histogram->max || value > UINT64_MAX - histogram->sum)
        return false;
    count = &pool->pages[page - 1].count[bucket_of(value, octave)];
    if (*count == UINT32_MAX)
        return false;
    ++*count;
    histogram->n++;
    histogram->sum += value;
    return true;
}

void histogram_add(struct histogram *histogram, struct histogram_pool *pool, uint64_t value, uint64_t event)
{
    unsigned octave = octave_of(value);

    if (histogram_add_within(histogram, pool, value))
        return;
    note_values(histogram, 1, value, value, event, value, event);
    count_more(histogram, pool, octave, bucket_of(value, octave), 1);
}

void histogram_merge(struct histogram *histogram, struct histogram_pool *pool, const struct histogram *later)
{
    if (later->n == 0)
        return;
    note_values(histogram, later->n, later->sum, later->min, later->min_event, later->max, later->max_event);
    histogram->missed += later->missed;
    for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++) {
        for (unsigned bucket = 0; later->page[octave] != 0 && bucket < HISTOGRAM_PAGE_BUCKETS; bucket++) {
            uint32_t more = pool->pages[later->page[octave] - 1].count[bucket];

            if (more != 0)
                count_more(histogram, pool, octave, bucket, more);
        }
    }
}

bool histogram_next(const struct histogram *histogram, const struct histogram_pool *pool, size_t *position,
                    struct histogram_bucket *bucket)
{
    while (*position < (size_t)HISTOGRAM_OCTAVES * HISTOGRAM_PAGE_BUCKETS) {
        unsigned octave = (unsigned)(*position / HISTOGRAM_PAGE_BUCKETS);
        uint64_t index = *position % HISTOGRAM_PAGE_BUCKETS, low;
        uint32_t count;

        if (histogram->page[octave] == 0) {
            *position += HISTOGRAM_PAGE_BUCKETS;
            continue;
        }
        (*position)++;
        count = pool->pages[histogram->page[octave] - 1].count[index];
        if (count == 0)
            continue;
        low = histogram_step_low((uint32_t)(*position - 1));
        bucket->low = max_u64(low, histogram->min);
        bucket->high = min_u64(low + (((uint64_t)1 << width_bits(octave)) - 1), histogram->max);
        bucket->count = count;
        return true;
    }
    return false;
}

/* Returns ceil(percent / 100 * n). Computes it without an overflow of percent * n. */
static uint64_t nearest_rank(uint64_t n, unsigned percent)
{
    return n / 100 * percent + (n % 100 * percent + 99) / 100;
}

bool histogram_percentile(const struct histogram *histogram, const struct histogram_pool *pool, unsigned percent,
                          struct histogram_bucket *bucket)
{
    uint64_t rank = nearest_rank(histogram->n, percent), below = 0;
    struct histogram_bucket at;
    size_t position = 0;

    if (histogram->n == 0 || histogram->missed > 0)
        return false;
    while (histogram_next(histogram, pool, &position, &at)) {
        below += at.count;
        if (below >= rank) {
            *bucket = at;
            return true;
        }
    }
    return false;
}

/* ---- spreads ---- */

void spread_add(struct spread *spread, struct histogram_pool *pool, uint64_t value, uint64_t seq, uint64_t ticks)
{
    if (histogram_add_within(&spread->samples, pool, value))
        return;
    if (spread->samples.n == 0 || value < spread->samples.min)
        spread->min_ticks = ticks;
    if (spread->samples.n == 0 || value > spread->samples.max)
        spread->max_ticks = ticks;
    histogram_add(&spread->samples, pool, value, seq);
}

void spread_cut(struct spread *spread, uint64_t value, uint64_t seq, uint64_t ticks)
{
    if (spread->cut++ > 0 && value <= spread->cut_longest)
        return;
    spread->cut_longest = value;
    spread->cut_seq = seq;
    spread->cut_ticks = ticks;
}

void spread_add_vague(struct spread *spread, struct vague *vague, struct histogram_pool *pool, const uint64_t bounds[2],
                      uint64_t value, uint64_t seq, uint64_t ticks)
{
    spread_add(spread, pool, value, seq, ticks);
    vague->low_min = vague->n > 0 ? min_u64(vague->low_min, bounds[0]) : bounds[0];
    vague->low_max = max_u64(vague->low_max, bounds[0]);
    vague->high_min = vague->n > 0 ? min_u64(vague->high_min, bounds[1]) : bounds[1];
    vague->high_max = max_u64(vague->high_max, bounds[1]);
    vague->less += value - bounds[0];
    vague->more =
        bounds[1] == UINT64_MAX ? UINT64_MAX : vague->more + min_u64(bounds[1] - value, UINT64_MAX - vague->more);
    vague->n++;
}

void spread_perhaps(struct vague *vague, uint64_t most)
{
    vague->high_max = max_u64(vague->high_max, most);
    if (vague->perhaps < UINT64_MAX)
        vague->perhaps++;
}

void spread_doubt(const struct spread *spread, struct vague *vague, const uint64_t high[2], uint64_t more)
{
    if (spread->samples.n == 0)
        return;
    *vague = (struct vague){
        .n = spread->samples.n, .high_min = high[0], .high_max = high[1], .less = spread->samples.sum, .more = more};
}
