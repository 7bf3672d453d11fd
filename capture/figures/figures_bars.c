/* SPDX-License-Identifier: MIT */
/* How the samples of a figure are spread, as bars. */
#include <inttypes.h>
#include <string.h>

#include "figures/figures.h"
#include "figures/quantity.h"

#define BARS_MAX    10
#define BAR_COLUMNS 50
#define TEXT_BYTES  (8 * FIGURE_NAME_BYTES)

/* Of a whole report those that are asked for most often; of sections that are named all. */
static bool is_wanted(const struct figures *figures, const struct txtap_figure *figure)
{
    static const char *const usual[] = {"wake", "run", "response"};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(figure->name, usual[i]) == 0)
            return figures->histograms != FIGURES_NO_HISTOGRAMS;
    return figures->histograms == FIGURES_ALL_HISTOGRAMS;
}

bool figures_has_bars(const struct figures *figures, const struct txtap_figure *figure)
{
    return is_wanted(figures, figure) && figure->stat[TXTAP_STAT_N].value >= 2;
}

static void show_bar(const struct figures *figures, const struct txtap_figure *figure, const struct txtap_bar *bar,
                     uint64_t most, FILE *out)
{
    static const char full[] = "##################################################";
    char from[QUANTITY_BYTES], to[QUANTITY_BYTES];
    int length = (int)((double)bar->count / (double)most * BAR_COLUMNS + 0.5);

    if (bar->count > 0 && length == 0)
        length = 1;
    quantity_text(from, (double)bar->from, figure->unit, figures->tick_hz);
    quantity_text(to, (double)bar->to, figure->unit, figures->tick_hz);
    fprintf(out, "  %15s %2s %-15s %9" PRIu64 "%s%.*s\n", from, bar->from == bar->to ? "" : "to",
            bar->from == bar->to ? "" : to, bar->count, length > 0 ? " " : "", length, full);
}

void figures_show_bars(const struct figures *figures, const struct named_figure *named, FILE *out)
{
    const struct txtap_figure *figure = &named->figure;
    struct txtap_bar bars[BARS_MAX];
    char subject[TEXT_BYTES], other[TEXT_BYTES];
    const char *of, *with;
    uint64_t most = 0;
    size_t count;

    if (!figures_has_bars(figures, figure))
        return;
    count = txtap_figure_bars(figure, bars, BARS_MAX);
    for (size_t i = 0; i < count; i++)
        most = bars[i].count > most ? bars[i].count : most;
    of = figures_subject_text(&figure->subject, named->subject, subject, sizeof subject);
    with = figures_subject_text(&figure->other, named->other, other, sizeof other);
    if (count > 0)
        fprintf(out, "  %s%s%.30s%s%.30s%s%s\n", figure->name, *of != '\0' ? " of " : "", of, *with != '\0' ? ", " : "",
                with, *figure->detail != '\0' ? ", " : "", figure->detail);
    for (size_t i = 0; i < count; i++)
        show_bar(figures, figure, &bars[i], most, out);
}
