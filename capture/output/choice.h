/* SPDX-License-Identifier: MIT */
/* A sink that passes on the events that a filter lets through, and all other items. */
#ifndef TXTAP_CAPTURE_OUTPUT_CHOICE_H
#define TXTAP_CAPTURE_OUTPUT_CHOICE_H

#include "txtap/exporter.h"
#include "txtap/filter.h"
#include "txtap/item.h"

struct choice {
    struct txtap_sink next;
    const struct txtap_filter *filter;
    struct txtap_exporter *exporter; /* whose names the filter matches */
    uint64_t left_out;               /* events */
};

/* For a sink whose self is a struct choice. */
enum txtap_status choice_take(void *self, const struct txtap_item *item);

#endif
