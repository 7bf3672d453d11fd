/* SPDX-License-Identifier: MIT */
/*
 * Feeds any events to all analyses, whose tables are too small. 8 bytes are an event, a gap or a mark. For any input,
 * lower bounds must stay below upper bounds. Threads, interrupts and idle together must not get more time than has
 * passed. Some threads have names. Findings must be sorted, and each must have a text. The graph of the flow must be
 * sorted and complete, and its texts must be printable. The instances of a figure must have its count and its sum.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "items.h"
#include "txtap/analysis.h"
#include "txtap/inner/finding.h"
#include "txtap/inner/flow.h"
#include "txtap/inner/instances.h"

static double cpu, observed;

/* ---- instances ---- */

#define SERIES_MAX 512u

static struct txtap_instances instances;
static struct {
    const void *samples; /* of the figure */
    uint64_t n, sum, cut;
} series[SERIES_MAX];

static bool open_series(void *self, uint32_t number, const struct txtap_figure *figure)
{
    (void)self;
    REQUIRE(number < SERIES_MAX && number == instances.series_count);
    memset(&series[number], 0, sizeof series[number]);
    series[number].samples = figure->samples;
    return txtap_instances_exist(figure->id);
}

static void take_instance(void *self, const struct txtap_instance *instance)
{
    (void)self;
    REQUIRE(instance->series < instances.series_count && instance->start <= instance->end);
    series[instance->series].n += instance->kind == TXTAP_INSTANCE_COMPLETE;
    series[instance->series].sum += instance->kind == TXTAP_INSTANCE_COMPLETE ? instance->value : 0;
    series[instance->series].cut += instance->kind != TXTAP_INSTANCE_COMPLETE;
}

static void check_instances(const struct txtap_figure *figure)
{
    for (uint32_t i = 0; i < instances.series_count && figure->samples != NULL && instances.left_out == 0; i++) {
        if (series[i].samples != figure->samples)
            continue;
        REQUIRE(figure->stat[TXTAP_STAT_N].value == (double)series[i].n && figure->censored == series[i].cut);
        REQUIRE(series[i].n == 0 || figure->stat[TXTAP_STAT_SUM].value == (double)series[i].sum);
    }
}

/* ---- figures and findings ---- */

static enum txtap_status check(void *self, const struct txtap_figure *figure)
{
    (void)self;
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        const struct txtap_measure *measure = &figure->stat[stat];

        if (!measure->known)
            continue;
        REQUIRE(!isnan(measure->value) && measure->lower <= measure->upper);
        REQUIRE(measure->lower >= 0);
    }
    check_instances(figure);
    if (strcmp(figure->name, "observed") == 0)
        observed = figure->stat[TXTAP_STAT_VALUE].value;
    if (strcmp(figure->name, "cpu_ticks") == 0 || strcmp(figure->name, "idle_ticks") == 0 ||
        strcmp(figure->name, "interrupts_ticks") == 0 || strcmp(figure->name, "init_ticks") == 0)
        cpu += figure->stat[TXTAP_STAT_VALUE].value;
    return TXTAP_OK;
}

/* Gives every second thread that is created one of four names. */
static void note(struct txtap_registry *names, const struct txtap_item *item)
{
    if (item->kind == TXTAP_ITEM_GAP)
        txtap_registry_note_gap(names, item->gap.seq, item->gap.lost);
    if (item->kind != TXTAP_ITEM_EVENT)
        return;
    txtap_registry_note(names, &item->event);
    for (size_t i = 0; i < names->count; i++) {
        struct txtap_object *object = &names->objects[i];

        if (object->unknown && (object->from_seq & 1) != 0) {
            object->name[0] = (char)('a' + (object->from_seq >> 1 & 3));
            object->unknown = false;
        }
    }
}

static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    return txtap_subject_name(subject, self);
}

static void check_findings(const struct txtap_analysis *analysis, const struct txtap_registry *registry)
{
    static struct txtap_findings findings;
    const struct txtap_finding_names names = {name_of, registry};
    char text[TXTAP_FINDING_TEXT_BYTES];

    txtap_findings_collect(&findings, analysis);
    REQUIRE(findings.count <= TXTAP_FINDINGS_MAX);
    for (size_t i = 0; i < findings.count; i++) {
        REQUIRE(i == 0 || findings.at[i - 1].kind <= findings.at[i].kind);
        REQUIRE(!isnan(findings.at[i].weight));
        REQUIRE(strlen(txtap_finding_text(text, &findings.at[i], &names, 0)) > 0);
    }
}

/* Requires printable text. */
static enum txtap_status take_text(void *self, const char *bytes, size_t length)
{
    (void)self;
    for (size_t i = 0; i < length; i++)
        REQUIRE(bytes[i] == '\n' || (unsigned char)bytes[i] >= ' ');
    return TXTAP_OK;
}

static bool is_interrupt(const void *self, const struct txtap_subject *caller)
{
    (void)self;
    return caller->kind == TXTAP_SUBJECT_INTERRUPT;
}

static void check_graph(const struct txtap_flow *flow)
{
    uint64_t used = 0;

    REQUIRE(flow->node_count <= 2 * 5 && flow->edge_count <= 5); /* limits: see LLVMFuzzerTestOneInput() */
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        const struct txtap_flow_edge *edge = &flow->edges[i];

        REQUIRE(edge->caller < flow->node_count && edge->object < flow->node_count);
        REQUIRE(flow->nodes[edge->caller].subject.kind != TXTAP_SUBJECT_OBJECT);
        REQUIRE(flow->nodes[edge->object].subject.kind == TXTAP_SUBJECT_OBJECT);
        REQUIRE(edge->action != TXTAP_FLOW_NONE);
        REQUIRE(i == 0 || flow->edges[i - 1].calls.value >= edge->calls.value);
        used |= (uint64_t)1 << edge->caller | (uint64_t)1 << edge->object;
    }
    REQUIRE(used == ((uint64_t)1 << flow->node_count) - 1);
}

static void check_flow(const struct txtap_analysis *analysis, const struct txtap_registry *registry)
{
    static struct txtap_flow flow;
    const struct txtap_finding_names names = {name_of, registry};
    struct txtap_figure_json_head head = {.trace = "\"\\"};

    txtap_analysis_summary(analysis, &head.summary);
    txtap_flow_collect(&flow, analysis);
    REQUIRE(flow.left_out == 0);
    for (unsigned turn = 0; turn < 2; turn++) {
        check_graph(&flow);
        REQUIRE(txtap_flow_dot(&flow, &head, &names, 1e6, (struct txtap_writer){take_text, NULL}) == TXTAP_OK);
        REQUIRE(txtap_flow_json(&flow, &head, &names, 0, (struct txtap_writer){take_text, NULL}) == TXTAP_OK);
        txtap_flow_keep(&flow, is_interrupt, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    const struct txtap_analysis_limits limits = {.threads = 8, .objects = 4, .pairs = 5, .pages = 6};
    unsigned cores = length > 0 ? data[0] & 3u : 0;
    static struct txtap_object objects[64];
    struct txtap_registry names;
    static void *memory; /* not cleared, because contents of an earlier input must not matter */
    struct txtap_analysis *analysis;
    uint64_t ticks = 0;

    if (memory == NULL)
        memory = malloc(txtap_analysis_bytes(&limits, 0));
    REQUIRE(memory != NULL);
    analysis = txtap_analysis_open(memory, &limits, &(struct txtap_analysis_options){.tick_hz = length & 1 ? 1e6 : 0});
    txtap_instances_open(&instances, analysis, (struct txtap_instance_sink){open_series, take_instance, NULL});
    txtap_registry_init(&names, objects, 64);
    if ((length & 2) != 0)
        txtap_analysis_names(analysis, &names);
    for (size_t i = 1; i + 8 <= length; i += 8) {
        struct txtap_item item = item_of(data + i, i / 8, &ticks, cores);

        note(&names, &item);
        if ((i & 15u) == 1)
            txtap_analysis_objects(analysis, &names);
        REQUIRE(txtap_analysis_take(analysis, &item) == TXTAP_OK);
    }
    txtap_analysis_end(analysis);
    cpu = observed = 0;
    REQUIRE(txtap_analysis_figures(analysis, 0, (struct txtap_figure_sink){check, NULL}) == TXTAP_OK);
    if (cores <= 1)
        REQUIRE(cpu <= observed);
    check_findings(analysis, &names);
    check_flow(analysis, &names);
    return 0;
}
