/* SPDX-License-Identifier: MIT */
/* event_logger.events, built in. */
#ifndef TXTAP_CAPTURE_FILE_EVENT_LOGGER_DEFINITIONS_H
#define TXTAP_CAPTURE_FILE_EVENT_LOGGER_DEFINITIONS_H

extern const char event_logger_definitions[];

#endif
