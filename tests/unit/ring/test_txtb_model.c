/* SPDX-License-Identifier: MIT */
/*
 * The ring reader, with a writer that may make any number of stores between any two words read. Every event must be
 * delivered once, in order and intact, or be counted.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "ring/txtb_model.h"
#include "sanitized.h"
#include "seeds.h"

#define RUNS_MANY 1000

Test(ring_model, every_event_is_delivered_once_intact_or_counted)
{
    static struct ring_run run;
    uint64_t seed = setting("TXTAP_SEED", 1);
    uint64_t runs = setting("TXTAP_RUNS", 20000 / RUNS_DIVISOR);
    uint64_t delivered = 0, lost = 0, inexact = 0;

    for (uint64_t i = 0; i < runs; i++) {
        ring_model_run(&run, seed + i);
        delivered += run.stream.delivered;
        lost += run.stream.lost;
        inexact += run.stream.inexact_gaps;
        cr_assert_null(run.stream.violation,
                       "seed %" PRIu64 ": %s (ring of %u, event %" PRIu64 " of %" PRIu64 ", laps %s)", seed + i,
                       run.stream.violation, run.target.entries, run.number, run.target.written,
                       run.target.counts_laps ? "counted" : "not counted");
    }
    fprintf(stderr,
            "ring_model: seeds %" PRIu64 "..%" PRIu64 ": %" PRIu64 " events delivered, %" PRIu64
            " counted as lost, %" PRIu64 " gaps of \"at least\"\n",
            seed, seed + runs - 1, delivered, lost, inexact);
    if (runs >= RUNS_MANY) /* one seed alone may deliver few events */
        cr_assert(delivered > 10 * runs && lost > runs && inexact > 0, "the runs did not exercise the reader");
}

/* Seeds of earlier violations. */
Test(ring_model, seeds_that_failed_once)
{
    static const uint64_t seeds[] = {
        645,       /* attached at lap 0, while the writer was at the end of its first lap */
        810,       /* a lap between reading the header and the first entries of a trace that had not wrapped */
        1022,      /* exactly one lap between these two reads, and then the writer rests */
        13,        /* another trace's lap count, read second, after the first trace's count has wrapped */
        42477,     /* a fast writer before anything was read: the reader must leave nothing out, and not stall */
        70592,     /* the same */
        101318296, /* overtaken while only empty slots had been read */
        710600035, /* another trace while the reader has left out the slots that the trace emptied */
        721781530, /* the same */
        891198818, /* the same, and the new lap count looks like the old lap count after its wrap */
    };
    static struct ring_run run;

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        ring_model_run(&run, seeds[i]);
        cr_assert_null(run.stream.violation, "seed %" PRIu64 ": %s", seeds[i], run.stream.violation);
    }
}
