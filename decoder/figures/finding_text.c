/* SPDX-License-Identifier: MIT */
/* Findings as sentences, and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "figures/json_parts.h"
#include "figures/sentence.h"
#include "txtap/inner/finding.h"
#include "txtap/inner/quantity.h"

static const struct {
    const char *name, *section, *words; /* section: the section of the report with more figures */
    const char *event;                  /* words before the event; NULL: no words */
} kinds[TXTAP_FINDING_KINDS] = {
    [TXTAP_FINDING_DEADLOCK] = {"deadlock", "deadlock", "deadlock", "closed by "},
    [TXTAP_FINDING_STACK_OUTSIDE] = {"stack_outside", "stack", "stack overflow", NULL},
    [TXTAP_FINDING_UNBOUNDED] = {"unbounded", "inversion", "unbounded priority inversion",
                                 "the longest wait lasted until "},
    [TXTAP_FINDING_LEAK] = {"leak", "pools", "leak", NULL},
    [TXTAP_FINDING_FAILED] = {"failed", "calls", "failed call", "first at "},
    [TXTAP_FINDING_STACK] = {"stack", "stack", "stack nearly full", NULL},
    [TXTAP_FINDING_QUEUE_FULL] = {"queue_full", "queues", "full queue", NULL},
    [TXTAP_FINDING_LATE] = {"late", "jobs", "late job", NULL},
    [TXTAP_FINDING_STORM] = {"storm", "interrupts", "interrupt storm", NULL},
    [TXTAP_FINDING_LOST] = {"lost", "trace", "lost events", NULL},
    [TXTAP_FINDING_POLLED] = {"polled", "calls", "call without result", "first at "},
};

const char *txtap_finding_kind_name(enum txtap_finding_kind kind)
{
    return kinds[kind].name;
}

const char *txtap_finding_section(enum txtap_finding_kind kind)
{
    return kinds[kind].section;
}

/* ---- parts of a sentence ---- */

/* Writes a number without bounds. */
static void say_value(struct sentence *sentence, double value, enum txtap_unit unit)
{
    say_number(sentence, &(struct txtap_measure){true, value, value, value}, unit);
}

static void say_times(struct sentence *sentence, const struct txtap_measure *count)
{
    say_number(sentence, count, TXTAP_UNIT_COUNT);
    say(sentence, count->value == 1 && !(count->upper > 1) ? " time" : " times");
}

/* Says who owns the object of a party, and since which event. */
static void say_owner(struct sentence *sentence, const struct txtap_finding_party *party)
{
    if (party->owner.kind != TXTAP_SUBJECT_THREAD)
        return;
    say(sentence, ", held by ");
    say_name(sentence, &party->owner);
    if (party->owned.known)
        say(sentence, " since event %" PRIu64, party->owned.seq);
}

static void say_deadlock(struct sentence *sentence, const struct txtap_finding *finding)
{
    for (uint32_t i = 0; i < finding->party_count; i++) {
        say(sentence, i > 0 ? "; " : "");
        say_name(sentence, &finding->parties[i].thread);
        say(sentence, " waits for ");
        say_object(sentence, &finding->parties[i].object);
        say_owner(sentence, &finding->parties[i]);
    }
    if (finding->parties_left_out > 0)
        say(sentence, "; %" PRIu32 " more thread%s", finding->parties_left_out,
            finding->parties_left_out == 1 ? " waits" : "s wait");
    if (finding->for_ever)
        say(sentence, "; they wait for ever");
}

static void say_unbounded(struct sentence *sentence, const struct txtap_finding *finding)
{
    say_name(sentence, &finding->parties[0].thread);
    say(sentence, " waited for ");
    say_object(sentence, &finding->parties[0].object);
    say_owner(sentence, &finding->parties[0]);
    say(sentence, ", while ");
    if (finding->party_count > 1)
        say_name(sentence, &finding->parties[1].thread);
    else
        say(sentence, "threads of lower priority");
    if (finding->parties_left_out > 0)
        say(sentence, " and %" PRIu32 " other%s", finding->parties_left_out, finding->parties_left_out > 1 ? "s" : "");
    say(sentence, " ran for ");
    say_number(sentence, &finding->value, finding->unit);
    say(sentence, " in all");
}

static void say_leak(struct sentence *sentence, const struct txtap_finding *finding)
{
    say_object(sentence, &finding->parties[0].object);
    say(sentence, ": %.0f blocks not released", finding->value.value);
    if (finding->parties[0].thread.kind == TXTAP_SUBJECT_SYSTEM)
        return;
    say(sentence, ", most of them by ");
    say_name(sentence, &finding->parties[0].thread);
}

static void say_failed(struct sentence *sentence, const struct txtap_finding *finding)
{
    say(sentence, "%s of ", finding->service);
    say_name(sentence, &finding->parties[0].thread);
    say(sentence, ", ");
    say_object(sentence, &finding->parties[0].object);
    say(sentence, finding->kind == TXTAP_FINDING_POLLED ? ": did not wait and got nothing " : ": failed ");
    say_times(sentence, &finding->count);
}

static void say_stack(struct sentence *sentence, const struct txtap_finding *finding)
{
    unsigned percent = finding->of.value > 0 ? (unsigned)(100 * finding->value.lower / finding->of.value) : 0;

    say_name(sentence, &finding->parties[0].thread);
    if (finding->kind == TXTAP_FINDING_STACK_OUTSIDE) {
        say(sentence, ": stack pointer outside the stack, ");
        say_times(sentence, &finding->count);
        return;
    }
    say(sentence, ": ");
    say_number(sentence, &finding->value, finding->unit);
    say(sentence, " of %.0f bytes, %u %%", finding->of.value, percent);
}

static void say_queue(struct sentence *sentence, const struct txtap_finding *finding)
{
    say_name(sentence, &finding->parties[0].object);
    say(sentence, ": %.0f of %.0f messages", finding->value.value, finding->of.value);
    if (finding->time.value > 0) {
        say(sentence, ", full for ");
        say_number(sentence, &finding->time, TXTAP_UNIT_TICKS);
    }
    if (finding->count.value > 0) {
        say(sentence, ", sends waited ");
        say_times(sentence, &finding->count);
    }
    if (finding->count_failed.value > 0) {
        say(sentence, ", sends failed ");
        say_times(sentence, &finding->count_failed);
    }
}

static void say_late(struct sentence *sentence, const struct txtap_finding *finding)
{
    static const char *const words[TXTAP_FINDING_PARTS] = {
        [TXTAP_FINDING_RUN] = "running",
        [TXTAP_FINDING_READY] = "ready, waiting for a core",
        [TXTAP_FINDING_INTERRUPTED] = "interrupted",
        [TXTAP_FINDING_MUTEX] = "waiting for a mutex",
    };
    unsigned most = 0;

    say_name(sentence, &finding->parties[0].thread);
    say(sentence, ": a job took ");
    say_number(sentence, &finding->value, finding->unit);
    say(sentence, ", the %s period is ", finding->nominal ? "given" : "median");
    say_value(sentence, finding->of.value, finding->unit);
    for (unsigned i = 1; i < TXTAP_FINDING_PARTS; i++)
        most = finding->parts[i].value > finding->parts[most].value ? i : most;
    if (!finding->parts[most].known)
        return;
    say(sentence, "; ");
    say_value(sentence, finding->parts[most].value, finding->unit);
    say(sentence, " %s", words[most]);
}

static void say_storm(struct sentence *sentence, const struct txtap_finding *finding)
{
    say_name(sentence, &finding->parties[0].thread);
    say(sentence, ": %.0f times, half of them within ", finding->count.value + 1);
    say_value(sentence, finding->value.value, finding->unit);
    say(sentence, " of the one before; the mean interval is ");
    say_value(sentence, finding->of.value, finding->unit);
}

static void say_place(struct sentence *sentence, const struct txtap_finding *finding)
{
    const char *words = kinds[finding->kind].event;
    char text[PLACE_BYTES];

    if (finding->at.known)
        say(sentence, "; %s%s", words != NULL ? words : "", place_text(text, &finding->at, sentence->tick_hz));
}

static void say_reason(struct sentence *sentence, const struct txtap_finding *finding)
{
    switch (finding->kind) {
    case TXTAP_FINDING_DEADLOCK:
        say_deadlock(sentence, finding);
        break;
    case TXTAP_FINDING_UNBOUNDED:
        say_unbounded(sentence, finding);
        break;
    case TXTAP_FINDING_LEAK:
        say_leak(sentence, finding);
        break;
    case TXTAP_FINDING_FAILED:
    case TXTAP_FINDING_POLLED:
        say_failed(sentence, finding);
        break;
    case TXTAP_FINDING_STACK_OUTSIDE:
    case TXTAP_FINDING_STACK:
        say_stack(sentence, finding);
        break;
    case TXTAP_FINDING_QUEUE_FULL:
        say_queue(sentence, finding);
        break;
    case TXTAP_FINDING_LATE:
        say_late(sentence, finding);
        break;
    case TXTAP_FINDING_STORM:
        say_storm(sentence, finding);
        break;
    default:
        say_number(sentence, &finding->count, TXTAP_UNIT_COUNT);
        say(sentence, " in %.0f gap%s", finding->of.value, finding->of.value == 1 ? "" : "s");
    }
    say_place(sentence, finding);
}

char *txtap_finding_text(char out[static TXTAP_FINDING_TEXT_BYTES], const struct txtap_finding *finding,
                         const struct txtap_finding_names *names, double tick_hz)
{
    struct sentence sentence = {.at = out, .size = TXTAP_FINDING_TEXT_BYTES, .names = names, .tick_hz = tick_hz};

    say(&sentence, "%s%s: ", finding->perhaps ? "perhaps a " : "", kinds[finding->kind].words);
    say_reason(&sentence, finding);
    return out;
}

char *txtap_finding_reason(char out[static TXTAP_FINDING_TEXT_BYTES], const struct txtap_finding *finding,
                           const struct txtap_finding_names *names, double tick_hz)
{
    struct sentence sentence = {.at = out, .size = TXTAP_FINDING_TEXT_BYTES, .names = names, .tick_hz = tick_hz};

    say_reason(&sentence, finding);
    return out;
}

/* ---- JSON ---- */

/* Adds a member for a thread or an object, if it is known. Returns the text before the next member. */
static const char *add_subject(struct txtap_figure_json *json, const char *before, const char *key,
                               const struct txtap_subject *subject, const struct txtap_finding_names *names)
{
    if (subject->kind == TXTAP_SUBJECT_SYSTEM)
        return before;
    figure_json_put(json, before);
    figure_json_subject(json, key, subject, names->name(names->self, subject));
    return ",";
}

static void add_party(struct txtap_figure_json *json, const struct txtap_finding_party *party,
                      const struct txtap_finding_names *names, bool first)
{
    const char *before = "";

    figure_json_put(json, first ? "{" : ",{");
    before = add_subject(json, before, "thread", &party->thread, names);
    before = add_subject(json, before, "object", &party->object, names);
    (void)add_subject(json, before, "owner", &party->owner, names);
    figure_json_put(json, "}");
}

static void add_finding(struct txtap_figure_json *json, const struct txtap_finding *finding,
                        const struct txtap_finding_names *names)
{
    const struct {
        const char *key;
        const struct txtap_measure *measure;
        enum txtap_unit unit;
    } numbers[] = {{"value", &finding->value, finding->unit},
                   {"of", &finding->of, finding->unit},
                   {"time", &finding->time, TXTAP_UNIT_TICKS},
                   {"count", &finding->count, TXTAP_UNIT_COUNT},
                   {"failed", &finding->count_failed, TXTAP_UNIT_COUNT},
                   {"run", &finding->parts[TXTAP_FINDING_RUN], TXTAP_UNIT_TICKS},
                   {"ready", &finding->parts[TXTAP_FINDING_READY], TXTAP_UNIT_TICKS},
                   {"interrupted", &finding->parts[TXTAP_FINDING_INTERRUPTED], TXTAP_UNIT_TICKS},
                   {"mutex", &finding->parts[TXTAP_FINDING_MUTEX], TXTAP_UNIT_TICKS}};
    char text[TXTAP_FINDING_TEXT_BYTES];

    figure_json_put(json, "{\"kind\":\"");
    figure_json_put(json, txtap_finding_kind_name(finding->kind));
    figure_json_put(json, "\",\"section\":\"");
    figure_json_put(json, txtap_finding_section(finding->kind));
    figure_json_put(json, "\",\"text\":");
    figure_json_string(json, txtap_finding_text(text, finding, names, json->tick_hz));
    figure_json_put(json, finding->perhaps ? ",\"certain\":false" : ",\"certain\":true");
    figure_json_put(json, ",\"parties\":[");
    for (uint32_t i = 0; i < finding->party_count; i++)
        add_party(json, &finding->parties[i], names, i == 0);
    figure_json_put(json, "],\"unit\":\"");
    figure_json_put(json, txtap_unit_name(finding->unit));
    figure_json_put(json, "\",\"numbers\":{");
    for (size_t i = 0, shown = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].measure->known)
            figure_json_measure(json, shown++ > 0 ? "," : "", numbers[i].key, numbers[i].measure,
                                numbers[i].unit == TXTAP_UNIT_TICKS);
    figure_json_put(json, "}");
    figure_json_place(json, "at", &finding->at);
    figure_json_span(json, &finding->span);
    figure_json_put(json, "}");
}

enum txtap_status txtap_figure_json_findings(struct txtap_figure_json *json, const struct txtap_findings *findings,
                                             const struct txtap_finding_names *names)
{
    char number[32];

    figure_json_put(json, ",\n\"findings\":[");
    for (size_t i = 0; i < findings->count; i++) {
        figure_json_put(json, i > 0 ? ",\n" : "\n");
        add_finding(json, &findings->at[i], names);
    }
    snprintf(number, sizeof number, "%" PRIu64, findings->left_out);
    figure_json_put(json, "],\"findings_left_out\":");
    figure_json_put(json, number);
    return json->status;
}
