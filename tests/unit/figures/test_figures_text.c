/* SPDX-License-Identifier: MIT */
/* Figures as text. A share is shown with its bounds, in at most 80 columns. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figures.h"

#define NAME "a thread, whose name has 31 bytes"

/* Returns the last line of the figures' text. The trace has one share, which belongs to a thread. */
static const char *line_of(struct txtap_measure share)
{
    static char line[256];
    struct named_figure named = {
        .figure = {.section = "cpu",
                   .name = "cpu",
                   .detail = "",
                   .subject = {.kind = TXTAP_SUBJECT_THREAD, .type = TXTAP_OBJECT_THREAD, .number = 1},
                   .unit = TXTAP_UNIT_PERCENT,
                   .stat = {[TXTAP_STAT_VALUE] = share}},
        .subject = NAME};
    struct figures figures = {.at = &named, .count = 1};
    char *text = NULL, *from;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    figures_show_text(&figures, out);
    cr_assert_eq(fclose(out), 0);
    text[length - 1] = '\0'; /* removes the last newline */
    from = strrchr(text, '\n') + 1;
    cr_assert_lt(strlen(from), sizeof line);
    strcpy(line, from);
    free(text);
    return line + strspn(line, " ");
}

static const char *share_text(double value, double lower, double upper)
{
    const char *line = line_of((struct txtap_measure){true, value, lower, upper});

    cr_assert_leq(strlen(line), 78, "%s", line);
    cr_assert_eq(strncmp(line, NAME " ", strlen(NAME)), 0, "%s", line);
    line += strlen(NAME);
    return line + strspn(line, " ");
}

Test(figures_text, a_share_has_its_bounds_rounded_away_from_it)
{
    cr_assert_str_eq(share_text(2.5, 2.5, 2.5), "2.50%");
    cr_assert_str_eq(share_text(97.8, 12.006, 97.8), "97.80% (12.00 to 97.80)");
    cr_assert_str_eq(share_text(2.5625, 1.0039, 58.8003), "2.56% (1.00 to 58.81)");
    cr_assert_str_eq(share_text(2.5, 1, INFINITY), "2.50% (at least 1.00)");
    cr_assert_str_eq(share_text(100, 100, 25500), "100.00% (100.00 to 25500.00)");
}

Test(figures_text, a_share_that_is_not_recorded_has_no_number)
{
    struct named_figure named = {
        .figure = {.section = "cpu", .name = "interrupts", .detail = "", .unit = TXTAP_UNIT_PERCENT}};
    struct figures figures = {.at = &named, .count = 1};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    figures_show_text(&figures, out);
    cr_assert_eq(fclose(out), 0);
    cr_assert_not_null(strstr(text, "interrupts"));
    cr_assert_not_null(strstr(text, "not recorded"));
    cr_assert_null(strstr(text, "%"));
    free(text);
}
