/* SPDX-License-Identifier: MIT */
/*
 * Tests the ring reader with a writer that may make any number of stores between any two words read. Each event must
 * be delivered once, in order and intact, or be counted.
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
    if (runs >= RUNS_MANY) /* a single seed may deliver few events */
        cr_assert(delivered > 10 * runs && lost > runs && inexact > 0, "the runs did not exercise the reader");
}

/* Seeds of earlier violations. */
Test(ring_model, seeds_that_failed_once)
{
    static const uint64_t seeds[] = {
        645,       /* attached at lap count 0, while the writer was at the end of its first lap */
        810,       /* the first lap ended between the reads of the header and of the first entries */
        1022,      /* exactly one lap between these two reads, after which the writer rests */
        13,        /* the lap count is read second: it is from another trace, and the first trace's count has wrapped */
        42477,     /* a fast writer before anything was read: the reader must neither leave entries out nor stall */
        70592,     /* as 42477 */
        101318296, /* overtaken when the reader had read only empty slots */
        710600035, /* another trace has emptied slots, and the reader has left these slots out */
        721781530, /* as 710600035 */
        891198818, /* as 710600035; the new lap count looks like the old lap count after its wrap */
    };
    static struct ring_run run;

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        ring_model_run(&run, seeds[i]);
        cr_assert_null(run.stream.violation, "seed %" PRIu64 ": %s", seeds[i], run.stream.violation);
    }
}
