/* SPDX-License-Identifier: MIT */
/* The figures as bytes, and their comparison. */
#include "view/wasm/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_maker.h"
#include "compare/changes_show.h"
#include "view/wasm/report.h"

/* The first bytes. Figures follow: struct named_figure without borrowed pointers. */
struct head {
    double tick_hz;
    struct txtap_analysis_summary summary;
};

static void take(void *self, const struct txtap_figure *figure, const char *subject, const char *other)
{
    struct text *out = self;
    struct named_figure named = {.figure = *figure};

    (void)snprintf(named.subject, sizeof named.subject, "%s", subject);
    (void)snprintf(named.other, sizeof named.other, "%s", other);
    figures_detach(&(struct figures){.at = &named, .count = 1});
    text_add(out, (const char *)&named, sizeof named);
}

bool compare_figures(struct view_trace *trace)
{
    struct head head = {.tick_hz = trace->options.tick_hz};
    struct text figures = {.at = NULL};
    bool good = report_give(trace, take, &figures, &head.summary) && !figures.failed;

    text_clear(&trace->out);
    text_add(&trace->out, (const char *)&head, sizeof head);
    if (figures.length > 0)
        text_add(&trace->out, figures.at, figures.length);
    text_free(&figures);
    return good && !trace->out.failed;
}

static bool add_run(struct side *side, const struct compare_side *from)
{
    struct figures figures = {.trace = from->name};
    const char *at = from->figures;
    struct head head;
    struct error error;

    memcpy(&head, at, sizeof head);
    figures.tick_hz = head.tick_hz;
    figures.summary = head.summary;
    figures.count = figures.capacity = (from->length - sizeof head) / sizeof *figures.at;
    figures.at = malloc((figures.count + 1) * sizeof *figures.at);
    if (figures.at == NULL)
        return false;
    memcpy(figures.at, at + sizeof head, figures.count * sizeof *figures.at);
    if (side_add(side, &figures, &error) == TXTAP_OK)
        return true;
    figures_free(&figures);
    return false;
}

static bool write_changes(struct view_trace *trace, const struct changes *changes)
{
    struct text_maker maker;

    if (!text_maker_begin(&maker))
        return false;
    changes_show_page(changes, (const size_t[2]){0, 0}, maker.out);
    if (!text_maker_end(&maker))
        return false;
    text_add(&trace->out, maker.text, maker.length);
    free(maker.text);
    return !trace->out.failed;
}

static bool write_problem(struct view_trace *trace, const struct error *error)
{
    text_add(&trace->out, "{\"problem\":", strlen("{\"problem\":"));
    text_json(&trace->out, error->what);
    text_add(&trace->out, "}", 1);
    return !trace->out.failed;
}

static bool compare(struct view_trace *trace, const struct side sides[2])
{
    struct changes changes;
    struct error error = {0};
    bool good;

    if (changes_make(&changes, sides, -1, &error) != TXTAP_OK)
        return write_problem(trace, &error);
    good = write_changes(trace, &changes);
    changes_free(&changes);
    return good;
}

bool compare_sides(struct view_trace *trace, const struct compare_side sides[2])
{
    struct side made[2] = {{.label = "A"}, {.label = "B"}};
    bool good;

    text_clear(&trace->out);
    if (sides[0].length < sizeof(struct head) || sides[1].length < sizeof(struct head))
        return false;
    good = add_run(&made[0], &sides[0]) && add_run(&made[1], &sides[1]) && compare(trace, made);
    side_free(&made[0]);
    side_free(&made[1]);
    return good;
}
