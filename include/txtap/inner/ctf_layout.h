/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The lengths and names of the records of a CTF stream, from the metadata of Zephyr's builds: TSDL 1.8 with integers,
 * arrays and structs of fixed size. Every field begins at a byte boundary. There are no packets. A CTF record does not
 * contain its length, so only the metadata shows where a record ends. The same is true for the end of the last record
 * in a buffer, because the rest of the buffer is zero.
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
#define TXTAP_CTF_NAME_BYTES    48 /* bytes of the name of a type, an event or a field; NUL included */
#define TXTAP_CTF_HEADER_MAX    64 /* bytes of a record's header */
#define TXTAP_CTF_RECORD_MAX    65536u
#define TXTAP_CTF_METADATA_MAX  (4u * 1024 * 1024)
#define TXTAP_CTF_COMPLAINT_MAX 96

enum txtap_ctf_kind {
    TXTAP_CTF_OTHER, /* a struct, or an array of numbers */
    TXTAP_CTF_UNSIGNED,
    TXTAP_CTF_SIGNED,
    TXTAP_CTF_TEXT, /* one character, or an array of characters that ends at the first NUL */
};

struct txtap_ctf_type {
    char name[TXTAP_CTF_NAME_BYTES];
    uint32_t bytes;
    enum txtap_ctf_kind kind;
    bool is_struct;
    /* For a struct: offset and size of the members id, name (an array), timestamp and ret, and size of the first
     * member. Size 0: there is no such member, or the member is not a number. */
    uint32_t id_at, id_bytes, name_at, name_bytes, stamp_at, stamp_bytes, ret_at, ret_bytes, first_bytes;
};

struct txtap_ctf_field {
    char name[TXTAP_CTF_NAME_BYTES];
    uint32_t at, bytes; /* at: offset from the end of the record's header */
    enum txtap_ctf_kind kind;
};

struct txtap_ctf_event {
    uint32_t id, bytes;           /* bytes: size of the record without the header */
    uint32_t first_bytes;         /* size of the first field, if it is a number; otherwise 0 */
    uint32_t name_at, name_bytes; /* offset and size of the array field called name; 0 bytes: no such field */
    uint32_t ret_at, ret_bytes;   /* offset and size of the field called ret; 0 bytes: there is no number called ret */
    char name[TXTAP_CTF_NAME_BYTES]; /* name of the event; "": the event has no name, or the name is too long */
    /* The event's fields in layout.fields: index of the first field, and number of fields. The last fields are missing
     * if there was no room for all. */
    uint32_t field, field_count;
};

/* 430 KiB. */
struct txtap_ctf_layout {
    bool big_endian;
    uint32_t header_bytes, id_at, id_bytes, stamp_at, stamp_bytes; /* stamp_bytes 0: records have no time */
    struct txtap_ctf_event events[TXTAP_CTF_EVENTS_MAX];           /* sorted by id */
    size_t event_count;
    struct txtap_ctf_field fields[TXTAP_CTF_FIELDS_MAX]; /* the fields of an event are consecutive */
    size_t field_count;
    struct txtap_ctf_type types[TXTAP_CTF_TYPES_MAX];
    size_t type_count;
    size_t error_line;                       /* after a failure: the number of the line, from 1 */
    char complaint[TXTAP_CTF_COMPLAINT_MAX]; /* after a failure: the cause, one line of printable ASCII */
};

/*
 * Parses metadata. text[0..length): any content. TXTAP_ERROR_FORMAT: the metadata are not of the kind described above,
 * are longer than METADATA_MAX, or have too many events or types; complaint has the cause. Takes O(length * types +
 * events^2) steps.
 */
enum txtap_status txtap_ctf_layout_parse(struct txtap_ctf_layout *layout, const char *text, size_t length);

/* Returns the event with this id; NULL: the layout has no such event. */
const struct txtap_ctf_event *txtap_ctf_find(const struct txtap_ctf_layout *layout, uint32_t id);

/* Counts the records of a stream that is given in pieces. All members are 0 at the start of the stream. */
struct txtap_ctf_counter {
    uint64_t records; /* complete records */
    uint64_t bytes;   /* bytes of the complete records */
    uint64_t partial; /* bytes of the incomplete record after the complete records */
    bool stopped; /* the layout does not have the id of the record at offset bytes, so no later record can be counted */
    uint32_t id;  /* if stopped: id of the record at offset bytes; otherwise id of the last record */

    /* private */
    uint8_t header[TXTAP_CTF_HEADER_MAX];
    uint64_t missing; /* bytes that the record still needs after its header; 0: the header is incomplete */
};

/* Counts the records of the next piece of the stream. layout: parsed with TXTAP_OK. */
void txtap_ctf_count(const struct txtap_ctf_layout *layout, struct txtap_ctf_counter *counter, const uint8_t *bytes,
                     size_t length);

#endif
