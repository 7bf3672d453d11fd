/* SPDX-License-Identifier: MIT */
/*
 * One trace event, and the table of all event ids. A row of the table describes an id and the four information words.
 */
#ifndef TXTAP_EVENT_H
#define TXTAP_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/header.h"

TXTAP_API_BEGIN

enum txtap_context {
    TXTAP_CONTEXT_THREAD,
    TXTAP_CONTEXT_ISR,  /* an interrupt that found a thread running */
    TXTAP_CONTEXT_INIT, /* before the first thread ran */
    TXTAP_CONTEXT_IDLE, /* an interrupt that found no thread running */
};

struct txtap_event {
    uint64_t seq;                 /* number among all events that the target wrote, lost ones included */
    uint64_t ticks;               /* unwrapped time stamp: ticks since the first event delivered */
    uint32_t stamp;               /* as recorded, masked */
    uint32_t thread;              /* address of the thread that ran; ISR: of the interrupted thread; IDLE and INIT: 0 */
    uint32_t id;                  /* without the core number, which SMP records in the top byte */
    uint32_t info[4];             /* as recorded */
    uint16_t priority, threshold; /* of the thread, if context is THREAD; without a recorded threshold both are equal */
    uint8_t core;                 /* SMP: the core that recorded the event; otherwise 0 */
    uint8_t event_class;          /* class of a non-ThreadX event; 0: the id determines the class */
    enum txtap_context context;
    uint64_t unix_us;      /* host time at which the event was written, in microseconds since 1970; 0: unknown */
    bool ticks_doubtful;   /* ticks may be wrong by whole periods of the counter: see host_time.h */
    bool unsettled;        /* the kernel may not have finished the entry: any word that the kernel writes late may be
                              wrong */
    uint32_t next;         /* non-ThreadX event: thread word of the context that runs next; otherwise 0 */
    const uint8_t *entry;  /* borrowed: the TXTB_ENTRY_BYTES bytes of the ring entry; NULL: there is no entry */
    const uint32_t *words; /* borrowed: all words, if their number is not four; info contains the first four. NULL: the
                              event has four words */
    size_t word_count;     /* of words */
};

/* SMP writes the core into the top byte of the id. */
#define TXTAP_EVENT_ID_MASK 0x00FFFFFFu

/*
 * Parses one ring entry. The caller fills in seq, ticks, unix_us, unsettled and words. entry: TXTB_ENTRY_BYTES bytes;
 * event->entry points to them.
 */
void txtap_event_parse(const uint8_t entry[TXTB_ENTRY_BYTES], const struct txtap_header *header,
                       struct txtap_event *event);

enum txtap_component {
    TXTAP_COMPONENT_THREADX,
    TXTAP_COMPONENT_FILEX,
    TXTAP_COMPONENT_NETX_BOTH, /* events that are the same in NetX and NetX Duo */
    TXTAP_COMPONENT_NETX,
    TXTAP_COMPONENT_NETXDUO,
    TXTAP_COMPONENT_NETXDUO_LEGACY,
    TXTAP_COMPONENT_USBX,
    TXTAP_COMPONENT_USBX_LEGACY,
    TXTAP_COMPONENT_USER,
};

/* The meaning of an information word decides how it is shown. */
enum txtap_field_kind {
    TXTAP_FIELD_NONE,    /* unused: the kernel writes 0; shown only if it is not 0 */
    TXTAP_FIELD_OBJECT,  /* address of a registered object: shown by name */
    TXTAP_FIELD_ADDRESS, /* any other address: hexadecimal */
    TXTAP_FIELD_NUMBER,  /* decimal */
    TXTAP_FIELD_HEX,     /* bit patterns, codes, flags: hexadecimal */
    TXTAP_FIELD_WAIT,    /* 0: none; 0xFFFFFFFF: forever; otherwise ticks */
    TXTAP_FIELD_THREAD_STATE,
    TXTAP_FIELD_FLAGS_GET, /* OR, OR_CLEAR, AND, AND_CLEAR */
    TXTAP_FIELD_FLAGS_SET, /* OR, AND */
    TXTAP_FIELD_INHERIT,   /* mutex priority inheritance: none, inherit */
    TXTAP_FIELD_IPV4,      /* dotted */
    TXTAP_FIELD_TCP_STATE,
    TXTAP_FIELD_PACKET_STATUS, /* 0xFFFFFFFF: free; 0xAAAAAAAA: allocated; ... (nx_packet.h); otherwise the next
                                  packet's address */
    TXTAP_FIELD_TX_STATUS,     /* return value of a service of ThreadX, FileX, NetX, USBX */
    TXTAP_FIELD_FX_STATUS,
    TXTAP_FIELD_NX_STATUS,
    TXTAP_FIELD_UX_STATUS,
    TXTAP_FIELD_OPEN_TYPE,     /* FileX: read, write, read_fast */
    TXTAP_FIELD_SEEK_FROM,     /* FileX: begin, end, forward, back */
    TXTAP_FIELD_VOLUME_SOURCE, /* FileX: boot_sector, directory_sector */
    TXTAP_FIELD_ATTRIBUTES,    /* FileX, a set of bits: read_only, hidden, ... */
    TXTAP_FIELD_MEDIA_ERRORS,  /* FileX, a set of bits: fat_chain, directory, ... */
    TXTAP_FIELD_IP_STATUS,     /* NetX, a set of bits: initialize_done, link_enabled, ... */
    TXTAP_FIELD_LINK_COMMAND,  /* NetX: a command to a driver */
    /* only in definitions of user events: */
    TXTAP_FIELD_SIGNED,   /* decimal, two's complement */
    TXTAP_FIELD_FLOAT,    /* IEEE 754 binary32 */
    TXTAP_FIELD_ENUM,     /* format->words */
    TXTAP_FIELD_FLAGS,    /* format->words: a word for each bit or group of bits */
    TXTAP_FIELD_FUNCTION, /* address of a function: hexadecimal, or its name if the definitions have it */
    TXTAP_FIELD_KINDS
};

struct txtap_word {
    uint32_t number;
    const char *word;
};

/* The data that a definition adds to a field's kind. */
struct txtap_field_format {
    const struct txtap_word *words;
    size_t word_count;
    uint8_t decimals; /* NUMBER, SIGNED: the value is word / 10^decimals; 0 to 9 */
    const char *unit; /* "" for none */
};

struct txtap_field_info {
    enum txtap_field_kind kind;
    const char *label; /* lower case, words joined by '_', e.g. "wait_option"; "" when kind is NONE */
    const struct txtap_field_format *format; /* NULL in the table: only fields of definitions have a format */
};

struct txtap_definition;

struct txtap_event_info {
    uint16_t id;
    enum txtap_component component;
    const char *symbol; /* "TX_TRACE_QUEUE_SEND" */
    const char *name;   /* "tx_queue_send": TraceX's name, if TraceX has a name */
    struct txtap_field_info field[4];
    uint8_t patched; /* bit n: the kernel may write info[n] after the entry is published */
    uint8_t creates; /* bit n: info[n] is an object that is registered before or after the event */
    uint8_t deletes; /* bit n: info[n] is an object that is unregistered before or after the event */
    uint8_t uses;    /* bit n: info[n] is an object that exists, although no event may have created it */
    bool registers;  /* an object is registered or unregistered before or after the event; info may not contain the
                        object */
    const struct txtap_definition *definition; /* the definition of a user event's row; NULL in the table */
};

/*
 * Returns the set of information words that the kernel has not written yet, or never writes: bit n is info[n]. The set
 * contains each patched word that is 0, and the next thread of a suspended thread if it is the same thread. It does not
 * contain a word if 0 has a meaning (no next thread: idle), or if the service had nothing to wait for. For an unsettled
 * event it contains all patched words. info: the event's row, or NULL.
 */
unsigned txtap_event_pending(const struct txtap_event_info *info, const struct txtap_event *event);

/* Some ids have two meanings; these bits choose one of them. The default (0) is NetX Duo and current USBX. */
#define TXTAP_PROFILE_NETX        1u /* ids 384 and 441 to 448 are classic NetX */
#define TXTAP_PROFILE_USBX_LEGACY 2u /* ids 950 to 957 are RNDIS */
#define TXTAP_PROFILE_USER_1025   4u /* no USBX: ids from 1025 on are user events */
#define TXTAP_PROFILE_USBX_6_1_7  8u /* USBX 6.0 to 6.1.7: id 855 has two meanings; later device ids are one lower */

/* Returns the table's row for an id, or NULL. All user events (4096 to 65535) share one row. */
const struct txtap_event_info *txtap_event_find(uint32_t id, unsigned profile);

/* Returns the whole table, for tests and listings: *count rows, by id. */
const struct txtap_event_info *txtap_event_table(size_t *count);

TXTAP_API_END

#endif
