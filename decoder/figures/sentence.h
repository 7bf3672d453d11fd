/* SPDX-License-Identifier: MIT */
/* A sentence about threads, objects and numbers, in the caller's memory. */
#ifndef TXTAP_DECODER_FIGURES_SENTENCE_H
#define TXTAP_DECODER_FIGURES_SENTENCE_H

#include <stddef.h>

#include "txtap/figure.h"
#include "txtap/inner/finding.h"

struct sentence {
    char *at;            /* `size` bytes; the text ends with a NUL */
    size_t size, length; /* length: below size; a longer text is cut */
    const struct txtap_finding_names *names;
    double tick_hz; /* 0: unknown */
};

void say(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the name of a subject, or its address or number. */
void say_name(struct sentence *sentence, const struct txtap_subject *subject);

/* Writes "mutex model". */
void say_object(struct sentence *sentence, const struct txtap_subject *object);

/* Writes a number with its unit, "at least 3" if only a lower bound is known. */
void say_number(struct sentence *sentence, const struct txtap_measure *measure, enum txtap_unit unit);

#endif
