/* SPDX-License-Identifier: MIT */
/* Compares patterns with what the figures are about. */
#include "command/report/report_patterns.h"

#include <string.h>

#include "base/option_values.h"
#include "txtap/pattern.h"
#include "txtap/registry.h"

bool report_pattern_means(const char *pattern, const struct txtap_subject *subject, const char *name)
{
    uint32_t address;
    char *end;

    if (option_u32(pattern, &address, &end) && *end == '\0' && address == subject->number)
        return true;
    return *name != '\0' ? txtap_pattern_matches(pattern, name) : strcmp(pattern, "*") == 0;
}

static void add(struct report_patterns *patterns, const char *option, const char *pattern, uint8_t type)
{
    struct report_pattern *of = &patterns->at[patterns->count++];

    *of = (struct report_pattern){.option = option, .pattern = pattern, .type = type};
    similar_init(&of->similar, pattern);
}

void report_patterns_init(struct report_patterns *patterns, const struct report_options *options)
{
    patterns->count = 0;
    if (options->thread != NULL)
        add(patterns, "--thread", options->thread, TXTAP_OBJECT_THREAD);
    for (uint32_t i = 0; i < options->period_count; i++)
        add(patterns, "--period", options->periods[i].thread, TXTAP_OBJECT_THREAD);
    for (uint32_t i = 0; i < options->lock_count; i++)
        add(patterns, "--semaphore-as-lock", options->locks[i], TXTAP_OBJECT_SEMAPHORE);
}

void report_patterns_take(struct report_patterns *patterns, const struct txtap_subject *subject, const char *name)
{
    if (subject->kind != TXTAP_SUBJECT_THREAD && subject->kind != TXTAP_SUBJECT_OBJECT)
        return;
    for (size_t i = 0; i < patterns->count; i++) {
        struct report_pattern *of = &patterns->at[i];

        if (of->type != subject->type || of->found)
            continue;
        of->found = report_pattern_means(of->pattern, subject, name);
        if (*name != '\0')
            similar_offer(&of->similar, name);
    }
}

enum txtap_status report_patterns_end(const struct report_patterns *patterns, struct error *error)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct report_pattern *of = &patterns->at[i];
        char text[SIMILAR_TEXT_BYTES], shown[128];

        if (!of->found)
            return failure(error, TXTAP_ERROR_USAGE, "%s: no %s in this trace is '%s'%s", of->option,
                           txtap_object_type_name(of->type),
                           printable(shown, sizeof shown, of->pattern, strlen(of->pattern)),
                           similar_text(&of->similar, text));
    }
    return TXTAP_OK;
}
