/* SPDX-License-Identifier: MIT */
/* The formats, for the table in exporter.c. */
#ifndef TXTAP_DECODER_EXPORTER_H
#define TXTAP_DECODER_EXPORTER_H

#include "txtap/exporter.h"

extern const struct txtap_exporter_ops text_ops;
extern const struct txtap_exporter_ops jsonl_ops;

#endif
