/* SPDX-License-Identifier: MIT */
/* Names, numbers and kinds of changes. */
#include "compare/changes_words.h"

#include <math.h>
#include <string.h>

#include "txtap/inner/quantity.h"

static const char *statistic_of(const struct change *change)
{
    if (change->per_time)
        return "rate";
    return change->stat == TXTAP_STAT_VALUE ? "" : txtap_stat_name(change->stat);
}

char *change_name(char out[static CHANGE_NAME_BYTES], const struct change *change)
{
    return figure_label(out, CHANGE_NAME_BYTES, change->figure, statistic_of(change));
}

/* Writes a number with its unit. Times are in seconds, or in ticks if the rate is unknown. */
static char *number_text(char out[static CHANGE_NUMBER_BYTES], const struct change *change, double number)
{
    const struct txtap_figure *figure = &change->figure->figure;

    if (change->per_time)
        snprintf(out, CHANGE_NUMBER_BYTES, "%.4g%s", number, change->has_rate ? "/s" : "/tick");
    else
        quantity_short(out, number, figure->unit, change->has_rate);
    return out;
}

char *change_number(char out[static CHANGE_NUMBER_BYTES], const struct change *change, size_t side)
{
    const struct change_side *of = &change->side[side];
    char text[CHANGE_NUMBER_BYTES];

    snprintf(out, CHANGE_NUMBER_BYTES, "%s%.60s", isfinite(of->lower) && isfinite(of->upper) ? "" : "~",
             number_text(text, change, of->middle));
    return out;
}

char *change_spread(char out[static CHANGE_NUMBER_BYTES], const struct change *change, size_t side)
{
    const struct change_side *of = &change->side[side];

    if (of->runs < 2)
        *out = '\0';
    else
        number_text(out, change, (of->high - of->low) / 2);
    return out;
}

char *change_factor(char out[static CHANGE_NUMBER_BYTES], const struct change *change)
{
    if (isfinite(change->factor))
        snprintf(out, CHANGE_NUMBER_BYTES, "x %.3g", change->factor);
    else
        snprintf(out, CHANGE_NUMBER_BYTES, "-");
    return out;
}

char *change_subject(char out[static CHANGE_NAME_BYTES], const struct named_figure *named)
{
    char name[CHANGE_NAME_BYTES / 2];
    const char *text = txtap_subject_text(&named->figure.subject, named->subject, name, sizeof name);

    snprintf(out, CHANGE_NAME_BYTES, "%s%s%s",
             named->figure.subject.kind == TXTAP_SUBJECT_INTERRUPT ? ""
                                                                   : txtap_subject_kind_name(&named->figure.subject),
             named->figure.subject.kind == TXTAP_SUBJECT_INTERRUPT ? "" : " ", text);
    return out;
}

const char *change_kind_word(enum change_kind kind)
{
    static const char *const words[CHANGE_KINDS] = {
        [CHANGE_WORSE] = "worse", [CHANGE_BETTER] = "better", [CHANGE_OTHER] = "changed",
        [CHANGE_UNSURE] = "?",    [CHANGE_NOISE] = "",        [CHANGE_UNKNOWN] = "",
    };

    return words[kind];
}

bool change_is_gate(const struct change *change)
{
    const struct gate_rule *rule = gate_rule_of(change->figure->figure.name, change->figure->figure.detail);

    return rule != NULL && (!change->per_time || rule->kind == GATE_COUNT || rule->kind == GATE_FIRST);
}

/* ---- subjects of a single side ---- */

static bool is_same(const struct named_figure *a, const struct txtap_subject *subject, const char *name)
{
    return a->figure.subject.kind == subject->kind && a->figure.subject.type == subject->type &&
           strcmp(a->subject, name) == 0 && (*name != '\0' || a->figure.subject.number == subject->number);
}

bool changes_subject_is_only(const struct changes *changes, size_t side, size_t i)
{
    const struct named_figure *named = changes->only[side][i];
    const struct side *other = &changes->sides[1 - side];

    if (named->figure.subject.kind == TXTAP_SUBJECT_SYSTEM)
        return false;
    for (size_t j = 0; j < other->count; j++)
        for (size_t k = 0; k < other->runs[j].figures.count; k++)
            if (is_same(&other->runs[j].figures.at[k], &named->figure.subject, named->subject))
                return false;
    return true;
}

bool changes_subject_is_first(const struct changes *changes, size_t side, size_t i)
{
    const struct named_figure *named = changes->only[side][i];

    for (size_t j = 0; j < i; j++)
        if (is_same(changes->only[side][j], &named->figure.subject, named->subject))
            return false;
    return true;
}
