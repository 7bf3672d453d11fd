/* SPDX-License-Identifier: MIT */
/* Makes a sentence from the result of each check. Every form of the results contains the same sentence. */
#include "figures/verdicts.h"

#include <stdlib.h>
#include <string.h>

#include "figures/reasons.h"
#include "txtap/inner/escape.h"

static void set_number(struct verdict *verdict, const struct check_entry *entry, double tick_hz)
{
    const struct txtap_measure *measure = &entry->result.measure;

    verdict->measured = measure->known;
    verdict->number = (struct verdict_number){measure->value, measure->lower, measure->upper,
                                              checks_limit(entry->check, tick_hz), checks_unit(entry->check)};
}

static void set(struct verdict *verdict, const struct checks *checks, size_t i, const struct figures *figures)
{
    const struct check_entry *entry = &checks->entries[i];
    char value[CHECKS_RESULT_BYTES] = "", reason[REASON_BYTES];

    verdict->verdict = entry->result.verdict;
    verdict->kind = entry->check->name;
    snprintf(verdict->check, sizeof verdict->check, "%s", entry->check->text);
    snprintf(verdict->subject, sizeof verdict->subject, "%s", entry->result.name);
    verdict->place = reason_text(reason, entry, figures);
    if (entry->result.matched > 0)
        checks_result_text(checks, i, value);
    snprintf(verdict->text, sizeof verdict->text, "%s%s%s", value, *value != '\0' && *reason != '\0' ? ": " : "",
             reason);
    set_number(verdict, entry, checks->rate.hz);
}

enum txtap_status verdicts_make(struct verdicts *verdicts, const struct checks *checks, const struct figures *figures,
                                size_t room, struct error *error)
{
    verdicts->figures = figures;
    verdicts->count = 0;
    verdicts->at = calloc(checks->count + room + 1, sizeof *verdicts->at);
    if (verdicts->at == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the results of the checks");
    for (size_t i = 0; i < checks->count; i++)
        set(verdicts_add(verdicts), checks, i, figures);
    return TXTAP_OK;
}

void verdicts_free(struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++)
        free(verdicts->at[i].lines);
    free(verdicts->at);
    *verdicts = (struct verdicts){0};
}

struct verdict *verdicts_add(struct verdicts *verdicts)
{
    return &verdicts->at[verdicts->count++];
}

void verdict_set_error(struct verdict *verdict, const struct error *error)
{
    char text[ERROR_TEXT_BYTES];

    verdict->verdict = TXTAP_VERDICT_UNDECIDED;
    verdict->is_error = true;
    verdict->line_count = 0;
    txtap_escape_terminal(verdict->text, sizeof verdict->text, error_text(error, text));
}

size_t verdicts_count(const struct verdicts *verdicts, enum txtap_verdict verdict)
{
    size_t count = 0;

    for (size_t i = 0; i < verdicts->count; i++)
        count += verdicts->at[i].verdict == verdict;
    return count;
}

enum exit_code verdicts_exit_code(const struct verdicts *verdicts)
{
    if (verdicts_count(verdicts, TXTAP_VERDICT_FAILED) > 0)
        return EXIT_CHECK_FAILED;
    for (size_t i = 0; i < verdicts->count; i++)
        if (verdicts->at[i].verdict == TXTAP_VERDICT_UNDECIDED && !verdicts->at[i].is_error)
            return EXIT_CHECK_UNDECIDED;
    return EXIT_DONE;
}
