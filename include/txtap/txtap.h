/* SPDX-License-Identifier: MIT */
/*
 * All headers of libtxtap. The library opens, allocates and prints nothing. The caller owns all memory, and passes a
 * function that writes the output. The headers in the order of use:
 *
 *     item.h         events, gaps and marks; a sink takes items
 *     trace.h        a whole trace buffer in memory -> items              container.h  files that hold memory
 *     ring.h         a trace buffer while the target writes it, read through source.h: plan, read, commit
 *     event_logger.h, ctf_ram.h   the same for two rings of Zephyr's
 *     recording.h    blocks of a recording -> items
 *     event.h        meaning of an event   registry.h  names   definitions.h  user events   filter.h  choosing events
 *     event_maker.h  entries of a ring -> events with their time, by the structs of clock.h and host_time.h
 *     exporter.h     items -> text, JSON Lines, CSV, a file for TraceX
 *     analysis.h     items -> figures
 *     figure.h       results of analyses: a number, its bounds, its place in the trace
 *     check.h        conditions on figures: "wake(control).p99 <= 200us"
 *
 * docs/example/decode.c prints a .trx file with three calls.
 */
#ifndef TXTAP_TXTAP_H
#define TXTAP_TXTAP_H

#include "txtap/analysis.h"
#include "txtap/check.h"
#include "txtap/clock.h"
#include "txtap/container.h"
#include "txtap/ctf_ram.h"
#include "txtap/definitions.h"
#include "txtap/event.h"
#include "txtap/event_logger.h"
#include "txtap/event_maker.h"
#include "txtap/exporter.h"
#include "txtap/figure.h"
#include "txtap/filter.h"
#include "txtap/header.h"
#include "txtap/host_time.h"
#include "txtap/item.h"
#include "txtap/rate.h"
#include "txtap/recording.h"
#include "txtap/registry.h"
#include "txtap/ring.h"
#include "txtap/sample.h"
#include "txtap/source.h"
#include "txtap/status.h"
#include "txtap/trace.h"
#include "txtap/version.h"

#endif
