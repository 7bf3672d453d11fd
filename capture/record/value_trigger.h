/* SPDX-License-Identifier: MIT */
/* A trigger that fires when the value of a variable begins to fulfil a condition: "value(speed) > 3000". */
#ifndef TXTAP_CAPTURE_RECORD_VALUE_TRIGGER_H
#define TXTAP_CAPTURE_RECORD_VALUE_TRIGGER_H

#include <stdbool.h>

#include "txtap/check.h"
#include "txtap/sample.h"

struct value_trigger {
    const char *text;                    /* as typed; borrowed */
    char name[TXTAP_CHANNEL_NAME_BYTES]; /* of the channel */
    enum txtap_check_operator op;
    double number;                       /* limit, if word is "" */
    char word[TXTAP_CHANNEL_WORD_BYTES]; /* word of a state; only for == and != */
};

#define VALUE_TRIGGER_PREFIX "value("

/* Parses "value(NAME) OPERATOR NUMBER", or "value(NAME) == WORD". text: borrowed. Returns NULL, or words for the
 * expected text if the text is invalid. */
const char *value_trigger_parse(struct value_trigger *trigger, const char *text);

/* Returns true if the sample is of the trigger's channel, and sets *fulfils to whether it fulfils the condition. A
 * sample without a value fulfils no condition. */
bool value_trigger_judge(const struct value_trigger *trigger, const struct txtap_sample *sample, bool *fulfils);

#endif
