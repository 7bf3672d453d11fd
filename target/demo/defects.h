/* SPDX-License-Identifier: MIT */
/*
 * Typical defects of applications. Each defect leaves traces that an analysis can find.
 */
#ifndef DEMO_DEFECTS_H
#define DEMO_DEFECTS_H

#include <stdint.h>

/* The chosen defect: enum defect. Read once, at the start. */
extern volatile uint32_t demo_defect;

enum defect {
    DEFECT_NONE = 0,
    DEFECT_DEADLOCK = 1,  /* two threads lock two mutexes in opposite order */
    DEFECT_INVERSION = 2, /* a high thread waits for a low one, without inheritance, while a middle one computes */
    DEFECT_STACK = 3,     /* a stack is nearly full */
    DEFECT_LEAK = 4,      /* memory is never freed */
    DEFECT_LATE = 5,      /* a periodic thread is prevented from running */
    DEFECT_STORM = 6      /* an interrupt occurs far too often */
};

/* Creates the objects and threads of the defect that demo_defect chooses. */
void defects_create(void);

#endif
