/* SPDX-License-Identifier: MIT */
/* The changes for programs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/changes_show.h"
#include "compare/changes_words.h"
#include "compare/noise.h"
#include "txtap/inner/json_head.h"

static const char *json_kind(enum change_kind kind)
{
    static const char *const words[CHANGE_KINDS] = {
        [CHANGE_WORSE] = "worse",       [CHANGE_BETTER] = "better", [CHANGE_OTHER] = "changed",
        [CHANGE_UNSURE] = "may_differ", [CHANGE_NOISE] = "same",    [CHANGE_UNKNOWN] = "not_judged",
    };

    return words[kind];
}

static const char *unit_of(const struct changes *changes, const struct change *change)
{
    if (change->per_time)
        return changes->has_rate ? "per_second" : "per_tick";
    if (change->figure->figure.unit == TXTAP_UNIT_TICKS && changes->has_rate)
        return "seconds";
    return txtap_unit_name(change->figure->figure.unit);
}

static void put_run(FILE *out, const struct run *run)
{
    const struct txtap_analysis_summary *summary = &run->figures.summary;

    fputc('{', out);
    json_put_text(out, "trace", run->figures.trace);
    fprintf(out, ",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s", summary->events, summary->lost,
            summary->lost_exact ? "true" : "false");
    quantity_put_member(out, "observed", run_observed(run));
    fputc('}', out);
}

static void put_side(FILE *out, const char *key, const struct change_side *side)
{
    fprintf(out, ",\"%s\":{\"runs\":%zu", key, side->runs);
    quantity_put_member(out, "median", side->middle);
    quantity_put_member(out, "min", side->low);
    quantity_put_member(out, "max", side->high);
    quantity_put_member(out, "lower", side->lower);
    quantity_put_member(out, "upper", side->upper);
    fputc('}', out);
}

static void put_change(FILE *out, const struct changes *changes, const struct change *change)
{
    const struct txtap_figure *figure = &change->figure->figure;
    char name[CHANGE_NAME_BYTES];

    fputc('{', out);
    json_put_text(out, "number", change_name(name, change));
    fprintf(out, ",\"change\":\"%s\"", json_kind(change->kind));
    fprintf(out, ",\"section\":\"%s\",\"name\":\"%s\",\"kind\":\"%s\",", figure->section, figure->name,
            txtap_subject_kind_name(&figure->subject));
    json_put_text(out, "subject", change->figure->subject);
    fputc(',', out);
    json_put_text(out, "other", change->figure->other);
    fprintf(out, ",\"detail\":\"%s\",\"unit\":\"%s\"", figure->detail, unit_of(changes, change));
    put_side(out, "a", &change->side[0]);
    put_side(out, "b", &change->side[1]);
    quantity_put_member(out, "factor", change->factor);
    if (change->noise_known)
        quantity_put_member(out, "chance", change->chance);
    fputc('}', out);
}

static void put_only(FILE *out, const struct changes *changes, size_t side)
{
    for (size_t i = 0; i < changes->only_count[side]; i++) {
        char name[CHANGE_NAME_BYTES];

        fputs(i > 0 ? "," : "", out);
        fputc('{', out);
        json_put_text(out, "figure", figure_label(name, sizeof name, changes->only[side][i], ""));
        fprintf(out, ",\"kind\":\"%s\",", txtap_subject_kind_name(&changes->only[side][i]->figure.subject));
        json_put_text(out, "subject", changes->only[side][i]->subject);
        fprintf(out, ",\"subject_is_new\":%s}", changes_subject_is_only(changes, side, i) ? "true" : "false");
    }
}

void changes_show_json(const struct changes *changes, FILE *out)
{
    char verdict[CHANGES_VERDICT_BYTES], head[TXTAP_JSON_HEAD_BYTES];

    fprintf(out, "{%s,", txtap_json_head(head, TXTAP_SCHEMA_COMPARE));
    json_put_text(out, "verdict", changes_verdict(verdict, changes));
    fprintf(out, ",\"figures\":%zu,\"judged\":%zu,\"changed\":%zu,\"worse\":%zu,\"better\":%zu,\"may_differ\":%zu",
            changes->figures, changes->judged, changes_total(changes), changes->by_kind[CHANGE_WORSE],
            changes->by_kind[CHANGE_BETTER], changes->by_kind[CHANGE_UNSURE]);
    for (size_t side = 0; side < 2; side++) {
        fprintf(out, ",\n\"%s\":[", side == 0 ? "a" : "b");
        for (size_t i = 0; i < changes->sides[side].count; i++) {
            fputs(i > 0 ? ",\n" : "\n", out);
            put_run(out, &changes->sides[side].runs[i]);
        }
        fprintf(out, "\n],\n\"only_%s\":[", side == 0 ? "a" : "b");
        put_only(out, changes, side);
        fputc(']', out);
    }
    fputs(",\n\"numbers\":[", out);
    for (size_t i = 0; i < changes->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        put_change(out, changes, &changes->at[i]);
    }
    fputs("\n]}\n", out);
}

/* ---- github-action-benchmark ---- */

/* A larger number must be worse, so the used share of a stack is written instead of the free share. */
static void put_benchmark(FILE *out, const struct changes *changes, const struct change *change)
{
    const struct gate_rule *rule = gate_rule_of(change->figure->figure.name, change->figure->figure.detail);
    bool is_time = change->figure->figure.unit == TXTAP_UNIT_TICKS && !change->per_time && changes->has_rate;
    double scale = is_time ? 1e6 : 1, value = change->side[1].middle * scale;
    char name[CHANGE_NAME_BYTES], text[CHANGE_NUMBER_BYTES];

    if (rule->kind == GATE_STACK)
        value = 100 - value;
    fputc('{', out);
    json_put_text(out, "name",
                  rule->kind == GATE_STACK ? figure_label(name, sizeof name, change->figure, "used")
                                           : change_name(name, change));
    fprintf(out, ",\"unit\":\"%s\"", is_time ? "us" : unit_of(changes, change));
    quantity_put_member(out, "value", value);
    fputc(',', out);
    snprintf(text, sizeof text, "%.6g", (change->side[1].high - change->side[1].low) / 2 * scale);
    json_put_text(out, "range", text);
    fputc(',', out);
    snprintf(name, sizeof name, "%s; %zu run%s", json_kind(change->kind), change->side[1].runs,
             change->side[1].runs == 1 ? "" : "s");
    json_put_text(out, "extra", name);
    fputc('}', out);
}

/* Returns true if the number belongs into a history: a maximum does not, because it depends on chance. */
static bool is_history(const struct change *change)
{
    return change_is_gate(change) && change->stat != TXTAP_STAT_MAX && change->stat != TXTAP_STAT_MEAN;
}

void changes_show_benchmark(const struct changes *changes, FILE *out)
{
    const char *separator = "\n";

    fputc('[', out);
    for (size_t i = 0; i < changes->count; i++) {
        if (!is_history(&changes->at[i]))
            continue;
        fputs(separator, out);
        put_benchmark(out, changes, &changes->at[i]);
        separator = ",\n";
    }
    fputs("\n]\n", out);
}
