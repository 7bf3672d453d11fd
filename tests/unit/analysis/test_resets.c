/* SPDX-License-Identifier: MIT */
/* Analyses of traces in which a reset of the target hides events. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "model/event_ids.h"
#include "txtap/analysis.h"

static struct txtap_analysis_summary summary;
static double faults; /* the figure */

static enum txtap_status take_figure(void *self, const struct txtap_figure *figure)
{
    (void)self;
    if (figure->id == TXTAP_FIGURE_FAULTS)
        faults = figure->stat[TXTAP_STAT_N].value;
    return TXTAP_OK;
}

static void analyse(enum txtap_mark_kind kind)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {0};
    struct txtap_analysis *analysis = txtap_analysis_open(malloc(txtap_analysis_bytes(&limits, 0)), &limits, &options);
    struct txtap_item event = {.kind = TXTAP_ITEM_EVENT, .event = {.thread = 0x20000100, .id = EVENT_RUNNING}};
    struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.kind = kind, .text = ""}};

    for (uint64_t i = 0; i < 20; i++) {
        event.event.seq = event.event.ticks = i;
        txtap_analysis_take(analysis, &event);
        mark.mark.seq = i + 1;
        if (i == 9)
            txtap_analysis_take(analysis, &mark);
    }
    txtap_analysis_end(analysis);
    txtap_analysis_summary(analysis, &summary);
    faults = -1;
    txtap_analysis_figures(analysis, TXTAP_SECTION_BIT(TXTAP_SECTION_TRACE),
                           (struct txtap_figure_sink){take_figure, NULL});
    free(analysis);
}

Test(resets, events_just_before_a_reset_are_unknown)
{
    analyse(TXTAP_MARK_RESET);
    cr_assert_eq(summary.gaps, 1);
    cr_assert(!summary.lost_exact);
    analyse(TXTAP_MARK_MOVED);
    cr_assert(!summary.lost_exact);
}

Test(resets, other_marks_hide_nothing_or_only_time)
{
    analyse(TXTAP_MARK_ENABLED);
    cr_assert_eq(summary.gaps, 1);
    cr_assert(summary.lost_exact);
    analyse(TXTAP_MARK_TRIGGER);
    cr_assert_eq(summary.gaps, 0);
    cr_assert(summary.lost_exact);
}

Test(resets, faults_are_counted_and_hide_nothing)
{
    analyse(TXTAP_MARK_FAULT);
    cr_assert_eq(faults, 1);
    cr_assert_eq(summary.gaps, 0);
    cr_assert(summary.lost_exact);
    analyse(TXTAP_MARK_RESET);
    cr_assert_eq(faults, 0);
}
