/* SPDX-License-Identifier: MIT */
/* A graph of a trace's flow in Graphviz's language DOT. All names are quoted, with escapes that Graphviz knows. */
#include "txtap/inner/flow.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/quantity.h"
#include "txtap/registry.h"

#define WIDTH_MOST 6.0 /* width of the edge with the highest rate, in points */
#define NAME_BYTES TXTAP_ESCAPED_BYTES(TXTAP_CHANNEL_NAME_BYTES)

struct dot {
    struct txtap_writer writer;
    enum txtap_status status;
};

static void put(struct dot *dot, const char *text)
{
    if (dot->status == TXTAP_OK)
        dot->status = dot->writer.write(dot->writer.self, text, strlen(text));
}

static void print(struct dot *dot, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(struct dot *dot, const char *format, ...)
{
    char text[256];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put(dot, text);
}

/* Writes text inside a quoted label. In a label, Graphviz replaces \N and others, so each backslash is doubled. */
static void put_label(struct dot *dot, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            put(dot, "\\");
        put(dot, (char[]){*text, '\0'});
    }
}

static const char *shape_of(const struct txtap_subject *subject)
{
    switch (subject->kind) {
    case TXTAP_SUBJECT_THREAD:
        return "box";
    case TXTAP_SUBJECT_INTERRUPT:
        return "house";
    case TXTAP_SUBJECT_OBJECT:
        break;
    default:
        return "oval";
    }
    switch (subject->type) {
    case TXTAP_OBJECT_QUEUE:
        return "cds";
    case TXTAP_OBJECT_SEMAPHORE:
        return "diamond";
    case TXTAP_OBJECT_MUTEX:
        return "octagon";
    case TXTAP_OBJECT_EVENT_FLAGS:
        return "tab";
    default:
        return "cylinder"; /* a pool */
    }
}

/* Writes "queue, at most 3 of 8". */
static void put_kind(struct dot *dot, const struct txtap_flow_node *node)
{
    const struct txtap_measure *depth = &node->levels[TXTAP_FLOW_DEPTH];
    const struct txtap_measure *capacity = &node->levels[TXTAP_FLOW_CAPACITY];

    print(dot, "%s", txtap_subject_kind_name(&node->subject));
    if (depth->known)
        print(dot, ", %s%.0f", isinf(depth->upper) ? ">= " : "at most ", depth->value);
    if (depth->known && capacity->known)
        print(dot, " of %.0f", capacity->value);
}

static void put_node(struct dot *dot, uint32_t number, const struct txtap_flow_node *node, const char *name)
{
    char text[NAME_BYTES];

    print(dot, "  n%" PRIu32 " [shape=%s, label=\"", number, shape_of(&node->subject));
    put_label(dot, txtap_subject_text(&node->subject, name, text, sizeof text));
    put(dot, "\\n");
    put_kind(dot, node);
    put(dot, "\"];\n");
}

/* Writes a number; ">=" before it: only its lower bound is known. */
static void put_number(struct dot *dot, const char *before, const struct txtap_measure *measure, const char *after)
{
    char text[QUANTITY_SHORT_BYTES];

    print(dot, "%s%s%s%s", before, isinf(measure->upper) ? ">= " : "",
          quantity_short(text, isinf(measure->upper) ? measure->lower : measure->value, TXTAP_UNIT_COUNT, 0), after);
}

static void put_edge(struct dot *dot, const struct txtap_flow_edge *edge, double most, double tick_hz)
{
    enum txtap_flow_way way = txtap_flow_way(edge->action);
    bool from_object = way == TXTAP_FLOW_FROM_OBJECT;

    print(dot, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"%s", from_object ? edge->object : edge->caller,
          from_object ? edge->caller : edge->object, txtap_flow_action_name(edge->action));
    if (edge->rate.known && tick_hz > 0)
        put_number(dot, " ", &edge->rate, "/s");
    else
        put_number(dot, " ", &edge->calls, "");
    if (edge->blocked.known && edge->blocked.value > 0)
        put_number(dot, "\\n", &edge->blocked, " waited");
    if (edge->failed.known && edge->failed.value > 0)
        put_number(dot, "\\n", &edge->failed, " failed");
    if (edge->timeouts.known && edge->timeouts.value > 0)
        put_number(dot, "\\n", &edge->timeouts, " timed out");
    print(dot, "\", penwidth=%.2f%s];\n", most > 0 ? 1 + (WIDTH_MOST - 1) * edge->calls.value / most : 1,
          way == TXTAP_FLOW_BOTH ? ", dir=both" : "");
}

enum txtap_status txtap_flow_dot(const struct txtap_flow *flow, const struct txtap_figure_json_head *head,
                                 const struct txtap_finding_names *names, double tick_hz, struct txtap_writer writer)
{
    struct dot dot = {.writer = writer, .status = TXTAP_OK};
    char text[TXTAP_ESCAPED_BYTES(256)];
    double most = flow->edge_count > 0 ? flow->edges[0].calls.value : 0;

    put(&dot, "digraph flow {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", margin=\"0.2,0.1\"];\n  edge "
              "[fontname=\"sans-serif\"];\n"
              "  label=\"");
    put_label(&dot, txtap_escape_terminal(text, sizeof text, head->trace));
    if (head->summary.gaps > 0)
        print(&dot, "\\nat least %" PRIu64 " events were lost: all numbers are at least", head->summary.lost);
    if (flow->left_out > 0)
        print(&dot, "\\n%" PRIu64 " further edges are not shown", flow->left_out);
    put(&dot, "\";\n");
    for (uint32_t i = 0; i < flow->node_count; i++)
        put_node(&dot, i, &flow->nodes[i], names->name(names->self, &flow->nodes[i].subject));
    for (uint32_t i = 0; i < flow->edge_count; i++)
        put_edge(&dot, &flow->edges[i], most, tick_hz);
    put(&dot, "}\n");
    return dot.status;
}
