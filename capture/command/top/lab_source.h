/* SPDX-License-Identifier: MIT */
/* Where the boards of 'txtap top LAB' come from: a row for each kind of lab. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_LAB_SOURCE_H
#define TXTAP_CAPTURE_COMMAND_TOP_LAB_SOURCE_H

#include "base/failure.h"
#include "command/top/lab_feed.h"

#define LAB_SHOWN_MAX 1024u

struct lab_boards {
    struct lab_feed *feeds[LAB_SHOWN_MAX]; /* the first `count`; owned by the source */
    size_t count;
    bool is_full; /* the lab has more boards, which are not read */
    bool away;    /* the lab cannot be read at present */
};

struct lab_source {
    /* Opens the lab `name`. After success, *source is closed with close(). */
    enum txtap_status (*open)(void **source, const char *name, struct error *error);

    /* Adds new boards, and takes the new bytes of all boards. Ends early if the user asks txtap to end. */
    enum txtap_status (*step)(void *source, struct lab_boards *boards, struct error *error);

    void (*close)(void *source, struct lab_boards *boards);
};

extern const struct lab_source lab_folders;  /* folders with recordings in a folder */
extern const struct lab_source lab_subjects; /* subjects of NATS servers */

#endif
