/* SPDX-License-Identifier: MIT */
/*
 * The application: a small measuring instrument. A sensor's interrupt delivers samples, which pass through three
 * threads. A display, a control loop and some housekeeping run in parallel.
 */
#ifndef DEMO_LOAD_H
#define DEMO_LOAD_H

/* Creates all objects and threads of the load. */
void load_create(void);

#endif
