/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The flow of a trace as a graph: threads and interrupts exchange messages and signals through queues, semaphores and
 * other objects. A graph repeats figures of an analysis, and computes no figure itself.
 */
#ifndef TXTAP_INNER_FLOW_H
#define TXTAP_INNER_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/exporter.h"
#include "txtap/figure.h"
#include "txtap/inner/figure_json.h"
#include "txtap/inner/finding.h"

/* The action of a caller on an object. */
enum txtap_flow_action {
    TXTAP_FLOW_NONE,
    TXTAP_FLOW_SEND,     /* to a queue */
    TXTAP_FLOW_RECEIVE,  /* from a queue */
    TXTAP_FLOW_FLUSH,    /* drops all messages of a queue */
    TXTAP_FLOW_PUT,      /* a semaphore */
    TXTAP_FLOW_GET,      /* a semaphore, or event flags */
    TXTAP_FLOW_SET,      /* event flags */
    TXTAP_FLOW_ALLOCATE, /* memory of a pool */
    TXTAP_FLOW_RELEASE,  /* memory of a pool */
    TXTAP_FLOW_OWN,      /* gets a mutex, and gives it up later */
    TXTAP_FLOW_ACTIONS
};

/* Returns "send", "receive", ...; static. */
const char *txtap_flow_action_name(enum txtap_flow_action action);

/* The direction of the data or of the signal. */
enum txtap_flow_way {
    TXTAP_FLOW_TO_OBJECT,
    TXTAP_FLOW_FROM_OBJECT,
    TXTAP_FLOW_BOTH /* TXTAP_FLOW_OWN */
};

enum txtap_flow_way txtap_flow_way(enum txtap_flow_action action);

/* The figures of an object, in the order of the JSON. All others are about callers. */
enum txtap_flow_level {
    TXTAP_FLOW_DEPTH,      /* queue: largest number of messages */
    TXTAP_FLOW_DEPTH_MEAN, /* queue: mean number of messages */
    TXTAP_FLOW_CAPACITY,   /* queue */
    TXTAP_FLOW_FULL,       /* queue: ticks in which it was full */
    TXTAP_FLOW_COUNT,      /* semaphore: largest count */
    TXTAP_FLOW_AVAILABLE,  /* pool: smallest number of free blocks or bytes */
    TXTAP_FLOW_POOL_SIZE,  /* pool: all blocks or bytes */
    TXTAP_FLOW_LEVELS
};

struct txtap_flow_node {
    struct txtap_subject subject; /* a thread, an interrupt, the initialization, an unknown caller, or an object */
    struct txtap_measure levels[TXTAP_FLOW_LEVELS]; /* known false: the object has no such figure */
};

struct txtap_flow_edge {
    uint32_t caller, object; /* indexes of nodes */
    enum txtap_flow_action action;
    struct txtap_measure calls, rate; /* rate: per second; per tick if the tick rate is unknown; may be unknown */
    /* blocked: calls that waited; failed: calls that did not wait, and got nothing; timeouts: waits that timed out.
     * known false: the trace does not show them. */
    struct txtap_measure blocked, failed, timeouts;
};

#define TXTAP_FLOW_EDGES_MAX 4096
#define TXTAP_FLOW_NODES_MAX 4096

struct txtap_flow {
    struct txtap_flow_edge edges[TXTAP_FLOW_EDGES_MAX]; /* the first edge_count are in use: the highest rate first */
    struct txtap_flow_node nodes[TXTAP_FLOW_NODES_MAX]; /* the first node_count are in use: callers, then objects */
    uint32_t edge_count, node_count;
    uint64_t left_out; /* number of edges that did not fit */
};

/* The sections of an analysis from which a graph is made. */
uint32_t txtap_flow_sections(void);

/*
 * Makes the graph of the events so far. The analysis must have txtap_flow_sections(). The names of subjects are valid
 * until the analysis takes another item.
 */
void txtap_flow_collect(struct txtap_flow *flow, const struct txtap_analysis *analysis);

/* Drops all edges whose caller does not pass, and then the objects without an edge. */
void txtap_flow_keep(struct txtap_flow *flow, bool (*passes)(const void *self, const struct txtap_subject *caller),
                     const void *self);

/* Writes a graph as JSON: the object that 'txtap report --flow -f json' prints. docs/user/flow.md describes it. */
enum txtap_status txtap_flow_json(const struct txtap_flow *flow, const struct txtap_figure_json_head *head,
                                  const struct txtap_finding_names *names, double tick_hz, struct txtap_writer writer);

/* Writes a graph in Graphviz's language DOT. The width of an edge grows with its rate. */
enum txtap_status txtap_flow_dot(const struct txtap_flow *flow, const struct txtap_figure_json_head *head,
                                 const struct txtap_finding_names *names, double tick_hz, struct txtap_writer writer);

#endif
