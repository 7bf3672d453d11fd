/* SPDX-License-Identifier: MIT */
/* A public sink that listens to a model: turns its changes into those of txtap/inner/change.h. */
#ifndef TXTAP_DECODER_MODEL_CHANGES_H
#define TXTAP_DECODER_MODEL_CHANGES_H

#include "model/model.h"
#include "txtap/inner/change.h"

struct change_listener {
    const struct model *model;
    struct txtap_change_sink sink;
    enum txtap_status status;      /* what the sink returned last */
    bool tells_made;               /* also events that a translator made */
    bool unknown[TXTAP_CORES_MAX]; /* of a core: others were told that its occupant is not known; the model has one */
};

/* The listener must stay where it is. */
void change_listener_open(struct change_listener *listener, struct model *model, struct txtap_change_sink sink);

#endif
