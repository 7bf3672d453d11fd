/* SPDX-License-Identifier: MIT */
/* Causes of figures of memory in words, and as JSON. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "figures/json_parts.h"
#include "figures/list.h"
#include "figures/sentence.h"
#include "txtap/inner/quantity.h"
#include "txtap/inner/why_memory.h"

/* ---- words ---- */

static void say_event(struct sentence *sentence, uint32_t id)
{
    const struct txtap_subject event = list_number(TXTAP_SUBJECT_EVENT, id);

    say_name(sentence, &event);
}

static void say_place(struct sentence *sentence, const struct txtap_place *place)
{
    char text[PLACE_BYTES];

    say(sentence, "%s", place_text(text, place, sentence->tick_hz));
}

static void say_step(struct sentence *sentence, const struct txtap_stack_step *step)
{
    say_place(sentence, &step->at);
    say(sentence, " (");
    say_event(sentence, step->event);
    say(sentence, ")");
}

static void say_used(struct sentence *sentence, const struct txtap_stack_cause *cause)
{
    const struct txtap_stack_step *deepest = cause->step_count > 0 ? &cause->steps[cause->step_count - 1] : NULL;
    uint32_t used = deepest != NULL ? deepest->used : 0;
    bool kernel = cause->kernel && cause->kernel_used >= used;

    if (kernel)
        used = cause->kernel_used;
    say_name(sentence, &cause->thread);
    say(sentence, " used %s%" PRIu32 " of %" PRIu32 " bytes of its stack",
        kernel && cause->kernel_exact ? "" : "at least ", used, cause->size);
    if (kernel)
        say(sentence, " according to the kernel");
    if (deepest == NULL)
        return;
    say(sentence, kernel ? "; the events show at most %" PRIu32 ", at " : ", at ", deepest->used);
    say_step(sentence, deepest);
    if (cause->growth.before.known)
        say(sentence, "; the use grew most, by %" PRIu32 " bytes, from its event %" PRIu64 " to event %" PRIu64,
            cause->growth.used - cause->growth.used_before, cause->growth.before.seq, cause->growth.at.seq);
}

char *txtap_stack_cause_text(char out[static TXTAP_MEMORY_TEXT_BYTES], const struct txtap_stack_cause *cause,
                             const struct txtap_finding_names *names, double tick_hz)
{
    struct sentence sentence = {.at = out, .size = TXTAP_MEMORY_TEXT_BYTES, .names = names, .tick_hz = tick_hz};

    *out = '\0';
    if (cause->outside > 0) {
        say(&sentence, "the stack pointer of ");
        say_name(&sentence, &cause->thread);
        say(&sentence, " was outside its stack %" PRIu64 " time%s, first at ", cause->outside,
            cause->outside == 1 ? "" : "s");
        say_place(&sentence, &cause->outside_at);
        say(&sentence, " (");
        say_event(&sentence, cause->outside_event);
        say(&sentence, ")");
    }
    if (cause->outside > 0 && (cause->step_count > 0 || cause->kernel))
        say(&sentence, "; ");
    if (cause->step_count > 0 || cause->kernel)
        say_used(&sentence, cause);
    return out;
}

static void say_thread(struct sentence *sentence, const struct txtap_subject *thread)
{
    if (thread->kind == TXTAP_SUBJECT_THREAD)
        say_name(sentence, thread);
    else
        say(sentence, "an unknown thread");
}

static void say_limits(struct sentence *sentence, const struct txtap_pool_cause *cause)
{
    if (cause->gaps)
        say(sentence, "; events were lost, so the trace may not show every release");
    if (cause->blocks_left_out > 0)
        say(sentence, "; %" PRIu64 " allocation%s had no room in the table, so their blocks may be held",
            cause->blocks_left_out, cause->blocks_left_out == 1 ? "" : "s");
}

char *txtap_pool_cause_text(char out[static TXTAP_MEMORY_TEXT_BYTES], const struct txtap_pool_cause *cause,
                            const struct txtap_finding_names *names, double tick_hz)
{
    struct sentence sentence = {.at = out, .size = TXTAP_MEMORY_TEXT_BYTES, .names = names, .tick_hz = tick_hz};
    const struct txtap_pool_holder *holder = &cause->holders[0];

    *out = '\0';
    if (holder->held == 0) {
        say_object(&sentence, &cause->pool);
        say(&sentence, ": each block that the trace shows was released");
        say_limits(&sentence, cause);
        return out;
    }
    say_thread(&sentence, &holder->thread);
    say(&sentence, " allocated %" PRIu64 " block%s of ", holder->allocated, holder->allocated == 1 ? "" : "s");
    say_object(&sentence, &cause->pool);
    if (holder->held == holder->allocated)
        say(&sentence, " and released none of them");
    else
        say(&sentence, ", of which %" PRIu64 " %s not released", holder->held, holder->held == 1 ? "was" : "were");
    say(&sentence, ", since ");
    say_place(&sentence, &holder->first);
    if (cause->held > holder->held)
        say(&sentence, "; other threads hold %" PRIu64, cause->held - holder->held);
    say_limits(&sentence, cause);
    return out;
}

/* ---- JSON ---- */

#define PIECE_BYTES 256u

static void print(struct txtap_figure_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(struct txtap_figure_json *json, const char *format, ...)
{
    char text[PIECE_BYTES];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    figure_json_put(json, text);
}

static void put_head(struct txtap_figure_json *json, const char *cause, const char *kind)
{
    print(json, "\"cause\":");
    figure_json_string(json, cause);
    print(json, ",\"kind\":\"%s\",", kind);
}

static void put_event(struct txtap_figure_json *json, uint32_t id)
{
    const struct txtap_subject event = list_number(TXTAP_SUBJECT_EVENT, id);
    char text[64];

    print(json, ",\"name\":");
    figure_json_string(json, txtap_subject_text(&event, "", text, sizeof text));
}

enum txtap_status txtap_stack_cause_json(const struct txtap_stack_cause *cause, const struct txtap_finding_names *names,
                                         double tick_hz, struct txtap_writer writer)
{
    struct txtap_figure_json json = {.writer = writer, .tick_hz = tick_hz};
    char text[TXTAP_MEMORY_TEXT_BYTES];

    put_head(&json, txtap_stack_cause_text(text, cause, names, tick_hz), "stack");
    figure_json_subject(&json, "thread", &cause->thread, names->name(names->self, &cause->thread));
    print(&json, ",\"size\":%" PRIu32 ",\"outside\":%" PRIu64, cause->size, cause->outside);
    figure_json_place(&json, "outside_at", &cause->outside_at);
    if (cause->kernel)
        print(&json, ",\"kernel_used\":%" PRIu32 ",\"kernel_exact\":%s", cause->kernel_used,
              cause->kernel_exact ? "true" : "false");
    print(&json, ",\"steps\":[");
    for (unsigned i = 0; i < cause->step_count; i++) {
        print(&json, "%s{\"used\":%" PRIu32, i > 0 ? ",\n" : "\n", cause->steps[i].used);
        put_event(&json, cause->steps[i].event);
        figure_json_place(&json, "at", &cause->steps[i].at);
        print(&json, "}");
    }
    print(&json, "]");
    return json.status;
}

enum txtap_status txtap_pool_cause_json(const struct txtap_pool_cause *cause, const struct txtap_finding_names *names,
                                        double tick_hz, struct txtap_writer writer)
{
    struct txtap_figure_json json = {.writer = writer, .tick_hz = tick_hz};
    char text[TXTAP_MEMORY_TEXT_BYTES];

    put_head(&json, txtap_pool_cause_text(text, cause, names, tick_hz), "pool");
    figure_json_subject(&json, "object", &cause->pool, names->name(names->self, &cause->pool));
    print(&json, ",\"allocated\":%" PRIu64 ",\"held\":%" PRIu64 ",\"gap\":%s,\"holders\":[", cause->allocated,
          cause->held, cause->gaps ? "true" : "false");
    for (unsigned i = 0; i < cause->holder_count; i++) {
        const struct txtap_pool_holder *holder = &cause->holders[i];

        print(&json, i > 0 ? ",\n{" : "\n{");
        figure_json_subject(&json, "thread", &holder->thread, names->name(names->self, &holder->thread));
        print(&json, ",\"allocated\":%" PRIu64 ",\"held\":%" PRIu64 ",\"bytes\":%" PRIu64, holder->allocated,
              holder->held, holder->bytes);
        figure_json_place(&json, "first", &holder->first);
        figure_json_place(&json, "last", &holder->last);
        print(&json, "}");
    }
    print(&json, "],\"holders_left_out\":%u,\"blocks_left_out\":%" PRIu64, cause->holders_left_out,
          cause->blocks_left_out);
    return json.status;
}
