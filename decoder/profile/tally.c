/* SPDX-License-Identifier: MIT */
/*
 * Counts samples. A sample finds its site, an address in a context, in a hash table; the site has the rows of all
 * levels. Names are looked up only once for each site.
 *
 * The certainty of a share: the samples of a row come in runs, with gaps between them. A run and the gap after it are a
 * pair. The share is the sum of runs divided by the number of samples, a ratio whose variance follows from the pairs:
 * sum((run - share * (run + gap))^2) / samples^2. Independent samples give share * (1 - share) / samples. The quotient
 * of both is the number of samples that one independent sample is worth. A single pair tells nothing of the variance;
 * with few pairs, other bounds are used.
 */
#include "txtap/inner/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/heapsort.h"
#include "base/min_max.h"

#define NOWHERE    UINT32_MAX
#define PAIRS_FEW  8u
#define ASLEEP_PC  UINT32_MAX
#define Z          1.96 /* 95 % of a normal distribution are within 1.96 standard deviations */
#define FNV_BASIS  2166136261u
#define FNV_PRIME  16777619u
#define ROOT_STEPS 64

void txtap_profile_init(struct txtap_profile *profile, struct txtap_profile_names names)
{
    memset(profile, 0, sizeof *profile);
    profile->names = names;
    profile->last_site = NOWHERE;
}

/* ---- hashes ---- */

static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * FNV_PRIME;
    return hash;
}

static uint32_t hash_number(uint32_t hash, uint32_t number)
{
    return hash_bytes(hash, &number, sizeof number);
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
    return text != NULL ? hash_bytes(hash, text, strlen(text) + 1) : hash_number(hash, 0);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* ---- rows ---- */

/* The frames [first, last) of a site that identify its row at a level. */
struct part {
    size_t first, last;
    bool with_line; /* the line of the first frame, too */
};

static struct part part_of(const struct txtap_profile_site *site, enum txtap_profile_level level)
{
    switch (level) {
    case TXTAP_PROFILE_BY_CONTEXT:
        return (struct part){0, 0, false};
    case TXTAP_PROFILE_BY_LINE:
    case TXTAP_PROFILE_BY_INLINED:
    case TXTAP_PROFILE_BY_STACK:
        return (struct part){0, site->frame_count, level == TXTAP_PROFILE_BY_LINE};
    default:
        return (struct part){site->frame_count - 1u, site->frame_count, false};
    }
}

static bool has_context(enum txtap_profile_level level)
{
    return level == TXTAP_PROFILE_BY_CONTEXT || level == TXTAP_PROFILE_BY_FUNCTION_CONTEXT ||
           level == TXTAP_PROFILE_BY_STACK;
}

/* The core sleeps in no function; asleep samples have their own row at each level. */
static bool same_row(const struct txtap_profile *profile, const struct txtap_profile_row *row,
                     const struct txtap_profile_site *site, enum txtap_profile_level level)
{
    const struct txtap_profile_site *other = &profile->sites[row->site];
    struct part a = part_of(site, level), b = part_of(other, level);

    if (row->level != level || a.last - a.first != b.last - b.first ||
        (site->context == TXTAP_PROFILE_ASLEEP) != (other->context == TXTAP_PROFILE_ASLEEP) ||
        (has_context(level) && row->context != site->context))
        return false;
    for (size_t i = 0; i < a.last - a.first; i++) {
        const struct txtap_profile_frame *ours = &site->frames[a.first + i], *theirs = &other->frames[b.first + i];

        if (!same_text(ours->function, theirs->function) ||
            (a.with_line && i == 0 && (ours->line != theirs->line || !same_text(ours->file, theirs->file))))
            return false;
    }
    return true;
}

static uint32_t row_hash(const struct txtap_profile_site *site, enum txtap_profile_level level)
{
    struct part part = part_of(site, level);
    uint32_t hash = hash_number(FNV_BASIS, level);

    if (has_context(level))
        hash = hash_number(hash, site->context);
    for (size_t i = part.first; i < part.last; i++) {
        hash = hash_text(hash, site->frames[i].function);
        if (part.with_line && i == 0)
            hash = hash_number(hash_text(hash, site->frames[i].file), site->frames[i].line);
    }
    return hash;
}

/* Returns the index of the site's row at a level; NOWHERE: all rows are used. */
static uint32_t find_row(struct txtap_profile *profile, uint32_t site, enum txtap_profile_level level)
{
    const struct txtap_profile_site *of = &profile->sites[site];
    uint32_t slot = row_hash(of, level) % TXTAP_PROFILE_SLOTS;

    for (; profile->row_slots[slot] != 0; slot = (slot + 1) % TXTAP_PROFILE_SLOTS)
        if (same_row(profile, &profile->rows[profile->row_slots[slot] - 1], of, level))
            return profile->row_slots[slot] - 1;
    if (profile->row_count == TXTAP_PROFILE_ROWS_MAX)
        return NOWHERE;
    profile->rows[profile->row_count] = (struct txtap_profile_row){
        .level = (uint8_t)level, .context = has_context(level) ? of->context : TXTAP_PROFILE_UNKNOWN, .site = site};
    profile->row_slots[slot] = (uint32_t)++profile->row_count;
    return (uint32_t)profile->row_count - 1;
}

/* Counts sample number `number` in a row. */
static void hit(struct txtap_profile_row *row, uint64_t number)
{
    struct txtap_profile_runs *runs = &row->runs;

    if (row->samples++ > 0 && number == runs->last + 1) {
        runs->last = number;
        return;
    }
    if (runs->count++ == 0) {
        runs->first = number;
    } else {
        double run = (double)(runs->last + 1 - runs->begin), gap = (double)(number - runs->last - 1);

        runs->runs2 += run * run;
        runs->gaps2 += gap * gap;
        runs->runs_and_gaps += run * gap;
    }
    runs->begin = runs->last = number;
}

/* ---- sites ---- */

static void name_site(const struct txtap_profile *profile, struct txtap_profile_site *site)
{
    size_t count = 0;

    memset(site->frames, 0, sizeof site->frames);
    if (site->context != TXTAP_PROFILE_ASLEEP && profile->names.frames != NULL)
        count = profile->names.frames(profile->names.self, site->pc, site->frames);
    site->frame_count = (uint8_t)min_u64(count > 0 ? count : 1, TXTAP_PROFILE_FRAMES_MAX);
}

/* Returns the index of the site; NOWHERE: all sites or rows are used. */
static uint32_t find_site(struct txtap_profile *profile, uint32_t pc, uint32_t context)
{
    uint32_t slot = hash_number(hash_number(FNV_BASIS, pc), context) % TXTAP_PROFILE_SLOTS, index;
    struct txtap_profile_site *site;

    for (; profile->site_slots[slot] != 0; slot = (slot + 1) % TXTAP_PROFILE_SLOTS) {
        index = profile->site_slots[slot] - 1;
        if (profile->sites[index].pc == pc && profile->sites[index].context == context)
            return index;
    }
    if (profile->site_count == TXTAP_PROFILE_SITES_MAX ||
        profile->row_count > TXTAP_PROFILE_ROWS_MAX - TXTAP_PROFILE_LEVELS)
        return NOWHERE;
    index = (uint32_t)profile->site_count++;
    site = &profile->sites[index];
    *site = (struct txtap_profile_site){.pc = pc, .context = context};
    name_site(profile, site);
    for (int level = 0; level < TXTAP_PROFILE_LEVELS; level++)
        site->rows[level] = find_row(profile, index, (enum txtap_profile_level)level);
    profile->site_slots[slot] = index + 1;
    return index;
}

/* Notes whether the program moved since the last sample. */
static void note_moves(struct txtap_profile *profile, uint32_t site)
{
    const struct txtap_profile_site *last = profile->last_site != NOWHERE ? &profile->sites[profile->last_site] : NULL;
    const struct txtap_profile_site *now = site != NOWHERE ? &profile->sites[site] : NULL;

    if (profile->samples > 0 && site != profile->last_site) {
        profile->moves += last == NULL || now == NULL || last->pc != now->pc;
        profile->switches +=
            last == NULL || now == NULL ||
            last->rows[TXTAP_PROFILE_BY_FUNCTION_CONTEXT] != now->rows[TXTAP_PROFILE_BY_FUNCTION_CONTEXT];
    }
    profile->last_site = site;
}

void txtap_profile_add(struct txtap_profile *profile, uint32_t pc, uint32_t context)
{
    uint32_t site = find_site(profile, context == TXTAP_PROFILE_ASLEEP ? ASLEEP_PC : pc, context);

    note_moves(profile, site);
    profile->asleep += context == TXTAP_PROFILE_ASLEEP;
    profile->unclear += context == TXTAP_PROFILE_UNKNOWN;
    if (site == NOWHERE) {
        profile->dropped++;
    } else {
        profile->sites[site].samples++;
        for (int level = 0; level < TXTAP_PROFILE_LEVELS; level++)
            hit(&profile->rows[profile->sites[site].rows[level]], profile->samples);
    }
    profile->samples++;
}

/* ---- certainty ---- */

/* Returns the square root of a number that is not negative. */
static double root_of(double number)
{
    double root = number > 1 ? number : 1;

    for (int i = 0; i < ROOT_STEPS; i++)
        root = (root + number / root) / 2;
    return number > 0 ? root : 0;
}

/* Adds the last run and the gap after it, which continues before the first run. */
static struct txtap_profile_runs close_runs(const struct txtap_profile *profile, const struct txtap_profile_row *row)
{
    struct txtap_profile_runs runs = row->runs;
    double run = (double)(runs.last + 1 - runs.begin), gap = (double)(profile->samples - runs.last - 1 + runs.first);

    runs.runs2 += run * run;
    runs.gaps2 += gap * gap;
    runs.runs_and_gaps += run * gap;
    return runs;
}

/* Returns how many independent samples have the same certainty as all samples: from 1 to their number. */
static double effective_samples(const struct txtap_profile *profile, const struct txtap_profile_row *row)
{
    struct txtap_profile_runs runs = close_runs(profile, row);
    double all = (double)profile->samples, in = (double)row->samples, share = in / all, effective;

    if (row->samples == profile->samples) {
        effective = 1 + (double)profile->moves;
    } else if (runs.count < PAIRS_FEW) {
        /* The rarer of the two, runs or gaps, is a cluster of samples. The program must have switched, too: a program
         * that stays in one place for the whole time of a profile tells nothing of other times. */
        double cluster = share < 0.5 ? runs.runs2 / in : runs.gaps2 / (all - in);

        effective = all / cluster;
        if (effective > 1 + (double)profile->switches)
            effective = 1 + (double)profile->switches;
    } else {
        double squares = (1 - share) * (1 - share) * runs.runs2 - 2 * share * (1 - share) * runs.runs_and_gaps +
                         share * share * runs.gaps2;
        double pairs = (double)runs.count;

        squares *= pairs / (pairs - 1);
        effective = squares > 0 ? share * (1 - share) * all * all / squares : all;
    }
    return effective < 1 ? 1 : effective > all ? all : effective;
}

struct txtap_profile_share txtap_profile_share(const struct txtap_profile *profile, const struct txtap_profile_row *row)
{
    struct txtap_profile_share of = {.high = 1};
    double z2 = Z * Z, middle, half;

    if (row->samples == 0)
        return of;
    of.share = (double)row->samples / (double)profile->samples;
    of.effective = effective_samples(profile, row);
    middle = (of.share + z2 / (2 * of.effective)) / (1 + z2 / of.effective);
    half = Z / (1 + z2 / of.effective) *
           root_of(of.share * (1 - of.share) / of.effective + z2 / (4 * of.effective * of.effective));
    of.low = middle - half > 0 ? middle - half : 0;
    of.high = middle + half < 1 ? middle + half : 1;
    return of;
}

double txtap_profile_uncertainty(const struct txtap_profile *profile)
{
    double widest = profile->samples > 0 ? 0 : 1;

    for (size_t i = 0; i < profile->row_count; i++) {
        struct txtap_profile_share share;

        if (profile->rows[i].level != TXTAP_PROFILE_BY_FUNCTION)
            continue;
        share = txtap_profile_share(profile, &profile->rows[i]);
        if (share.high - share.low > 2 * widest)
            widest = (share.high - share.low) / 2;
    }
    return widest;
}

/* ---- results ---- */

static bool has_more(const void *a, const void *b)
{
    const struct txtap_profile_order *first = a, *second = b;

    return first->samples != second->samples ? first->samples > second->samples : first->row < second->row;
}

size_t txtap_profile_sort(struct txtap_profile *profile, enum txtap_profile_level level)
{
    size_t count = 0;

    for (uint32_t i = 0; i < profile->row_count; i++)
        if (profile->rows[i].level == level)
            profile->order[count++] = (struct txtap_profile_order){profile->rows[i].samples, i};
    heapsort_items(profile->order, count, sizeof *profile->order, has_more);
    return count;
}

const char *txtap_profile_function(const struct txtap_profile *profile, const struct txtap_profile_row *row)
{
    const struct txtap_profile_site *site = &profile->sites[row->site];
    const char *function = site->frames[row->level == TXTAP_PROFILE_BY_LINE ? 0 : site->frame_count - 1].function;

    if (site->context == TXTAP_PROFILE_ASLEEP)
        return "(asleep)";
    return function != NULL ? function : "(unknown)";
}

void txtap_profile_context_name(const struct txtap_profile *profile, uint32_t context,
                                char text[static TXTAP_PROFILE_NAME_BYTES])
{
    if (context == TXTAP_PROFILE_NO_THREAD)
        strcpy(text, "(no thread)");
    else if (context == TXTAP_PROFILE_ASLEEP)
        strcpy(text, "(asleep)");
    else if (context == TXTAP_PROFILE_UNKNOWN)
        strcpy(text, "(unknown)");
    else if (profile->names.context != NULL &&
             profile->names.context(profile->names.self, context, text, TXTAP_PROFILE_NAME_BYTES))
        return;
    else if (txtap_profile_is_interrupt(context))
        snprintf(text, TXTAP_PROFILE_NAME_BYTES, "interrupt %" PRIu32, context >> 2);
    else
        snprintf(text, TXTAP_PROFILE_NAME_BYTES, "0x%08" PRIx32, context);
}
