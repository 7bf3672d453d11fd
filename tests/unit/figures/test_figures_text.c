/* SPDX-License-Identifier: MIT */
/* Figures as text: bounds, names, and the width of a terminal. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figures.h"
#include "figures/text_table.h"

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

    cr_assert(figures_show_lists(&figures, TXTAP_SECTIONS_ALL, 80, out));
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

    cr_assert(figures_show_lists(&figures, TXTAP_SECTIONS_ALL, 80, out));
    cr_assert_eq(fclose(out), 0);
    cr_assert_not_null(strstr(text, "interrupts"));
    cr_assert_not_null(strstr(text, "not recorded"));
    cr_assert_null(strstr(text, "%"));
    free(text);
}

#define JOBS_SUBJECT                                                                                                   \
    {                                                                                                                  \
        .kind = TXTAP_SUBJECT_THREAD, .type = TXTAP_OBJECT_THREAD, .number = 1                                         \
    }

/* Returns the text of a thread's response times, which the caller frees. */
static char *response_text(const char *name, unsigned width)
{
    const struct txtap_measure some = {true, 12345, 12345, 12345};
    struct named_figure named = {.figure = {.section = "jobs",
                                            .id = TXTAP_FIGURE_RESPONSE,
                                            .name = "response",
                                            .detail = "",
                                            .subject = JOBS_SUBJECT,
                                            .unit = TXTAP_UNIT_TICKS,
                                            .max_at = {true, 1234567, 1234567890}}};
    struct figures figures = {.at = &named, .count = 1, .tick_hz = 1e6};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    snprintf(named.subject, sizeof named.subject, "%s", name);
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++)
        named.figure.stat[stat] = some;
    cr_assert(figures_show_lists(&figures, TXTAP_SECTIONS_ALL, width, out));
    cr_assert_eq(fclose(out), 0);
    return text;
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;

    for (; *text != '\0'; text += strcspn(text, "\n") + 1)
        longest = strcspn(text, "\n") > longest ? strcspn(text, "\n") : longest;
    return longest;
}

Test(figures_text, fits_into_the_terminal)
{
    for (unsigned width = 60; width < 140; width++) {
        char *text = response_text(NAME, width);

        cr_expect_leq(longest_line(text), width, "%s", text);
        free(text);
    }
}

Test(figures_text, a_name_is_cut_only_in_a_narrow_terminal)
{
    static const unsigned wide[] = {TEXT_ENDLESS, 120};
    char *text = response_text(NAME, 70);

    cr_expect_null(strstr(text, NAME));
    cr_expect_not_null(strstr(text, "~ "));
    free(text);
    for (size_t i = 0; i < 2; i++) {
        text = response_text(NAME, wide[i]);
        cr_expect_not_null(strstr(text, NAME " "));
        cr_expect_not_null(strstr(text, "p95"));
        free(text);
    }
}

Test(figures_text, has_words_and_the_name_for_checks)
{
    char *text = response_text("a", TEXT_ENDLESS);

    cr_expect_not_null(strstr(text, "response time of a job (response)\n"));
    free(text);
}

Test(figures_text, a_name_changes_no_direction)
{
    char *text = response_text("\xe2\x80\xae\x1b[31mgnp", TEXT_ENDLESS);

    cr_expect_null(strstr(text, "\xe2\x80\xae"));
    cr_expect_null(strchr(text, '\x1b'));
    cr_expect_not_null(strstr(text, "\\xe2\\x80\\xae\\x1b[31mgnp"));
    free(text);
}
