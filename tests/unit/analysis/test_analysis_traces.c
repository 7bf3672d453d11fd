/* SPDX-License-Identifier: MIT */
/*
 * Real and made traces with known figures. Each line of data/analysis/NAME.figures has a figure and its statistics:
 *     name subject other detail statistic=value...
 * "-" means no value. "*" matches any value; counts and sums of all matching figures are then added up. at=: number of
 * the figure's event in the file. about=: a value rounded to four digits. TXTAP_ANALYSIS_DATA: a folder with more such
 * files.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/figure_list.h"

static struct figure_list list;
static const char *trace;
static unsigned wrong;

/* Returns true if the value is as expected. Percentiles and means may differ by the histogram's error and rounding. */
static bool is_value(enum txtap_stat stat, const struct txtap_measure *measure, double expected)
{
    bool percentile = stat == TXTAP_STAT_P50 || stat == TXTAP_STAT_P95 || stat == TXTAP_STAT_P99;

    if (percentile)
        return measure->lower <= expected && expected <= measure->upper && measure->upper <= expected * 1.032;
    if (stat == TXTAP_STAT_MEAN)
        return fabs(measure->value - expected) < 0.00051;
    return measure->value == expected;
}

static bool matches(const struct txtap_figure *figure, char *const words[4])
{
    return strcmp(figure->name, words[0]) == 0 && figure_subject_is(&figure->subject, words[1]) &&
           figure_subject_is(&figure->other, words[2]) &&
           (strcmp(words[3], "*") == 0 || strcmp(figure->detail, strcmp(words[3], "-") == 0 ? "" : words[3]) == 0);
}

/* Joins all matching figures into one figure. Returns false if no figure matches. */
static bool find(char *const words[4], struct txtap_figure *found)
{
    bool any = false;

    for (size_t i = 0; i < list.count; i++) {
        const struct txtap_figure *figure = &list.figures[i];

        if (!matches(figure, words))
            continue;
        if (!any)
            *found = *figure;
        for (unsigned stat = 0; any && stat < TXTAP_STATS; stat++)
            found->stat[stat].value += figure->stat[stat].value;
        any = true;
    }
    return any;
}

static void complain(const char *line, const char *word, const struct txtap_measure *measure)
{
    wrong++;
    if (measure != NULL)
        fprintf(stderr, "%s: %s: %s is not %g in [%g, %g]\n", trace, line, word, measure->value, measure->lower,
                measure->upper);
    else
        fprintf(stderr, "%s: %s: there is no such figure\n", trace, line);
}

static void check_word(const char *line, const char *word, const struct txtap_figure *figure)
{
    const char *value = strchr(word, '=');
    double expected = strtod(value + 1, NULL);

    if (strncmp(word, "at=", 3) == 0) {
        if (figure->max_at.seq - list.first_seq != (uint64_t)expected)
            complain(line, word, &(struct txtap_measure){.value = (double)(figure->max_at.seq - list.first_seq)});
        return;
    }
    if (strncmp(word, "about=", 6) == 0) {
        if (fabs(figure->stat[TXTAP_STAT_VALUE].value - expected) > 0.000051)
            complain(line, word, &figure->stat[TXTAP_STAT_VALUE]);
        return;
    }
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        const char *name = txtap_stat_name((enum txtap_stat)stat);

        if (strncmp(word, name, strlen(name)) == 0 && word + strlen(name) == value &&
            !is_value((enum txtap_stat)stat, &figure->stat[stat], expected))
            complain(line, word, &figure->stat[stat]);
    }
}

static void check_line(char *line)
{
    char whole[512], *words[4], *rest = line, *word;
    struct txtap_figure figure;

    snprintf(whole, sizeof whole, "%s", line);
    for (size_t i = 0; i < 4; i++)
        words[i] = strtok_r(rest, " ", &rest);
    if (!find(words, &figure)) {
        if (strstr(whole, " n=0") == NULL && strstr(whole, " value=0") == NULL)
            complain(whole, "", NULL);
        return;
    }
    while ((word = strtok_r(rest, " ", &rest)) != NULL)
        check_word(whole, word, &figure);
}

static void check_trace(const char *folder, const char *name)
{
    const char *const folders[] = {folder, TXTAP_TEST_DATA, TXTAP_TEST_UNPACKED};
    char path[4096], line[512];
    FILE *file;

    trace = name;
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s.trx", folders[i], name);
        if (access(path, R_OK) == 0)
            break;
    }
    figure_list_of_file(&list, path);
    snprintf(path, sizeof path, "%s/%s.figures", folder, name);
    file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (*line != '\0' && *line != '#')
            check_line(line);
    }
    fclose(file);
}

static unsigned check_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    unsigned traces = 0;

    cr_assert_not_null(directory, "%s", folder);
    while ((entry = readdir(directory)) != NULL) {
        char *end = strstr(entry->d_name, ".figures");

        if (end == NULL)
            continue;
        *end = '\0';
        check_trace(folder, entry->d_name);
        traces++;
    }
    closedir(directory);
    return traces;
}

Test(analysis, figures_of_known_traces_are_exact)
{
    const char *more = getenv("TXTAP_ANALYSIS_DATA");

    wrong = 0;
    cr_assert_geq(check_folder(TXTAP_TEST_DATA "/analysis"), 17);
    if (more != NULL)
        (void)check_folder(more);
    cr_assert_eq(wrong, 0, "%u figures are wrong", wrong);
}
