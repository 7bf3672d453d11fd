/* SPDX-License-Identifier: MIT */
/*
 * This table has all differences between the firmware variants.
 */
#ifndef DEMO_VARIANT_H
#define DEMO_VARIANT_H

#if defined(DEMO_VARIANT_OVERLOAD)
/* Faster than any probe: a thread writes entries without pause whenever nothing else runs. */
#define VARIANT_EVENT_RATE  0u
#define VARIANT_FLOOD       1
#define VARIANT_QUIET_TICKS 0u
#elif defined(DEMO_VARIANT_IDLE)
/* Bursts with silence between them: all activity is at multiples of this number of ticks. */
#define VARIANT_EVENT_RATE  0u
#define VARIANT_FLOOD       0
#define VARIANT_QUIET_TICKS 4000u
#else
/* A steady load of about demo_event_rate events per second. */
#define VARIANT_EVENT_RATE  2000u
#define VARIANT_FLOOD       0
#define VARIANT_QUIET_TICKS 0u
#endif

/* These variants also have a trace buffer of another size, for rings that are large enough for a slow probe. */
#if defined(DEMO_VARIANT_LARGE) || defined(DEMO_VARIANT_DEFECTS)
#define VARIANT_TRACE_BYTES 65536u
#else
#define VARIANT_TRACE_BYTES 16384u
#endif

/*
 * In this variant the trace also switches to another buffer after each interval of this number of ticks. 0: it does not
 * switch.
 */
#if defined(DEMO_VARIANT_ROAMING)
#define VARIANT_ROAM_TICKS 4000u
#else
#define VARIANT_ROAM_TICKS 0u
#endif

/* This variant also has a defect, which demo_defect chooses. */
#ifdef DEMO_VARIANT_DEFECTS
#define VARIANT_DEFECTS 1
#else
#define VARIANT_DEFECTS 0
#endif

/*
 * This variant also has the event logger and the logger's threads. The logger's own options choose the recorded events.
 */
#ifdef CONFIG_KERNEL_EVENT_LOGGER
#define VARIANT_LOGGER 1
#else
#define VARIANT_LOGGER 0
#endif

#endif
