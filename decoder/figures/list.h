/* SPDX-License-Identifier: MIT */
/* Makes figures from the data of analyses, and gives the figures to a sink. Gaps in the trace determine the bounds of
 * the figures. */
#ifndef TXTAP_DECODER_FIGURES_LIST_H
#define TXTAP_DECODER_FIGURES_LIST_H

#include "figures/check_names.h"
#include "figures/histogram.h"
#include "model/model.h"
#include "txtap/figure.h"

struct list {
    struct txtap_figure_sink sink;
    enum txtap_status status; /* the sink's last status */
    const struct model *model;
    const struct histogram_pool *pool;
    const char *section;
    const struct check_name *names; /* names of the section's figures; ends with TXTAP_FIGURE_NONE */
    double tick_hz;                 /* ticks per second; 0: unknown */
    const struct spread *only; /* lists only the figure of these samples, without its statistics; NULL: all figures */
};

/* The members that all figures have. */
struct heading {
    enum txtap_figure_id id;
    struct txtap_subject subject, other;
    const char *detail; /* NULL: no detail */
};

struct txtap_subject list_system(void);
struct txtap_subject list_thread(const struct model *model, uint32_t thread);
struct txtap_subject list_object(const struct model *model, uint32_t object);
struct txtap_subject list_interrupt(uint32_t number);
struct txtap_subject list_number(enum txtap_subject_kind kind, uint32_t number);

/* Lists an exact number. */
void list_number_exact(struct list *list, struct heading heading, enum txtap_unit unit, double value);

/* Lists a count. If there are gaps, the count is a lower bound. */
void list_count(struct list *list, struct heading heading, uint64_t count);

/* Like list_count(), but also lists one of the counted events. */
void list_count_at(struct list *list, struct heading heading, uint64_t count, struct moment at);

/* Like list_count(). doubtful: maximum number of further occurrences. */
void list_count_doubtful(struct list *list, struct heading heading, uint64_t count, uint64_t doubtful);
void list_ticks_doubtful(struct list *list, struct heading heading, uint64_t ticks, uint64_t doubtful);

/* Like list_ticks_doubtful(), but also lists the event at which an interval ended. */
void list_ticks_doubtful_at(struct list *list, struct heading heading, uint64_t ticks, uint64_t doubtful,
                            struct moment at);

/* Lists a count with given bounds. */
void list_bounded_count(struct list *list, struct heading heading, struct txtap_measure measure);

/* Like list_count(), for any unit: a lower bound if there are gaps. */
void list_at_least(struct list *list, struct heading heading, enum txtap_unit unit, double value);

/*
 * Lists a sum of bytes, or of other quantities than events, with its rate. most: the largest sum in a second that
 * begins at most_at; NULL: unknown. If there are gaps, the sum and `most` are lower bounds.
 */
void list_amount(struct list *list, struct heading heading, enum txtap_unit unit, uint64_t amount, uint64_t most,
                 const struct moment *most_at);

/* Like list_at_least(), but also lists the event at which the value occurred. */
void list_at_least_at(struct list *list, struct heading heading, enum txtap_unit unit, double value, struct moment at);

/* Lists a minimum. If there are gaps, the minimum is an upper bound, because the true value may be as small as 0. */
void list_at_most_at(struct list *list, struct heading heading, enum txtap_unit unit, double value, struct moment at);

/* Lists the mean of the seen samples. If there are gaps, the mean has no bounds. */
void list_mean(struct list *list, struct heading heading, enum txtap_unit unit, double value);

/* Lists a number with given bounds. place: where the number occurred; place->known false: no place. */
void list_between(struct list *list, struct heading heading, enum txtap_unit unit, struct txtap_measure measure,
                  struct txtap_place place);

/* Like list_between(), for a figure that covers only a part of the trace. */
void list_span(struct list *list, struct heading heading, enum txtap_unit unit, struct txtap_measure measure,
               struct txtap_place place, struct txtap_span span);

/* Lists the statistics of samples. Lists no figure if there are no samples. */
void list_spread(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread);

/* Like list_spread(), for samples of which some are known only by their bounds. */
void list_spread_vague(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread,
                       const struct vague *vague);

/*
 * Lists a count of actions on cores. With several cores, `least` is the lower bound of the count, and the count has no
 * upper bound. With one core, does the same as list_count().
 */
void list_count_vague(struct list *list, struct heading heading, uint64_t count, uint64_t least);

/* Like list_spread(), for samples that may continue after the end of the trace: their maximum has no upper bound. */
void list_spread_open(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread);

/* Like list_spread(), for things that should not happen. Without samples it lists the figure with the count 0. N
 * includes cut samples. doubtful: maximum number of further samples. */
void list_occurrences(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread,
                      uint64_t doubtful);

/* Numbers of which none is missing. */
struct value_range {
    uint64_t n;
    double min, max, sum;
    struct txtap_place min_at, max_at;
};

/* Lists the statistics of numbers, which have no bounds. range->n is above 0. */
void list_values(struct list *list, struct heading heading, const struct value_range *range);

/* Lists a share of time as unknown, because the trace does not record it. */
void list_not_recorded(struct list *list, struct heading heading);

/*
 * Lists a part of the observed time: the figure of heading in percent, and the figure ticks_id in ticks. doubt: ticks
 * of the part that may not belong to it, and other observed ticks that may belong to it.
 */
void list_share(struct list *list, struct heading heading, enum txtap_figure_id ticks_id, uint64_t ticks,
                struct doubt doubt);

#endif
