/* SPDX-License-Identifier: MIT */
/*
 * The kinds of ring that txtap reads, one row each: how such a ring is chosen, found, read and described. No other room
 * names a kind.
 */
#ifndef TXTAP_CAPTURE_RING_RING_KIND_H
#define TXTAP_CAPTURE_RING_RING_KIND_H

#include <argp.h>
#include <stdbool.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "locate/elf_file.h"
#include "locate/txtb.h"
#include "stream/poller.h"
#include "txtap/source.h"

#define RING_MEASURE_US 300000

struct ring_kind;

/* Which ring is read, and where the user says that it is. Strings are borrowed. */
struct ring_config {
    const struct ring_kind *kind;
    const char *ctf_metadata; /* the file that describes the bytes of a CTF trace; or NULL */
    bool has_position;
    uint32_t position;         /* address of the variable that says how much of the ring is filled */
    struct locate_wish wished; /* for a ring that is not found by symbols */
};

/* What the command line wants of a ring. */
struct ring_use {
    const char *elf;       /* or NULL */
    bool reads_files;      /* the operands are always files, never a target */
    bool has_files;        /* there are operands */
    bool only_shows;       /* no events are written */
    bool writes_directory; /* bytes are written as they are, and -o names a directory or nothing */
    bool has_output;       /* -o was given, and is not standard output */
};

/* What a ring is found by. */
struct ring_request {
    const struct ring_config *config;
    struct txtap_source source;
    const struct elf_file *elf;         /* or NULL */
    bool other_firmware;                /* the target does not run what the ELF file has */
    const struct memory_region *memory; /* all memory of the source; NULL: not known */
    bool lists;                         /* several that are found are listed on standard error */
};

/* A copy of a ring, laid out as in target memory. */
struct ring_copy {
    uint8_t *bytes; /* the caller's to free; or NULL */
    size_t length;
    uint64_t events;   /* in the copy */
    uint32_t capacity; /* of the ring, in events */
    bool complete;     /* the copy has all events that the ring held */
    struct stream_stats stats;
    uint32_t several; /* addresses left without a name, because no name is right for all events */
};

/* One row. */
struct ring_kind {
    const char *name;        /* of the option that asks for it, without "--"; NULL: it needs none */
    struct argp options;     /* that option, and those that only this kind has */
    const char *definitions; /* what its events mean, in txtap's own format; NULL: they are ThreadX's */
    const char *advice;      /* what helps against losses, beside a larger buffer and a faster probe; NULL: nothing */
    bool by_symbols;         /* only the ELF file's symbols say where it is, and that it is such a ring */
    bool bytes; /* it gives the bytes of a CTF trace, described by the config's ctf_metadata, and fills only once */
    const char *gap_means;             /* the message where bytes are lost; NULL: it gives events */
    double tick_hz;                    /* of its time stamps; 0: it depends on the firmware, so --hz says it */
    bool laps;                         /* the target overwrites entries that were not read */
    const char *enabled_symbol;        /* of a variable that is 0 while nothing is recorded; NULL: there is none */
    const char *const *uptime_symbols; /* of variables that count the time since the start; NULL ends the list */
    const struct reader_ops *reader;

    /* Checks the command line for what this kind needs beyond the members above. May be NULL. */
    void (*check)(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state);
    /*
     * Sets address, header, pointer and reader.own. On failure error is one line: ERROR_SYMBOL the ELF file lacks a
     * symbol; _AMBIGUOUS there are several; _NOT_FOUND there is no ring in memory, or not yet; others as the source.
     */
    enum txtap_status (*locate)(const struct ring_request *request, struct poller_place *place, struct error *error);
    /*
     * Makes one consistent copy, for a file that other programs open. On failure error is one line. NULL: the file is
     * made of the events instead.
     */
    enum txtap_status (*copy)(const struct poller_place *place, struct ring_copy *copy, struct error *error);
    /* Measures for RING_MEASURE_US how many bytes of the ring the probe reads per second, reading as the reader does.
     */
    enum txtap_status (*measure)(struct poller *poller, double *bytes_per_second, struct error *error);
    /* Prints the lines of info about it on standard output, from what the poller has read so far. */
    enum txtap_status (*describe)(struct poller *poller, const struct poller_place *place, const struct elf_file *elf,
                                  struct error *error);
};

extern const struct ring_kind ring_txtb, ring_event_logger, ring_ctf_ram;

/* The options that choose a kind; without any of them it is ThreadX's ring. The parsers' input is a struct ring_config.
 */
extern const struct argp ring_argp;

/* The same for a command that records: without the kinds that it refuses. */
extern const struct argp ring_recorded_argp;

/* Called by a row's parser when its option was given. Two different kinds are a usage error, which ends the program. */
void ring_choose(const struct ring_kind *kind, struct argp_state *state);

/* Checks what the chosen ring needs, and what it excludes. A usage error ends the program. */
void ring_check(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state);

#endif
