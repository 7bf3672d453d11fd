/* SPDX-License-Identifier: MIT */
/*
 * Samples: data beside the events of a trace, on the same time axis. txtap reads them from the target's memory or from
 * a log while it follows the events. A channel is a sequence of samples with the same meaning, such as a variable.
 */
#ifndef TXTAP_SAMPLE_H
#define TXTAP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"

TXTAP_API_BEGIN

#define TXTAP_CHANNELS_MAX       256u  /* channels of a stream */
#define TXTAP_CHANNEL_NAME_BYTES 128u  /* with NUL */
#define TXTAP_CHANNEL_UNIT_BYTES 16u   /* with NUL */
#define TXTAP_CHANNEL_WORDS_MAX  256u  /* words of a channel */
#define TXTAP_CHANNEL_WORD_BYTES 64u   /* with NUL */
#define TXTAP_SAMPLE_TEXT_BYTES  1024u /* text of a log line, with NUL */

enum txtap_channel_kind {
    TXTAP_CHANNEL_VALUE, /* the value of a variable */
    TXTAP_CHANNEL_PC,    /* the program counter, and the thread that ran */
    TXTAP_CHANNEL_LOG,   /* lines of text */
    TXTAP_CHANNEL_KINDS
};

/* How the bits of a sample are a value. */
enum txtap_channel_form {
    TXTAP_FORM_UNSIGNED, /* a number from 0 to 2^64 - 1 */
    TXTAP_FORM_SIGNED,   /* a number in two's complement, extended to 64 bits */
    TXTAP_FORM_FLOAT,    /* IEEE 754 binary64, converted from the variable's type */
    TXTAP_FORM_BOOL,     /* 0 or 1 */
    TXTAP_FORM_ADDRESS,  /* an address in the target's memory */
    TXTAP_FORM_STATE,    /* a number that has a word, such as an enumerator; signed, extended to 64 bits */
    TXTAP_FORMS
};

/* The word for a number of a channel with the form STATE. */
struct txtap_channel_word {
    int64_t number;
    char text[TXTAP_CHANNEL_WORD_BYTES]; /* valid UTF-8 without control characters */
};

/* Names, units and words are valid UTF-8 without control characters, quotes and backslashes. */
struct txtap_channel {
    uint32_t number; /* 0 to TXTAP_CHANNELS_MAX - 1, unique in the stream */
    enum txtap_channel_kind kind;
    enum txtap_channel_form form;           /* of VALUE and PC; LOG: UNSIGNED */
    char name[TXTAP_CHANNEL_NAME_BYTES];    /* the expression, or the log's name; unique in the stream */
    char unit[TXTAP_CHANNEL_UNIT_BYTES];    /* "": no unit */
    const struct txtap_channel_word *words; /* borrowed; sorted by number */
    uint32_t word_count;
};

enum txtap_sample_state {
    TXTAP_SAMPLE_VALID,
    TXTAP_SAMPLE_UNREADABLE, /* the target's memory cannot be read at this address, or a pointer to it is invalid */
    TXTAP_SAMPLE_ASLEEP,     /* of PC: the core slept */
    TXTAP_SAMPLE_STATES
};

/*
 * A sample was taken at an unknown moment between two moments. Both are given in ticks and by the host's clock. The
 * item that contains the sample has the window of the host's monotonic clock.
 */
struct txtap_sample {
    const struct txtap_channel *channel; /* borrowed; valid until the stream ends */
    enum txtap_sample_state state;
    uint64_t seq;                  /* seq of the next event of the stream */
    uint64_t ticks;                /* best estimate, from from_ticks to to_ticks */
    uint64_t from_ticks, to_ticks; /* the sample was taken between these ticks */
    uint64_t unix_us;              /* host time of the sample in microseconds since 1970; 0: not known */
    uint64_t bits;                 /* VALUE, PC: the value, according to channel->form; 0 unless state is VALID */
    uint32_t thread;               /* PC: address of the thread that ran; 0: no thread, or not known */
    const char *text;              /* LOG: the line, any bytes except NUL and line feed; otherwise "" */
};

/* Returns the value of a VALUE sample as a number. An integer above 2^53 is rounded. */
double txtap_sample_number(const struct txtap_sample *sample);

/* Returns the bits of a number in the form FLOAT. */
uint64_t txtap_sample_bits(double number);

/* Returns the word for the sample's value; NULL: the form is not STATE, or the number has no word. */
const char *txtap_sample_word(const struct txtap_sample *sample);

#define TXTAP_SAMPLE_VALUE_BYTES 96u /* enough for each value, with its unit and NUL */

/*
 * Writes the value as text, without the unit: "-3", "0.25", "RUNNING", "true", "0x20000100"; a state without a word as
 * a number; "?" unless the state is VALID; "asleep" if the core slept. Returns the length without NUL. LOG: writes an
 * empty text.
 */
size_t txtap_sample_value_text(const struct txtap_sample *sample, char text[TXTAP_SAMPLE_VALUE_BYTES]);

/* The channels of a stream, with their words: 350 KiB, not for the stack. {0}: no channels. */
#define TXTAP_CHANNELS_WORDS_MAX 4096u /* words of all channels */
struct txtap_channels {
    size_t count;      /* number of channels in `at`, in the order in which they were added */
    size_t word_count; /* private */
    struct txtap_channel at[TXTAP_CHANNELS_MAX];
    struct txtap_channel_word words[TXTAP_CHANNELS_WORDS_MAX];
};

/*
 * Copies a channel and its words. Has no effect if an equal channel exists. Returns the copy. NULL: there is no room,
 * another channel has this number or name, or the channel is invalid (see struct txtap_channel).
 */
const struct txtap_channel *txtap_channels_add(struct txtap_channels *channels, const struct txtap_channel *channel);

/* Returns the channel with this number, or NULL. */
const struct txtap_channel *txtap_channels_find(const struct txtap_channels *channels, uint32_t number);

TXTAP_API_END

#endif
