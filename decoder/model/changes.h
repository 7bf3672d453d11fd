/* SPDX-License-Identifier: MIT */
/* Gives a model's changes to a public sink, in the form of txtap/inner/change.h. */
#ifndef TXTAP_DECODER_MODEL_CHANGES_H
#define TXTAP_DECODER_MODEL_CHANGES_H

#include "model/model.h"
#include "txtap/inner/change.h"

struct change_listener {
    const struct model *model;
    struct txtap_change_sink sink;
    enum txtap_status status;      /* the sink's last status */
    bool tells_made;               /* the sink also gets events that a translator made */
    bool unknown[TXTAP_CORES_MAX]; /* index: core; true: the sink does not know the occupant, but the model does */
};

/* Opens a listener, which must not be moved afterwards. */
void change_listener_open(struct change_listener *listener, struct model *model, struct txtap_change_sink sink);

#endif
