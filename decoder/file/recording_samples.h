/* SPDX-License-Identifier: MIT */
/* The payloads of channels and samples, for the table of payloads in recording.c. */
#ifndef TXTAP_DECODER_FILE_RECORDING_SAMPLES_H
#define TXTAP_DECODER_FILE_RECORDING_SAMPLES_H

#include <stdbool.h>

#include "base/bytes.h"
#include "txtap/recording.h"

/* Each function takes a whole payload. Returns false if the payload is invalid. */
bool take_channel(struct bytes *bytes, struct txtap_recording_item *item);
bool take_samples(struct bytes *bytes, struct txtap_recording_item *item);

#endif
