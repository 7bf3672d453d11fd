/* SPDX-License-Identifier: MIT */
/* Makes the graph of a trace's flow from the figures of its analysis: callers and objects are nodes, and the calls of a
 * caller for an object are an edge. */
#include "txtap/inner/flow.h"

#include <math.h>
#include <string.h>

#include "base/heapsort.h"

#define NO_NODE UINT32_MAX

static const struct {
    const char *name;
    enum txtap_flow_way way;
} actions[TXTAP_FLOW_ACTIONS] = {
    [TXTAP_FLOW_NONE] = {"", TXTAP_FLOW_TO_OBJECT},
    [TXTAP_FLOW_SEND] = {"send", TXTAP_FLOW_TO_OBJECT},
    [TXTAP_FLOW_RECEIVE] = {"receive", TXTAP_FLOW_FROM_OBJECT},
    [TXTAP_FLOW_FLUSH] = {"flush", TXTAP_FLOW_FROM_OBJECT},
    [TXTAP_FLOW_PUT] = {"put", TXTAP_FLOW_TO_OBJECT},
    [TXTAP_FLOW_GET] = {"get", TXTAP_FLOW_FROM_OBJECT},
    [TXTAP_FLOW_SET] = {"set", TXTAP_FLOW_TO_OBJECT},
    [TXTAP_FLOW_ALLOCATE] = {"allocate", TXTAP_FLOW_FROM_OBJECT},
    [TXTAP_FLOW_RELEASE] = {"release", TXTAP_FLOW_TO_OBJECT},
    [TXTAP_FLOW_OWN] = {"own", TXTAP_FLOW_BOTH},
};

const char *txtap_flow_action_name(enum txtap_flow_action action)
{
    return actions[action].name;
}

enum txtap_flow_way txtap_flow_way(enum txtap_flow_action action)
{
    return actions[action].way;
}

static enum txtap_flow_action action_named(const char *name)
{
    unsigned action = TXTAP_FLOW_ACTIONS - 1;

    while (action > TXTAP_FLOW_NONE && strcmp(actions[action].name, name) != 0)
        action--;
    return (enum txtap_flow_action)action;
}

uint32_t txtap_flow_sections(void)
{
    return TXTAP_SECTION_BIT(TXTAP_SECTION_FLOW) | TXTAP_SECTION_BIT(TXTAP_SECTION_QUEUE) |
           TXTAP_SECTION_BIT(TXTAP_SECTION_SEMAPHORE) | TXTAP_SECTION_BIT(TXTAP_SECTION_POOL);
}

/* ---- nodes ---- */

static uint32_t find_node(const struct txtap_flow *flow, const struct txtap_subject *subject)
{
    for (uint32_t i = 0; i < flow->node_count; i++)
        if (txtap_subject_is_same(&flow->nodes[i].subject, subject))
            return i;
    return NO_NODE;
}

static uint32_t add_node(struct txtap_flow *flow, const struct txtap_subject *subject)
{
    uint32_t node = find_node(flow, subject);

    if (node != NO_NODE || flow->node_count == TXTAP_FLOW_NODES_MAX)
        return node;
    flow->nodes[flow->node_count] = (struct txtap_flow_node){.subject = *subject};
    return flow->node_count++;
}

static enum txtap_status take_caller(void *self, const struct txtap_figure *figure)
{
    if (figure->id == TXTAP_FIGURE_FLOW)
        (void)add_node(self, &figure->other);
    return TXTAP_OK;
}

/* ---- edges ---- */

/* Returns a measure for calls of which the analysis lists no figure, because it saw no such call. */
static struct txtap_measure never(const struct txtap_measure *calls)
{
    return (struct txtap_measure){true, 0, 0, isinf(calls->upper) ? calls->upper : 0};
}

static void add_edge(struct txtap_flow *flow, const struct txtap_figure *figure)
{
    const struct txtap_measure *calls = &figure->stat[TXTAP_STAT_N];
    uint32_t caller = find_node(flow, &figure->other), object = add_node(flow, &figure->subject);

    if (flow->edge_count == TXTAP_FLOW_EDGES_MAX || caller == NO_NODE || object == NO_NODE) {
        flow->left_out++;
        return;
    }
    flow->edges[flow->edge_count++] = (struct txtap_flow_edge){.caller = caller,
                                                               .object = object,
                                                               .action = action_named(figure->detail),
                                                               .calls = *calls,
                                                               .rate = figure->stat[TXTAP_STAT_RATE],
                                                               .blocked = never(calls),
                                                               .failed = never(calls),
                                                               .timeouts = never(calls)};
}

/* Returns true if the figure belongs to the edge. */
static bool is_of_edge(const struct txtap_flow *flow, const struct txtap_flow_edge *edge,
                       const struct txtap_figure *figure)
{
    return txtap_subject_is_same(&flow->nodes[edge->caller].subject, &figure->other) &&
           txtap_subject_is_same(&flow->nodes[edge->object].subject, &figure->subject) &&
           edge->action == action_named(figure->detail);
}

/* Takes a figure of the section flow. The figures of an edge follow each other. */
static enum txtap_status take_edge(void *self, const struct txtap_figure *figure)
{
    struct txtap_flow *flow = self;
    struct txtap_flow_edge *last = flow->edge_count > 0 ? &flow->edges[flow->edge_count - 1] : NULL;

    if (figure->id == TXTAP_FIGURE_FLOW)
        add_edge(flow, figure);
    else if (last == NULL || !is_of_edge(flow, last, figure))
        return TXTAP_OK; /* there was no room for the edge */
    else if (figure->id == TXTAP_FIGURE_FLOW_BLOCKED)
        last->blocked = figure->stat[TXTAP_STAT_N];
    else if (figure->id == TXTAP_FIGURE_FLOW_FAILED)
        last->failed = figure->stat[TXTAP_STAT_N];
    else if (figure->id == TXTAP_FIGURE_FLOW_TIMEOUTS)
        last->timeouts = figure->stat[TXTAP_STAT_N];
    return TXTAP_OK;
}

/* ---- levels ---- */

static const enum txtap_figure_id level_figures[TXTAP_FLOW_LEVELS] = {
    [TXTAP_FLOW_DEPTH] = TXTAP_FIGURE_DEPTH,         [TXTAP_FLOW_DEPTH_MEAN] = TXTAP_FIGURE_DEPTH_MEAN,
    [TXTAP_FLOW_CAPACITY] = TXTAP_FIGURE_CAPACITY,   [TXTAP_FLOW_FULL] = TXTAP_FIGURE_FULL,
    [TXTAP_FLOW_COUNT] = TXTAP_FIGURE_COUNT,         [TXTAP_FLOW_AVAILABLE] = TXTAP_FIGURE_AVAILABLE,
    [TXTAP_FLOW_POOL_SIZE] = TXTAP_FIGURE_POOL_SIZE,
};

static enum txtap_status take_level(void *self, const struct txtap_figure *figure)
{
    struct txtap_flow *flow = self;

    for (unsigned level = 0; level < TXTAP_FLOW_LEVELS; level++) {
        uint32_t node = figure->id == level_figures[level] ? find_node(flow, &figure->subject) : NO_NODE;

        if (node != NO_NODE)
            flow->nodes[node].levels[level] = figure->stat[TXTAP_STAT_VALUE];
    }
    return TXTAP_OK;
}

/* ---- all parts ---- */

static bool comes_before(const void *left, const void *right)
{
    const struct txtap_flow_edge *a = left, *b = right;

    if (a->calls.value != b->calls.value) /* the rates of all edges have the same time */
        return a->calls.value > b->calls.value;
    if (a->caller != b->caller)
        return a->caller < b->caller;
    return a->object != b->object ? a->object < b->object : a->action < b->action;
}

void txtap_flow_collect(struct txtap_flow *flow, const struct txtap_analysis *analysis)
{
    const uint32_t calls = TXTAP_SECTION_BIT(TXTAP_SECTION_FLOW);

    flow->edge_count = flow->node_count = 0;
    flow->left_out = 0;
    (void)txtap_analysis_figures(analysis, calls, (struct txtap_figure_sink){take_caller, flow});
    (void)txtap_analysis_figures(analysis, calls, (struct txtap_figure_sink){take_edge, flow});
    (void)txtap_analysis_figures(analysis, txtap_flow_sections() & ~calls,
                                 (struct txtap_figure_sink){take_level, flow});
    heapsort_items(flow->edges, flow->edge_count, sizeof(*flow->edges), comes_before);
}

/* Returns true if an edge has the node. */
static bool has_edge(const struct txtap_flow *flow, uint32_t node)
{
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (flow->edges[i].caller == node || flow->edges[i].object == node)
            return true;
    return false;
}

static void drop_node(struct txtap_flow *flow, uint32_t node)
{
    flow->node_count--;
    memmove(&flow->nodes[node], &flow->nodes[node + 1], (flow->node_count - node) * sizeof(*flow->nodes));
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        flow->edges[i].caller -= flow->edges[i].caller > node;
        flow->edges[i].object -= flow->edges[i].object > node;
    }
}

void txtap_flow_keep(struct txtap_flow *flow, bool (*passes)(const void *self, const struct txtap_subject *caller),
                     const void *self)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (passes(self, &flow->nodes[flow->edges[i].caller].subject))
            flow->edges[kept++] = flow->edges[i];
    flow->edge_count = kept;
    for (uint32_t node = flow->node_count; node-- > 0;)
        if (!has_edge(flow, node))
            drop_node(flow, node);
}
