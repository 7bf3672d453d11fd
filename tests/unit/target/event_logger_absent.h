/* SPDX-License-Identifier: MIT */
#ifndef TXTAP_TESTS_EVENT_LOGGER_ABSENT_H
#define TXTAP_TESTS_EVENT_LOGGER_ABSENT_H

/* Calls all that there is of the event logger in a file that is built without it; returns what must_log_event says. */
int absent_logger_call_everything(void);

#endif
