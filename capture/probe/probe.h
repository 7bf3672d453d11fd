/* SPDX-License-Identifier: MIT */
/* The table of probes. Each row is a way to read a target's memory: it has its own options, opens a memory source, and
 * describes this source. Users of a probe do not know the rows. */
#ifndef TXTAP_CAPTURE_PROBE_PROBE_H
#define TXTAP_CAPTURE_PROBE_PROBE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "probe/core_state.h"
#include "txtap/source.h"

struct counting_source {
    struct txtap_source inner;
    struct txtap_source_ops ops; /* the limits of `inner`, and functions that forward calls */
    uint64_t requests;           /* number of read() calls */
    uint64_t bytes;              /* bytes of target memory in successful reads */
};

/* Returns a source that counts its reads. Closing it closes `inner`. The source is valid as long as `counting` does not
 * move. */
struct txtap_source counting_source_of(struct counting_source *counting, struct txtap_source inner);

#define PROBE_TEXT_BYTES   160
#define PROBE_LINE_BYTES   (PROBE_TEXT_BYTES + ERROR_WHAT_BYTES)
#define PROBE_DEVICE_BYTES 400

struct probe_kind;

/* The command line's choice of a probe. Strings are borrowed from argv. */
struct probe_options {
    const struct probe_kind *kind;
    const struct probe_kind *way; /* the row of --way; NULL: without this option */
    bool any;                     /* no option names a connection: txtap takes the best way */
    unsigned timeout_ms;          /* time limit for the connection, then for each exchange */
    struct {
        const char *host, *port;
        bool given;         /* --tcl was given */
        const char *target; /* OpenOCD's name of the target; NULL: its current target */
    } openocd;
    struct {
        const char *arguments, *program; /* arguments and program of an OpenOCD that txtap starts */
    } child;
    struct {
        const char *wanted;   /* serial number, name or path; NULL: the only probe */
        const char *chip;     /* OpenOCD's target/CHIP.cfg; NULL: the generic configuration */
        unsigned khz;         /* 0: the configuration's clock */
        bool through_openocd; /* use OpenOCD even if txtap can drive the probe itself */
    } usb;
    struct {
        const char *host, *port;
        bool intrusive, trusted;
    } gdb;
    struct {
        const char *host, *port, *serial; /* of ST's server; serial NULL: its only ST-Link */
    } stlink;
    const char *file; /* file that the probe reads, which no output may overwrite; or NULL */
    uint32_t file_address;
};

/* The device that a row opened; "": no device yet, or the row has only one. */
struct probe_device {
    char key[PROBE_DEVICE_BYTES];
};

/* A way that txtap takes by itself if no option names a connection. Its place is in the table of probe.c. */
struct probe_way {
    const char *name; /* for --way; NULL: only another option chooses this row */
    const char *text; /* a line of --way=help */
    const char *why;  /* why txtap chose this way, if no earlier way was there */
    /* the row with the options for this way, which may be given together with --way; NULL: this row */
    const struct probe_kind *family;
};

/* A kind of probe. self: the *self of open(). */
struct probe_kind {
    const char *name;    /* name of the option that chooses this probe, without "--"; NULL: the default probe */
    struct argp options; /* options of this probe only; the parser's input is a struct probe_options */
    bool live;           /* the target may be running; false: nobody writes this memory */

    /* Called after the command line if this probe is chosen: checks the options and sets defaults. May be NULL. */
    void (*check)(struct probe_options *options, const struct argp_state *state);
    /*
     * Opens a source. On success *self and *source are set. On failure error is one line, and nothing stays open.
     * ERROR_UNREACHABLE and, if options->any is true, ERROR_NOT_FOUND: nothing can be opened this way, and another way
     * is tried. Then error->status tells more: ERROR_NOT_FOUND: no device is there; TXTAP_ERROR_SYSTEM: it is not
     * known whether a device is there; another status: a device is there, but cannot be used.
     * timeout_ms: for the connection, then for each exchange. device, for a row that chooses among devices: if it is
     * empty, open() fills it in on success; otherwise open() opens only this device.
     */
    enum txtap_status (*open)(const struct probe_options *options, unsigned timeout_ms, struct probe_device *device,
                              void **self, struct txtap_source *source, struct error *error);
    /* Closes `self` and its source. The function may be NULL: closing the source is then enough. */
    void (*close)(void *self);
    /* Writes a short name of the source: "stm32f4x.cpu, OpenOCD at 127.0.0.1:6666". */
    void (*describe)(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES]);
    /* Prints the probe's lines of info on standard output. */
    void (*print)(void *self, const struct probe_options *options);
    /* Print messages for the user on standard error, at the start and at the end. Each may be NULL. */
    void (*announce)(void *self, const struct probe_options *options);
    void (*report)(void *self);
    /* Asks whether the core runs. May be NULL: CORE_UNKNOWN. */
    enum core_state (*core)(void *self);
    /* The memory that the source covers. May be NULL: not known. */
    struct memory_region (*region)(void *self);
    struct probe_way way;
};

extern const struct probe_kind probe_openocd, probe_openocd_child, probe_usb, probe_usb_direct, probe_usb_openocd,
    probe_stlink_server, probe_gdb, probe_image;

/* The options of all probes. The parser's input is a struct probe_options. */
extern const struct argp probe_argp;

/* Chooses a probe. The option parser of each row calls this function. The choice of two probes ends the program with a
 * usage error. */
void probe_choose(const struct probe_kind *kind, const struct argp_state *state);

struct probe {
    const struct probe_kind *kind; /* NULL: closed */
    void *self;
    struct txtap_source source;
    struct counting_source counting; /* sums over all connections */
    /* row of the last connection, which the next connection uses again; NULL: no connection yet */
    const struct probe_kind *before;
    struct probe_device device; /* device of the last connection, which the next connection uses again */
    char why[ERROR_WHAT_BYTES]; /* why txtap chose the row itself; "": the user chose it */
};

/* Opens the chosen probe. probe: all zero, or closed. The struct must not move until the probe is closed. */
enum txtap_status probe_open(struct probe *probe, const struct probe_options *options, struct error *error);
void probe_close(struct probe *probe);

/* Returns a way that txtap takes by itself, the best first; NULL after the last way. */
const struct probe_way *probe_way_at(size_t index);

/* Opens the first of these rows that is there. probe_open() calls it with all ways. */
enum txtap_status probe_open_best(struct probe *probe, const struct probe_kind *const rows[], size_t count,
                                  const struct probe_options *options, struct error *error);

/* Writes the name of the source, and the way and the reason if txtap chose the way. */
void probe_describe(const struct probe *probe, const struct probe_options *options, char out[static PROBE_LINE_BYTES]);

#endif
