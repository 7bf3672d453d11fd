/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * How long each record of a CTF stream is, and what it is called, by the metadata of Zephyr's builds: TSDL 1.8 with
 * integers, arrays and structs of fixed size, every field at a byte boundary, no packets. A CTF record does not contain
 * its length. So only the metadata shows where one ends, and where the records end in a buffer with zeros behind them.
 */
#ifndef TXTAP_INNER_CTF_LAYOUT_H
#define TXTAP_INNER_CTF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/status.h"

#define TXTAP_CTF_EVENTS_MAX    2048
#define TXTAP_CTF_TYPES_MAX     64
#define TXTAP_CTF_FIELDS_MAX    4096
#define TXTAP_CTF_NAME_BYTES    48 /* of a type, an event, a field; NUL included */
#define TXTAP_CTF_HEADER_MAX    64 /* bytes of a record's header */
#define TXTAP_CTF_RECORD_MAX    65536u
#define TXTAP_CTF_METADATA_MAX  (4u * 1024 * 1024)
#define TXTAP_CTF_COMPLAINT_MAX 96

enum txtap_ctf_kind {
    TXTAP_CTF_OTHER, /* a struct, or an array of numbers */
    TXTAP_CTF_UNSIGNED,
    TXTAP_CTF_SIGNED,
    TXTAP_CTF_TEXT, /* one character, or an array of them, which ends at its first NUL */
};

struct txtap_ctf_type {
    char name[TXTAP_CTF_NAME_BYTES];
    uint32_t bytes;
    enum txtap_ctf_kind kind;
    bool is_struct;
    /* Of a struct: offset and size of its members id, name (an array), timestamp and ret, and the size of the first
     * one; 0 bytes: it has none, or not as a number. */
    uint32_t id_at, id_bytes, name_at, name_bytes, stamp_at, stamp_bytes, ret_at, ret_bytes, first_bytes;
};

struct txtap_ctf_field {
    char name[TXTAP_CTF_NAME_BYTES];
    uint32_t at, bytes; /* behind the record's header */
    enum txtap_ctf_kind kind;
};

struct txtap_ctf_event {
    uint32_t id, bytes;              /* bytes: behind the header */
    uint32_t first_bytes;            /* of the first field, if it is a number; else 0 */
    uint32_t name_at, name_bytes;    /* of the field name, an array; 0 bytes: it has none */
    uint32_t ret_at, ret_bytes;      /* of the field ret, if it is a number; else 0 bytes */
    char name[TXTAP_CTF_NAME_BYTES]; /* of the event; "": none, or a longer one */
    uint32_t field, field_count;     /* in the layout's list: all fields, or the first ones for which there was room */
};

/* 430 KiB. */
struct txtap_ctf_layout {
    bool big_endian;
    uint32_t header_bytes, id_at, id_bytes, stamp_at, stamp_bytes; /* stamp_bytes 0: records have no time */
    struct txtap_ctf_event events[TXTAP_CTF_EVENTS_MAX];           /* by id */
    size_t event_count;
    struct txtap_ctf_field fields[TXTAP_CTF_FIELDS_MAX]; /* an event's stand together */
    size_t field_count;
    struct txtap_ctf_type types[TXTAP_CTF_TYPES_MAX];
    size_t type_count;
    size_t error_line;                       /* after a failure: the line, from 1 */
    char complaint[TXTAP_CTF_COMPLAINT_MAX]; /* after a failure: the cause, one line of printable ASCII */
};

/*
 * Parses metadata. text[0..length): any content. TXTAP_ERROR_FORMAT: not as documented above, longer than METADATA_MAX,
 * or more events or types than there is room for; complaint has the cause. Takes O(length * types + events^2) steps.
 */
enum txtap_status txtap_ctf_layout_parse(struct txtap_ctf_layout *layout, const char *text, size_t length);

/* The event of that id; NULL: the layout does not have it. */
const struct txtap_ctf_event *txtap_ctf_find(const struct txtap_ctf_layout *layout, uint32_t id);

/* The records of a stream that comes in pieces. All zero at its start. */
struct txtap_ctf_counter {
    uint64_t records; /* whole records */
    uint64_t bytes;   /* of the whole records */
    uint64_t partial; /* bytes behind them, of a record that is not whole yet */
    bool stopped;     /* the layout does not have the id of the record at bytes: the rest cannot be counted */
    uint32_t id;      /* of that record, or of the last one */

    /* private */
    uint8_t header[TXTAP_CTF_HEADER_MAX];
    uint64_t missing; /* bytes that the record still needs after its header; 0: its header is not whole */
};

/* Counts the records of the next piece of the stream. layout: parsed with TXTAP_OK. */
void txtap_ctf_count(const struct txtap_ctf_layout *layout, struct txtap_ctf_counter *counter, const uint8_t *bytes,
                     size_t length);

#endif
