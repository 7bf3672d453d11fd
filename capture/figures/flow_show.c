/* SPDX-License-Identifier: MIT */
/* Shows the flow of a trace: who exchanges messages and signals with whom. As tables, CSV, JSON and DOT. */
#include "figures/flow_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "figures/text_table.h"

#define NAME_KEPT  10 /* columns of a name that a narrow table keeps */
#define NAME_LEAST 14
#define TEXT_BYTES (8 * FIGURE_NAME_BYTES)

static const char *name_of_node(const struct figures *figures, uint32_t node, char text[static TEXT_BYTES])
{
    const struct txtap_finding_names names = figures_names(figures);
    const struct txtap_subject *subject = &figures->flow->nodes[node].subject;

    return txtap_subject_text(subject, names.name(names.self, subject), text, TEXT_BYTES);
}

/* Returns the node from which the data or the signal comes, and the node to which it goes. */
static uint32_t from_of(const struct txtap_flow_edge *edge)
{
    return txtap_flow_way(edge->action) == TXTAP_FLOW_FROM_OBJECT ? edge->object : edge->caller;
}

static uint32_t to_of(const struct txtap_flow_edge *edge)
{
    return txtap_flow_way(edge->action) == TXTAP_FLOW_FROM_OBJECT ? edge->caller : edge->object;
}

/* ---- text ---- */

static void put_measure(struct text_table *table, const struct txtap_measure *measure, enum txtap_unit unit,
                        double tick_hz)
{
    struct txtap_figure figure = {.unit = unit, .stat = {[TXTAP_STAT_VALUE] = *measure}};
    char text[QUANTITY_SHORT_BYTES];

    text_table_put(table, figures_measure_text(text, &figure, TXTAP_STAT_VALUE, tick_hz));
}

static bool show_edges(const struct figures *figures, unsigned width, FILE *out)
{
    static const struct text_column columns[] = {{"from", NAME_KEPT, 0, NAME_LEAST},
                                                 {"action", 8, 0, 8},
                                                 {"to", NAME_KEPT, 0, NAME_LEAST},
                                                 {"calls", 0, 0, 7},
                                                 {"waited", 0, 1, 6},
                                                 {"failed", 0, 3, 6},
                                                 {"timeout", 0, 2, 7},
                                                 {"a second", 0, 0, 8}};
    struct text_table table;
    char text[TEXT_BYTES];

    text_table_begin(&table, columns, figures->tick_hz > 0 ? 8 : 7);
    for (uint32_t i = 0; i < figures->flow->edge_count; i++) {
        const struct txtap_flow_edge *edge = &figures->flow->edges[i];

        text_table_put(&table, name_of_node(figures, from_of(edge), text));
        text_table_put(&table, txtap_flow_action_name(edge->action));
        text_table_put(&table, name_of_node(figures, to_of(edge), text));
        put_measure(&table, &edge->calls, TXTAP_UNIT_COUNT, 0);
        put_measure(&table, &edge->blocked, TXTAP_UNIT_COUNT, 0);
        put_measure(&table, &edge->failed, TXTAP_UNIT_COUNT, 0);
        put_measure(&table, &edge->timeouts, TXTAP_UNIT_COUNT, 0);
        if (figures->tick_hz > 0)
            put_measure(&table, &edge->rate, TXTAP_UNIT_COUNT, 0);
    }
    return text_table_end(&table, width, out);
}

static bool has_level(const struct txtap_flow_node *node)
{
    for (unsigned level = 0; level < TXTAP_FLOW_LEVELS; level++)
        if (node->levels[level].known)
            return true;
    return false;
}

/* Adds a level; nothing if objects of this type do not have it. */
static void put_level(struct text_table *table, const struct txtap_measure *level, enum txtap_unit unit, double tick_hz)
{
    if (level->known)
        put_measure(table, level, unit, tick_hz);
    else
        text_table_put(table, "");
}

static const struct txtap_measure *either(const struct txtap_measure *first, const struct txtap_measure *second)
{
    return first->known ? first : second;
}

static bool show_levels(const struct figures *figures, unsigned width, FILE *out)
{
    static const struct text_column columns[] = {{"object", NAME_KEPT, 0, NAME_LEAST},
                                                 {"", 9, 0, 10},
                                                 {"most", 0, 0, 7},
                                                 {"mean", 0, 0, 7},
                                                 {"least free", 0, 0, 10},
                                                 {"of", 0, 0, 7},
                                                 {"time full", 0, 1, 9}};
    struct text_table table;
    char text[TEXT_BYTES];

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < figures->flow->node_count; i++) {
        const struct txtap_flow_node *node = &figures->flow->nodes[i];
        const struct txtap_measure *levels = node->levels;

        if (!has_level(node))
            continue;
        text_table_put(&table, name_of_node(figures, i, text));
        text_table_put(&table, txtap_subject_kind_name(&node->subject));
        put_level(&table, either(&levels[TXTAP_FLOW_DEPTH], &levels[TXTAP_FLOW_COUNT]), TXTAP_UNIT_COUNT, 0);
        put_level(&table, &levels[TXTAP_FLOW_DEPTH_MEAN], TXTAP_UNIT_COUNT, 0);
        put_level(&table, &levels[TXTAP_FLOW_AVAILABLE], TXTAP_UNIT_COUNT, 0);
        put_level(&table, either(&levels[TXTAP_FLOW_CAPACITY], &levels[TXTAP_FLOW_POOL_SIZE]), TXTAP_UNIT_COUNT, 0);
        put_level(&table, &levels[TXTAP_FLOW_FULL], TXTAP_UNIT_TICKS, figures->tick_hz);
    }
    return text_table_end(&table, width, out);
}

bool figures_show_flow(const struct figures *figures, unsigned width, FILE *out)
{
    bool shown;

    fputc('\n', out);
    if (figures->flow->edge_count == 0) {
        fputs("no thread and no interrupt calls an object\n", out);
        return true;
    }
    shown = show_edges(figures, width, out);
    fputc('\n', out);
    shown = show_levels(figures, width, out) && shown;
    if (figures->flow->left_out > 0)
        fprintf(out, "%" PRIu64 " further rows do not fit\n", figures->flow->left_out);
    return shown;
}

/* ---- CSV ---- */

static void field(FILE *out, const char *text)
{
    csv_text(out, text);
    fputc(',', out);
}

/* Writes the value and the bounds of a number; an unknown number is empty. */
static void put_bounds(FILE *out, const struct txtap_measure *measure)
{
    const double numbers[] = {measure->value, measure->lower, measure->upper};

    for (size_t i = 0; i < 3; i++) {
        fputc(',', out);
        if (measure->known)
            quantity_put(out, numbers[i], "");
    }
}

void figures_show_flow_csv(const struct figures *figures, FILE *out)
{
    static const char *const numbers[] = {"calls", "rate", "blocked", "failed", "timeouts"};
    char text[TEXT_BYTES];

    fputs("from,from_kind,to,to_kind,action", out);
    for (size_t i = 0; i < 5; i++)
        fprintf(out, ",%s,%s_lower,%s_upper", numbers[i], numbers[i], numbers[i]);
    fputs("\r\n", out);
    for (uint32_t i = 0; i < figures->flow->edge_count; i++) {
        const struct txtap_flow_edge *edge = &figures->flow->edges[i];
        const struct txtap_measure *const measures[] = {&edge->calls, &edge->rate, &edge->blocked, &edge->failed,
                                                        &edge->timeouts};

        field(out, name_of_node(figures, from_of(edge), text));
        fprintf(out, "%s,", txtap_subject_kind_name(&figures->flow->nodes[from_of(edge)].subject));
        field(out, name_of_node(figures, to_of(edge), text));
        fprintf(out, "%s,%s", txtap_subject_kind_name(&figures->flow->nodes[to_of(edge)].subject),
                txtap_flow_action_name(edge->action));
        for (size_t k = 0; k < 5; k++)
            put_bounds(out, measures[k]);
        fputs("\r\n", out);
    }
}

/* ---- JSON and DOT ---- */

static enum txtap_status write_to_file(void *self, const char *bytes, size_t length)
{
    (void)fwrite(bytes, 1, length, self);
    return TXTAP_OK;
}

void figures_show_flow_json(const struct figures *figures, FILE *out)
{
    const struct txtap_figure_json_head head = figures_head(figures);
    const struct txtap_finding_names names = figures_names(figures);

    (void)txtap_flow_json(figures->flow, &head, &names, figures->tick_hz, (struct txtap_writer){write_to_file, out});
}

void figures_show_flow_dot(const struct figures *figures, FILE *out)
{
    const struct txtap_figure_json_head head = figures_head(figures);
    const struct txtap_finding_names names = figures_names(figures);

    (void)txtap_flow_dot(figures->flow, &head, &names, figures->tick_hz, (struct txtap_writer){write_to_file, out});
}
