/* SPDX-License-Identifier: MIT */
/* Spans, causes and pieces as JSON. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "figures/json_parts.h"
#include "txtap/inner/why.h"

#define PIECE_BYTES 256u /* most bytes that one call of print() writes; figure_json_string() writes names and texts */

struct out {
    struct txtap_figure_json json;
    const struct txtap_why *why;
    const struct txtap_finding_names *names;
    double tick_hz;
};

static void print(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(struct out *out, const char *format, ...)
{
    char text[PIECE_BYTES];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    figure_json_put(&out->json, text);
}

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

/* Writes ,"KEY":"TEXT". */
static void put_text(struct out *out, const char *key, const char *text)
{
    print(out, ",\"%s\":", key);
    figure_json_string(&out->json, text);
}

/* Writes ,"KEY":{...}; nothing if the subject is unknown. */
static void put_subject(struct out *out, const char *key, const struct txtap_subject *subject)
{
    const char *name;

    if (subject->kind == TXTAP_SUBJECT_SYSTEM)
        return;
    name = out->names->name(out->names->self, subject);
    print(out, ",\"%s\":{\"kind\":\"%s\",\"number\":%" PRIu32, key, txtap_subject_kind_name(subject), subject->number);
    if (*name != '\0')
        put_text(out, "name", name);
    print(out, "}");
}

static void put_link(struct out *out, const struct txtap_why_link *link, bool first)
{
    print(out, "%s{\"reason\":\"%s\"", first ? "" : ",", txtap_wait_name(link->reason));
    put_subject(out, "object", &link->object);
    put_subject(out, "thread", &link->thread);
    if (link->since.known)
        print(out, ",\"since\":%" PRIu64, link->since.seq);
    print(out, "}");
}

static void put_piece(struct out *out, const struct txtap_why_piece *piece, const struct txtap_subject *thread,
                      bool group)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    print(out, "{\"ticks\":%" PRIu64, piece->ticks);
    if (piece->seq != TXTAP_WHY_NO_EVENT)
        print(out, ",\"event\":%" PRIu64, piece->seq);
    if (group)
        print(out, ",\"count\":%" PRIu32, piece->count);
    else
        print(out, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64, piece->from, piece->to);
    print(out, ",\"before\":%s,\"state\":\"%s\"", boolean(piece->before), txtap_why_state_name(piece->state));
    put_subject(out, "thread", &piece->thread);
    put_subject(out, "by", &piece->by);
    if (piece->state == TXTAP_WHY_WAITED) {
        print(out, ",\"reason\":\"%s\"", txtap_wait_name(piece->reason));
        put_subject(out, "object", &piece->object);
        print(out, ",\"circle\":%s,\"deep\":%s", boolean(piece->circle), boolean(piece->deep));
    }
    if (piece->priority_known)
        print(out, ",\"priority\":%" PRIu32, piece->priority);
    put_subject(out, "woken_by", &piece->waker);
    if (piece->waker.kind != TXTAP_SUBJECT_SYSTEM)
        print(out, ",\"woken\":%" PRIu64, piece->woken);
    print(out, ",\"chain\":[");
    for (unsigned i = 0; i < piece->link_count; i++)
        put_link(out, &piece->links[i], i == 0);
    print(out, "]");
    put_text(out, "text", txtap_why_piece_text(text, piece, out->names));
    put_text(out, "line", txtap_why_piece_line(text, piece, thread, out->names));
    print(out, "}");
}

static void put_notes(struct out *out, const struct txtap_why_summary *summary)
{
    const char *note;

    print(out, ",\"notes\":[");
    for (unsigned i = 0; (note = txtap_why_note(out->why, summary, i)) != NULL; i++) {
        print(out, i > 0 ? "," : "");
        figure_json_string(&out->json, note);
    }
    print(out, "]");
}

/* Writes the members of a summary, without braces. */
static void put_summary(struct out *out, const struct txtap_why_summary *summary)
{
    static const char *const kinds[] = {"job", "wait", "ready", "hold"};
    const struct txtap_why_span *span = &summary->span;
    char text[TXTAP_WHY_TEXT_BYTES];

    print(out, "\"cause\":");
    figure_json_string(&out->json, txtap_why_text(text, summary, out->names, out->tick_hz));
    print(out, ",\"kind\":\"%s\"", kinds[span->kind]);
    put_text(out, "span", txtap_why_span_text(text, summary, out->names, out->tick_hz));
    put_subject(out, "thread", &span->thread);
    put_subject(out, "object", &span->object);
    print(out, ",\"start\":{\"ticks\":%" PRIu64, span->start.ticks);
    if (!span->began_earlier)
        print(out, ",\"event\":%" PRIu64, span->start.seq);
    print(out, "},\"end\":{\"ticks\":%" PRIu64 ",\"event\":%" PRIu64 "},\"total\":%" PRIu64, span->end.ticks,
          span->end.seq, summary->total);
    if (span->before_known)
        print(out, ",\"before\":%" PRIu64, span->before);
    print(out, ",\"cause_ticks\":%" PRIu64 ",\"unknown_ticks\":%" PRIu64, summary->ticks, summary->unknown);
    print(out, ",\"began_earlier\":%s,\"open\":%s,\"gap\":%s,\"vague\":%s,\"too_long\":%s",
          boolean(span->began_earlier), boolean(span->open), boolean(span->gap), boolean(span->vague),
          boolean(span->too_long));
    put_notes(out, summary);
}

static void put_list(struct out *out, const char *key, const struct txtap_subject *thread, bool group)
{
    size_t count = group ? txtap_why_groups(out->why) : txtap_why_pieces(out->why);
    struct txtap_why_piece piece;

    print(out, ",\n\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        if (group)
            txtap_why_group(out->why, i, &piece);
        else
            txtap_why_piece(out->why, i, &piece);
        print(out, i > 0 ? ",\n" : "\n");
        put_piece(out, &piece, thread, group);
    }
    print(out, "]");
}

static void put_jobs(struct out *out)
{
    struct txtap_why_summary summary;
    const char *before = "\n{";

    print(out, "\"jobs\":[");
    for (uint32_t i = 0; i < txtap_why_threads(out->why); i++) {
        if (!txtap_why_worst(out->why, i, TXTAP_WHY_JOB, &summary))
            continue;
        print(out, "%s", before);
        put_summary(out, &summary);
        print(out, "}");
        before = ",\n{";
    }
    print(out, "]");
}

enum txtap_status txtap_why_json(const struct txtap_why *why, const struct txtap_finding_names *names, double tick_hz,
                                 struct txtap_writer writer)
{
    struct out out = {.json = {.writer = writer, .tick_hz = tick_hz}, .why = why, .names = names, .tick_hz = tick_hz};
    struct txtap_why_summary summary;

    if (txtap_why_summary(why, &summary)) {
        put_summary(&out, &summary);
        print(&out, ",\"merged\":%s", boolean(txtap_why_merged(why)));
        put_list(&out, "pieces", &summary.span.thread, false);
        put_list(&out, "groups", &summary.span.thread, true);
    } else {
        put_jobs(&out);
    }
    return out.json.status;
}
