/* SPDX-License-Identifier: MIT */
/* A graph of a trace's flow as JSON. */
#include "txtap/inner/flow.h"

#include <inttypes.h>
#include <stdio.h>

#include "figures/json_parts.h"

static const char *const level_names[TXTAP_FLOW_LEVELS] = {
    [TXTAP_FLOW_DEPTH] = "depth",         [TXTAP_FLOW_DEPTH_MEAN] = "depth_mean", [TXTAP_FLOW_CAPACITY] = "capacity",
    [TXTAP_FLOW_FULL] = "full",           [TXTAP_FLOW_COUNT] = "count",           [TXTAP_FLOW_AVAILABLE] = "available",
    [TXTAP_FLOW_POOL_SIZE] = "pool_size",
};

static void add_measure(struct txtap_figure_json *json, const char *key, const struct txtap_measure *measure,
                        bool is_time)
{
    if (measure->known)
        figure_json_measure(json, ",", key, measure, is_time);
}

static void add_node(struct txtap_figure_json *json, uint32_t number, const struct txtap_flow_node *node,
                     const char *name)
{
    char text[32];

    snprintf(text, sizeof text, "%s\n{\"id\":%" PRIu32 ",", number > 0 ? "," : "", number);
    figure_json_put(json, text);
    figure_json_subject(json, "subject", &node->subject, name);
    for (unsigned level = 0; level < TXTAP_FLOW_LEVELS; level++)
        add_measure(json, level_names[level], &node->levels[level], level == TXTAP_FLOW_FULL);
    figure_json_put(json, "}");
}

static void add_edge(struct txtap_figure_json *json, uint32_t number, const struct txtap_flow_edge *edge)
{
    bool from_object = txtap_flow_way(edge->action) == TXTAP_FLOW_FROM_OBJECT;
    char text[96];

    snprintf(text, sizeof text, "%s\n{\"from\":%" PRIu32 ",\"to\":%" PRIu32 ",\"action\":\"%s\"", number > 0 ? "," : "",
             from_object ? edge->object : edge->caller, from_object ? edge->caller : edge->object,
             txtap_flow_action_name(edge->action));
    figure_json_put(json, text);
    add_measure(json, "calls", &edge->calls, false);
    add_measure(json, "rate", &edge->rate, false);
    add_measure(json, "blocked", &edge->blocked, false);
    add_measure(json, "failed", &edge->failed, false);
    add_measure(json, "timeouts", &edge->timeouts, false);
    figure_json_put(json, "}");
}

enum txtap_status txtap_flow_json(const struct txtap_flow *flow, const struct txtap_figure_json_head *head,
                                  const struct txtap_finding_names *names, double tick_hz, struct txtap_writer writer)
{
    struct txtap_figure_json json = {.writer = writer, .tick_hz = tick_hz};
    char text[64];

    figure_json_head(&json, TXTAP_SCHEMA_FLOW, head);
    snprintf(text, sizeof text, ",\"edges_left_out\":%" PRIu64 ",\"nodes\":[", flow->left_out);
    figure_json_put(&json, text);
    for (uint32_t i = 0; i < flow->node_count; i++)
        add_node(&json, i, &flow->nodes[i], names->name(names->self, &flow->nodes[i].subject));
    figure_json_put(&json, "],\"edges\":[");
    for (uint32_t i = 0; i < flow->edge_count; i++)
        add_edge(&json, i, &flow->edges[i]);
    figure_json_put(&json, "]}\n");
    return json.status;
}
