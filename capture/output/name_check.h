/* SPDX-License-Identifier: MIT */
/* Checks that the names in filters and triggers exist. A misspelt name would silently choose nothing. */
#ifndef TXTAP_CAPTURE_OUTPUT_NAME_CHECK_H
#define TXTAP_CAPTURE_OUTPUT_NAME_CHECK_H

#include "base/failure.h"
#include "txtap/definitions.h"
#include "txtap/filter.h"
#include "txtap/registry.h"

/*
 * Checks that every event that the filter names is in the table of events or in the definitions, which may be NULL.
 * option: the option that set the filter, for the message. TXTAP_ERROR_USAGE: an event is missing; error has similar
 * names.
 */
enum txtap_status name_check_events(const struct txtap_filter *filter, const struct txtap_definitions *definitions,
                                    const char *option, struct error *error);

/*
 * Checks that every interrupt that the filter names is in the definitions, which may be NULL. option: as above.
 * TXTAP_ERROR_USAGE: an interrupt is missing; error has similar names, or the reason why there are no names.
 */
enum txtap_status name_check_interrupts(const struct txtap_filter *filter, const struct txtap_definitions *definitions,
                                        const char *option, struct error *error);

/*
 * Prints on standard error which threads and objects of the filter are not in the registry, and similar names. This is
 * no error: they may be created later.
 */
void name_check_objects(const struct txtap_filter *filter, const struct txtap_registry *registry);

#endif
