/* SPDX-License-Identifier: MIT */
#ifndef TXTAP_TESTS_EVENT_LOGGER_ABSENT_H
#define TXTAP_TESTS_EVENT_LOGGER_ABSENT_H

/* Calls all functions of the event logger in a build without it. Returns the result of must_log_event. */
int absent_logger_call_everything(void);

#endif
