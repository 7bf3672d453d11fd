/* SPDX-License-Identifier: MIT */
/* Are the names that a filter or a trigger asks for names of anything? A misspelt one would choose nothing, silently.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_NAME_CHECK_H
#define TXTAP_CAPTURE_OUTPUT_NAME_CHECK_H

#include "base/failure.h"
#include "options/options.h"
#include "txtap/registry.h"

/*
 * Looks for every event that --event and --trigger name, in the table of events and in the files of definitions. Does
 * nothing if no event is named. TXTAP_ERROR_USAGE: there is none of that name, and error says which are similar.
 * Others as definitions_load().
 */
enum txtap_status name_check_events(const struct options *options, struct error *error);

/*
 * Says on standard error which of the threads and objects that the filter names are not in the registry, and which are
 * similar. That is no error: they may be created later.
 */
void name_check_objects(const struct txtap_filter *filter, const struct txtap_registry *registry);

#endif
