/* SPDX-License-Identifier: MIT */
/* Makes figures of what analyses have collected, with the bounds that follow from gaps, and gives them to a sink. */
#ifndef TXTAP_DECODER_FIGURES_LIST_H
#define TXTAP_DECODER_FIGURES_LIST_H

#include "figures/check_names.h"
#include "figures/histogram.h"
#include "model/model.h"
#include "txtap/figure.h"

struct list {
    struct txtap_figure_sink sink;
    enum txtap_status status; /* what the sink returned last */
    const struct model *model;
    const struct histogram_pool *pool;
    const char *section;
    const struct check_name *names; /* of the section's figures; ends with TXTAP_FIGURE_NONE */
    double tick_hz;                 /* 0: not known */
};

/* What is common to all figures. */
struct heading {
    enum txtap_figure_id id;
    struct txtap_subject subject, other;
    const char *detail; /* NULL: none */
};

struct txtap_subject list_system(void);
struct txtap_subject list_thread(const struct model *model, uint32_t thread);
struct txtap_subject list_object(const struct model *model, uint32_t object);
struct txtap_subject list_interrupt(uint32_t number);
struct txtap_subject list_number(enum txtap_subject_kind kind, uint32_t number);

/* An exact number. */
void list_number_exact(struct list *list, struct heading heading, enum txtap_unit unit, double value);

/* Something that was counted: gaps hide more of it. */
void list_count(struct list *list, struct heading heading, uint64_t count);

/* The same of things of which the trace shows so many, and that many more that may be others. */
void list_count_doubtful(struct list *list, struct heading heading, uint64_t count, uint64_t doubtful);
void list_ticks_doubtful(struct list *list, struct heading heading, uint64_t ticks, uint64_t doubtful);

/* A count with bounds of its own. */
void list_bounded_count(struct list *list, struct heading heading, struct txtap_measure measure);

/* The same, with another unit: gaps hide more. */
void list_at_least(struct list *list, struct heading heading, enum txtap_unit unit, double value);

/* A sum of bytes, or of something else than events: with its rate, and the most in a second, which begins at most_at;
 * NULL: that is not known. Gaps hide more. */
void list_amount(struct list *list, struct heading heading, enum txtap_unit unit, uint64_t amount, uint64_t most,
                 const struct moment *most_at);

/* The same as list_at_least(), and the event at which it was. */
void list_at_least_at(struct list *list, struct heading heading, enum txtap_unit unit, double value, struct moment at);

/* A minimum: gaps hide lower ones, down to 0. */
void list_at_most_at(struct list *list, struct heading heading, enum txtap_unit unit, double value, struct moment at);

/* Of what was seen: gaps may hide anything. */
void list_mean(struct list *list, struct heading heading, enum txtap_unit unit, double value);

/* A number with bounds, and where it is; place->known false: nowhere. */
void list_between(struct list *list, struct heading heading, enum txtap_unit unit, struct txtap_measure measure,
                  struct txtap_place place);

/* The same of a part of the time. */
void list_span(struct list *list, struct heading heading, enum txtap_unit unit, struct txtap_measure measure,
               struct txtap_place place, struct txtap_span span);

/* Samples; none: no figure. */
void list_spread(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread);

/* The same with samples of which only bounds are known. */
void list_spread_vague(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread,
                       const struct vague *vague);

/* A count of what several cores do: the trace shows it if it is sure, and there may be any number more. */
void list_count_vague(struct list *list, struct heading heading, uint64_t count, uint64_t least);

/* The same if nothing limits what the end of the trace cuts off: it did not end. */
void list_spread_open(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread);

/* The same of things that should not happen: there is a figure if there are none, and N counts those that the trace
 * cuts off, too. doubtful: how many more there may be. */
void list_occurrences(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread,
                      uint64_t doubtful);

/* A share of the time that the trace does not record. */
void list_not_recorded(struct list *list, struct heading heading);

/* Part of the time that was observed, in percent and, as ticks_id, in ticks. doubt: how many of them may not belong
 * to it, and how many observed others may. */
void list_share(struct list *list, struct heading heading, enum txtap_figure_id ticks_id, uint64_t ticks,
                struct doubt doubt);

#endif
