/* SPDX-License-Identifier: MIT */
/* A deadlock is found while it lasts, not only once the trace is over. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/event_ids.h"
#include "txtap/analysis.h"

#define A      0x20000100u
#define B      0x20000200u
#define FIRST  0x20001000u
#define SECOND 0x20002000u

static struct txtap_analysis *analysis;
static uint64_t now;

static void event(uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    const uint32_t info[4] = {i1, i2, i3, i4};
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){.seq = now, .ticks = now, .thread = thread, .id = id, .priority = 4};
    memcpy(item.event.info, info, sizeof info);
    now++;
    txtap_analysis_take(analysis, &item);
}

static enum txtap_status take(void *self, const struct txtap_figure *figure)
{
    double *count = self;

    if (figure->subject.kind == TXTAP_SUBJECT_SYSTEM && strcmp(figure->name, "deadlock") == 0)
        *count = figure->stat[TXTAP_STAT_N].value;
    return TXTAP_OK;
}

static double deadlocks(void)
{
    double count = 0;

    txtap_analysis_figures(analysis, "deadlock", (struct txtap_figure_sink){take, &count});
    return count;
}

Test(deadlock, counts_once_while_it_lasts_and_at_the_end)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {0};

    analysis = txtap_analysis_open(malloc(txtap_analysis_bytes(&limits)), &limits, &options);
    event(A, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, 0, 0);
    event(A, EVENT_THREAD_RELINQUISH, 0, B, 0, 0);
    event(B, EVENT_MUTEX_GET, SECOND, WAIT_FOREVER, 0, 0);
    event(B, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, A, 1);
    event(B, EVENT_THREAD_SUSPEND, B, REASON_MUTEX, 0, A);
    event(A, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(deadlocks(), 0);
    event(A, EVENT_MUTEX_GET, SECOND, WAIT_FOREVER, B, 1);
    event(A, EVENT_THREAD_SUSPEND, A, REASON_MUTEX, 0, 0);
    for (unsigned i = 0; i < 4; i++)
        event(0x20000300u, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(deadlocks(), 1);
    txtap_analysis_end(analysis);
    cr_assert_eq(deadlocks(), 1);
    free(analysis);
}
