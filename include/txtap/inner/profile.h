/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Counts samples of the program counter by thread, function, source line and inlined function. Each share has a
 * confidence interval. Samples that follow each other are often in the same function because it runs longer than the
 * time between two samples. Such samples are not independent, so the interval is computed from the runs of equal
 * samples and not only from their number.
 */
#ifndef TXTAP_INNER_PROFILE_H
#define TXTAP_INNER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/exporter.h"
#include "txtap/status.h"

/* A function at an address. Strings are borrowed and must stay valid as long as the profile. */
struct txtap_profile_frame {
    const char *function; /* NULL: unknown */
    const char *file;     /* path of the source file; NULL: unknown */
    uint32_t line;        /* 0: unknown */
};

#define TXTAP_PROFILE_FRAMES_MAX 8u

/*
 * The context in which the code ran: the address of a thread, an interrupt, or one of these constants. Addresses of
 * threads are multiples of 4.
 */
#define TXTAP_PROFILE_NO_THREAD    0u
#define TXTAP_PROFILE_UNKNOWN      1u /* the thread changed during the read, or it is not known for other reasons */
#define TXTAP_PROFILE_ASLEEP       3u /* the core slept */
#define TXTAP_PROFILE_INTERRUPT(n) ((uint32_t)(n) << 2 | 2u) /* exception number n, above 0 */

static inline bool txtap_profile_is_interrupt(uint32_t context)
{
    return (context & 3u) == 2u;
}

static inline bool txtap_profile_is_thread(uint32_t context)
{
    return context != TXTAP_PROFILE_NO_THREAD && (context & 3u) == 0;
}

/* Names of code and contexts. */
struct txtap_profile_names {
    /* Gets the functions at an address: the innermost inlined function first, the function itself last. The line of a
     * frame is the line that runs, or the line of the call of the frame before it. Returns their number; 0: unknown. */
    size_t (*frames)(void *self, uint32_t pc, struct txtap_profile_frame frames[static TXTAP_PROFILE_FRAMES_MAX]);
    /* Writes the name of a thread or an interrupt into text[0..size), NUL-terminated; any bytes. False: no name. */
    bool (*context)(void *self, uint32_t context, char *text, size_t size);
    void *self;
};

/* The levels at which samples are counted. A sample is in one row of each level. */
enum txtap_profile_level {
    TXTAP_PROFILE_BY_CONTEXT,
    TXTAP_PROFILE_BY_FUNCTION,         /* the function in the firmware's symbol table */
    TXTAP_PROFILE_BY_FUNCTION_CONTEXT, /* the function, separately for each context */
    TXTAP_PROFILE_BY_LINE,             /* the chain of inlined functions, and the line in the innermost function */
    TXTAP_PROFILE_BY_INLINED,          /* the chain of inlined functions, innermost first */
    TXTAP_PROFILE_BY_STACK,            /* the chain, separately for each context */
    TXTAP_PROFILE_LEVELS
};

/* Private: runs of consecutive samples in a row, and the gaps between the runs, in samples. */
struct txtap_profile_runs {
    uint64_t first;                     /* number of the first sample of the row */
    uint64_t begin, last;               /* numbers of the first and last sample of the current run */
    uint64_t count;                     /* runs, with the current run */
    double runs2, gaps2, runs_and_gaps; /* sums of run * run, gap * gap and run * gap, for complete pairs */
};

struct txtap_profile_row {
    uint8_t level;    /* enum txtap_profile_level */
    uint32_t context; /* valid at the levels BY_CONTEXT, BY_FUNCTION_CONTEXT and BY_STACK */
    uint32_t site;    /* index of a site with the functions and the line of this row */
    uint64_t samples;
    struct txtap_profile_runs runs; /* private */
};

/* Samples at an address in a context. */
struct txtap_profile_site {
    uint32_t pc, context;
    uint64_t samples;
    uint32_t rows[TXTAP_PROFILE_LEVELS]; /* indices */
    uint8_t frame_count;                 /* at least 1 */
    struct txtap_profile_frame frames[TXTAP_PROFILE_FRAMES_MAX];
};

#define TXTAP_PROFILE_SITES_MAX 16384u
#define TXTAP_PROFILE_ROWS_MAX  32768u
#define TXTAP_PROFILE_SLOTS     65536u /* of a hash table; a power of two, above SITES_MAX and ROWS_MAX */

struct txtap_profile_order {
    uint64_t samples;
    uint32_t row; /* index in rows[] */
};

/* The caller allocates this struct (8 MiB) and initializes it with txtap_profile_init(). */
struct txtap_profile {
    struct txtap_profile_names names;
    uint64_t samples;   /* all samples, including dropped samples */
    uint64_t dropped;   /* samples at other addresses, after all sites or rows were used */
    uint64_t asleep;    /* samples while the core slept */
    uint64_t unclear;   /* samples whose context is not known */
    uint64_t moves;     /* how often the address differed from the address of the sample before */
    uint64_t switches;  /* how often the function or context changed from one sample to the next */
    double duration_us; /* host time from the first to the last sample; set by the caller; 0: not known */
    size_t site_count, row_count;

    /* private */
    uint32_t last_site;
    uint32_t site_slots[TXTAP_PROFILE_SLOTS], row_slots[TXTAP_PROFILE_SLOTS]; /* index + 1; 0: free */
    uint32_t function_slots[TXTAP_PROFILE_SLOTS]; /* functions that pprof's format has written */
    struct txtap_profile_site sites[TXTAP_PROFILE_SITES_MAX];
    struct txtap_profile_row rows[TXTAP_PROFILE_ROWS_MAX];
    struct txtap_profile_order order[TXTAP_PROFILE_ROWS_MAX]; /* result of txtap_profile_sort() */
};

void txtap_profile_init(struct txtap_profile *profile, struct txtap_profile_names names);

/* Counts a sample. pc is ignored if context is TXTAP_PROFILE_ASLEEP. */
void txtap_profile_add(struct txtap_profile *profile, uint32_t pc, uint32_t context);

/* A share of all samples with its 95 % confidence interval (Wilson). All values are from 0 to 1. */
struct txtap_profile_share {
    double share, low, high;
    double effective; /* number of independent samples with the same certainty */
};

struct txtap_profile_share txtap_profile_share(const struct txtap_profile *profile,
                                               const struct txtap_profile_row *row);

/* Returns half the width of the widest interval of all functions; 1 without samples. */
double txtap_profile_uncertainty(const struct txtap_profile *profile);

/* Sets order[] to the rows of a level, the row with the most samples first. Returns their number. */
size_t txtap_profile_sort(struct txtap_profile *profile, enum txtap_profile_level level);

/* Returns the function of a row, "(asleep)" or "(unknown)". */
const char *txtap_profile_function(const struct txtap_profile *profile, const struct txtap_profile_row *row);

#define TXTAP_PROFILE_NAME_BYTES 192u

/* Writes the name of a context: "sampler", "0x20000100", "interrupt 15", "(no thread)", "(asleep)", "(unknown)". The
 * text may contain any bytes of the target. */
void txtap_profile_context_name(const struct txtap_profile *profile, uint32_t context,
                                char text[static TXTAP_PROFILE_NAME_BYTES]);

/* ---- formats ---- */

/* Writes lines "thread;outer function;inlined function COUNT", as flamegraph.pl and speedscope read them. */
enum txtap_status txtap_profile_folded(struct txtap_profile *profile, struct txtap_writer writer);

/* Writes a JSON object: totals and the rows of each level with their intervals. */
enum txtap_status txtap_profile_json(struct txtap_profile *profile, struct txtap_writer writer);

/* Writes a message of pprof's profile.proto, without compression. */
enum txtap_status txtap_profile_pprof(struct txtap_profile *profile, struct txtap_writer writer);

#endif
