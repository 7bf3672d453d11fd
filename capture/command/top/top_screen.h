/* SPDX-License-Identifier: MIT */
/* The display of "top" for any source of items. It consists of a sink, and of a step that reads keys and draws. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_SCREEN_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "command/top/frame.h"
#include "command/top/top_findings.h"
#include "txtap/inner/top_values.h"
#include "options/options.h"
#include "txtap/event_maker.h"
#include "txtap/inner/top.h"

struct top_screen {
    const struct options *options;
    struct txtap_top *monitor;
    struct txtap_top_values values;
    struct top_findings findings;
    uint64_t found_us;                     /* time of the last update of the findings; 0: no update yet */
    const struct txtap_registry *names;    /* set by the caller */
    const struct txtap_top_kernel *kernel; /* what the kernel's lists tell; set by the caller; or NULL */
    struct txtap_definitions *definitions; /* names of interrupts; or NULL */
    struct txtap_interrupts interrupts;
    uint32_t generation; /* generation of names when the analyses last learned them */
    bool learnt;
    const char *condition; /* state of the source, such as "LIVE"; set by the caller after opening */
    const char *exception; /* shown instead of `condition`, such as "DETACHED"; NULL: show `condition` */
    bool paused, quit;
    uint64_t drawn;  /* number of screens */
    uint64_t due_us; /* time of the next screen; 0: at once */
    struct txtap_top_view view;
    struct txtap_top_state state; /* state drawn last; the caller sets the members that the monitor does not set */
    struct frame frame;
    char cells[FRAME_CELLS_MAX];
    uint8_t styles[FRAME_CELLS_MAX];
};

/* Opens the screen. identity: of the target or the file. After success, call top_screen_close(). */
enum txtap_status top_screen_open(struct top_screen *screen, const struct options *options,
                                  const struct identity *identity, const char *source, struct error *error);
void top_screen_close(struct top_screen *screen);

/* Replaces the names of interrupts by those of the identity. On failure error has the cause, and there are no names. */
enum txtap_status top_screen_definitions(struct top_screen *screen, const struct identity *identity,
                                         struct error *error);

/* Takes an item. A sink's function: self is a struct top_screen. */
enum txtap_status top_screen_take(void *self, const struct txtap_item *item);

/* Sets the tick rate to the best known rate. If this rate is unknown, the function does nothing. */
void top_screen_rate(struct top_screen *screen, const struct txtap_rate *rate);

/* Reads keys, and draws if it is time. now_us: microseconds since any fixed time. TXTAP_END: the user wants to quit, or
 * the last of the --count screens was drawn. */
enum txtap_status top_screen_step(struct top_screen *screen, uint64_t now_us, struct error *error);

/* Returns the exit code of the checks. On failure error has the cause. Call it before top_screen_close(). */
enum exit_code top_screen_verdict(struct top_screen *screen, struct error *error);

/* Draws the final state, unless the user has quit. */
enum txtap_status top_screen_last(struct top_screen *screen, struct error *error);

#endif
