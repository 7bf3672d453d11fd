/* SPDX-License-Identifier: MIT */
#include "analysis/figure_list.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instances/instance_check.h"
#include "txtap/trace.h"

static enum txtap_status keep(void *self, const struct txtap_figure *figure)
{
    struct figure_list *list = self;

    cr_assert_lt(list->count, FIGURES_MAX);
    list->figures[list->count++] = *figure;
    return TXTAP_OK;
}

struct txtap_analysis *figure_list_analysis(const struct txtap_analysis_options *options)
{
    const struct txtap_analysis_limits limits = {
        .threads = 64, .objects = 128, .pairs = 512, .pages = 4096, .buckets = FIGURE_LIST_BUCKETS};
    void *memory = malloc(txtap_analysis_bytes(&limits, 0));
    struct txtap_analysis *analysis;

    cr_assert_not_null(memory);
    analysis = txtap_analysis_open(memory, &limits, options);
    instance_check_begin(analysis);
    return analysis;
}

void figure_list_end(struct figure_list *list, struct txtap_analysis *analysis)
{
    static struct txtap_analysis *last; /* freed at the next analysis, because the figures use its names */
    struct txtap_analysis_summary summary;

    list->count = 0;
    txtap_analysis_end(analysis);
    cr_assert_eq(txtap_analysis_figures(analysis, 0, (struct txtap_figure_sink){keep, list}), TXTAP_OK);
    txtap_analysis_summary(analysis, &summary);
    cr_assert_eq(summary.left_out, 0);
    instance_check_end(list);
    free(last);
    last = analysis;
}

static uint8_t *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;

    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*length);
    cr_assert_eq(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

void figure_list_of_file(struct figure_list *list, const char *path)
{
    static struct txtap_object objects[1024];
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    struct txtap_trace trace;
    struct txtap_item item;
    size_t length;
    uint8_t *bytes = load(path, &length);

    cr_assert_eq(txtap_trace_open(&trace, bytes, length, objects, 1024), TXTAP_OK, "%s", path);
    txtap_analysis_objects(analysis, &trace.registry);
    list->first_seq = UINT64_MAX;
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        if (item.kind == TXTAP_ITEM_EVENT && list->first_seq == UINT64_MAX)
            list->first_seq = item.event.seq;
        txtap_analysis_take(analysis, &item);
    }
    txtap_analysis_objects(analysis, &trace.registry);
    figure_list_end(list, analysis);
    free(bytes);
}

bool figure_subject_is(const struct txtap_subject *subject, const char *text)
{
    const char *number = strchr(text, ':');
    uint32_t value = (uint32_t)strtoul(number ? number + 1 : text, NULL, 0);

    switch (subject->kind) {
    case TXTAP_SUBJECT_THREAD:
    case TXTAP_SUBJECT_OBJECT:
        return strcmp(text, "*") == 0 || (!number && *text == '0' && value == subject->number);
    case TXTAP_SUBJECT_INTERRUPT:
        return strcmp(text, "*") == 0 || (strncmp(text, "isr:", 4) == 0 && value == subject->number);
    case TXTAP_SUBJECT_EVENT:
        return strcmp(text, "*") == 0 || (strncmp(text, "event:", 6) == 0 && value == subject->number);
    case TXTAP_SUBJECT_CORE:
        return strcmp(text, "*") == 0 || (strncmp(text, "core:", 5) == 0 && value == subject->number);
    default:
        return strcmp(text, "*") == 0 || strcmp(text, "-") == 0;
    }
}
