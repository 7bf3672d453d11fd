/* SPDX-License-Identifier: MIT */
/* The kinds of ring that txtap reads, with one row for each: how to choose, find, read and describe such a ring. Only
 * this room names the kinds. */
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

/* The options that say which kind of ring to read, and where the ring is. Strings are borrowed. */
struct ring_config {
    const struct ring_kind *kind;
    const char *ctf_metadata; /* the file that describes the bytes of a CTF trace; or NULL */
    bool has_position;
    uint32_t position;         /* address of the variable that counts the bytes in the ring */
    struct locate_wish wished; /* for a ring that is not found by symbols */
};

/* What the command does with a ring. */
struct ring_use {
    const char *elf;       /* path of the ELF file; or NULL */
    bool reads_files;      /* the operands are always files, never a target */
    bool has_files;        /* there are operands */
    bool only_shows;       /* the command writes no events */
    bool writes_directory; /* bytes are written unchanged, and -o names a directory or is absent */
    bool has_output;       /* -o was given, and is not standard output */
};

/* Parameters of locate(). */
struct ring_request {
    const struct ring_config *config;
    struct txtap_source source;
    const struct elf_file *elf;         /* or NULL */
    bool other_firmware;                /* the target does not run the firmware of the ELF file */
    const struct memory_region *memory; /* all memory of the source; NULL: not known */
    bool lists;                         /* print a list on standard error if several rings are found */
};

/* A copy of a ring, laid out as in target memory. */
struct ring_copy {
    uint8_t *bytes; /* the caller frees it; or NULL */
    size_t length;
    uint64_t events;   /* number of events in the copy */
    uint32_t capacity; /* size of the ring in events */
    bool complete;     /* the copy has all events that were in the ring */
    struct stream_stats stats;
    uint32_t several; /* number of addresses without a name, because no name is right for all events */
};

/* A kind of ring. */
struct ring_kind {
    const char *name;    /* name of the option that chooses this kind, without "--"; NULL: this kind needs no option */
    struct argp options; /* the option that chooses this kind, and the options that only this kind has */
    const char *definitions; /* definitions of its events, in txtap's format; NULL: the events are ThreadX's */
    const char *advice;      /* advice against losses, besides a larger buffer and a faster probe; NULL: no advice */
    bool by_symbols;         /* the ELF file's symbols are the only way to find and recognise the ring */
    bool bytes; /* the ring contains the bytes of a CTF trace, which ctf_metadata describes; it is filled only once */
    const char *gap_means; /* message about lost bytes; NULL: the ring contains events */
    double tick_hz; /* tick rate of its time stamps; 0: the rate depends on the firmware, so the user gives --hz */
    bool laps;      /* the target overwrites entries that were not read */
    const char *enabled_symbol; /* symbol of a variable that is 0 while nothing is recorded; NULL: no such variable */
    const char *off_means;      /* message while that variable is 0, without a full stop; NULL: no such variable */
    /* symbols of variables that count the time since the start; the list ends with NULL */
    const char *const *uptime_symbols;
    const struct reader_ops *reader;

    /* Checks that the command line has everything else that this kind needs. May be NULL. */
    void (*check)(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state);
    /*
     * Sets address, header, pointer and reader.own. On failure error is one line. ERROR_SYMBOL: the ELF file lacks a
     * symbol. _AMBIGUOUS: the ELF file has several such symbols. _NOT_FOUND: there is no ring in memory, or not yet.
     * Other errors come from the source.
     */
    enum txtap_status (*locate)(const struct ring_request *request, struct poller_place *place, struct error *error);
    /* Makes one consistent copy, for a file that other programs open. On failure error is one line. NULL: the file is
     * made from the events instead. */
    enum txtap_status (*copy)(const struct poller_place *place, struct ring_copy *copy, struct error *error);
    /* Measures for RING_MEASURE_US how many bytes of the ring the probe reads per second, with the same reads as the
     * reader. */
    enum txtap_status (*measure)(struct poller *poller, double *bytes_per_second, struct error *error);
    /* Prints the lines that the command info shows about this ring on standard output, from the poller's data. details:
     * also how the recorder counts. */
    enum txtap_status (*describe)(struct poller *poller, const struct poller_place *place, const struct elf_file *elf,
                                  bool details, struct error *error);
};

extern const struct ring_kind ring_txtb, ring_event_logger, ring_ctf_ram;

/* The options that choose a kind; the default is ThreadX's ring. The parsers' input is a struct ring_config. */
extern const struct argp ring_argp;

/* The options of ring_argp for a command that records, without the kinds that such a command refuses. */
extern const struct argp ring_recorded_argp;

/*
 * Chooses a kind. The option parser of each kind calls this function. The choice of two different kinds ends the
 * program with a usage error.
 */
void ring_choose(const struct ring_kind *kind, struct argp_state *state);

/* Checks that the command line has all options that the chosen ring needs, and no option that it excludes. A usage
 * error ends the program. */
void ring_check(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state);

#endif
