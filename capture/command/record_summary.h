/* SPDX-License-Identifier: MIT */
/* What a command says about the recording that it wrote. */
#ifndef TXTAP_CAPTURE_COMMAND_RECORD_SUMMARY_H
#define TXTAP_CAPTURE_COMMAND_RECORD_SUMMARY_H

#include "record/recorder.h"

/* Prints a line on standard error: events, files, bytes, and what the file was too slow for. */
void record_summary(const struct recording *recording);

#endif
