/* SPDX-License-Identifier: MIT */
/*
 * The kinds of ring that can be read, one row each: how such a ring is asked for, found, read and described. Who reads
 * a ring knows none of their names.
 */
#ifndef TXTAP_CAPTURE_RING_RING_KIND_H
#define TXTAP_CAPTURE_RING_RING_KIND_H

#include <argp.h>
#include <stdbool.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "locate/elf_file.h"
#include "options/options.h"
#include "stream/poller.h"
#include "txtap/source.h"

#define RING_MEASURE_US 300000

/* What a ring is to be found by. */
struct ring_request {
    const struct options *options;
    struct txtap_source source;
    const struct elf_file *elf;         /* or NULL */
    bool other_firmware;                /* the target runs something else than the ELF file */
    const struct memory_region *memory; /* all that the source has; NULL: that is not known */
    bool lists;                         /* if several are found, they are listed on standard error */
};

/* A copy of a ring, as it lies in target memory. */
struct ring_copy {
    uint8_t *bytes; /* the caller's to free; or NULL */
    size_t length;
    uint64_t events;   /* in it, */
    uint32_t capacity; /* of so many that the ring has room for */
    bool complete;     /* these are all that it held */
    struct stream_stats stats;
    uint32_t several; /* addresses without a name, for none is right for all events */
};

/* One row. Functions that are marked so may be NULL. */
struct ring_kind {
    const char *name;        /* of the option that asks for it, without "--"; NULL: it needs none */
    struct argp options;     /* that option, and those that only this kind has */
    const char *definitions; /* what its events mean, in txtap's own format; NULL: they are ThreadX's */
    const char *advice;      /* what helps against losses, beside a larger buffer and a faster probe; NULL: nothing */
    bool by_symbols;         /* nothing but the ELF file's symbols says where it is, and that it is one */
    bool bytes;              /* it gives bytes, a CTF trace of options->ring.ctf_metadata, and fills once */
    const char *gap_means;   /* what it says where bytes are lost; NULL: it gives events */
    bool laps;               /* the target overwrites what was not read */
    const char *enabled_symbol;        /* of a variable that is 0 while nothing is recorded; NULL: there is none */
    const char *const *uptime_symbols; /* of variables that count the time since the start, NULL behind the last */
    const struct reader_ops *reader;

    /* What must go together on the command line, beside what the others here say. May be NULL. */
    void (*check)(const struct options *options, struct argp_state *state);
    /*
     * Sets address, header, pointer and reader.own. On failure error is one line: ERROR_SYMBOL the ELF file lacks
     * a symbol; _AMBIGUOUS there are several; _NOT_FOUND the memory does not hold what is looked for, or not yet; what
     * the source says otherwise.
     */
    enum txtap_status (*locate)(const struct ring_request *request, struct poller_place *place, struct error *error);
    /*
     * One consistent copy, for a file that others open. On failure error is one line. May be NULL: the events are what
     * others can open.
     */
    enum txtap_status (*copy)(const struct poller_place *place, struct ring_copy *copy, struct error *error);
    /* How many bytes of the ring the probe reads per second, as the reader does it at full speed: for RING_MEASURE_US.
     */
    enum txtap_status (*measure)(struct poller *poller, double *bytes_per_second, struct error *error);
    /* The lines of info about it, on standard output. live: the poller has read for a while. */
    enum txtap_status (*describe)(struct poller *poller, const struct poller_place *place, const struct elf_file *elf,
                                  bool live, struct error *error);
};

extern const struct ring_kind ring_txtb, ring_event_logger, ring_ctf_ram;

/* The group of options that choose a kind; without any of them it is ThreadX's. */
extern const struct argp ring_options;

/* The same for a command that records: without the kinds that it refuses. */
extern const struct argp ring_recorded_options;
#define RING_OPTIONS_HEAD "Zephyr's own rings, instead of ThreadX's:"

/* For the parser of a row: its option was given. Two kinds end the program with a usage error. */
void ring_choose(const struct ring_kind *kind, struct argp_state *state);

#endif
