/* SPDX-License-Identifier: MIT */
/* Makes the bytes of each command to an ST-Link, and parses the answers. Pure. No function makes a command that writes
 * memory or core registers. Source: OpenOCD 0.12.0 and later, src/jtag/drivers/stlink_usb.c; tried on no real probe. */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_COMMAND_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stlink/stlink_pipe.h"

/* ---- the probe's firmware ---- */

#define STLINK_VERSION_BYTES      6
#define STLINK_VERSION_V3_BYTES   12
#define STLINK_VERSION_TEXT_BYTES 24

/* Abilities that not every permitted version has. */
enum stlink_ability {
    STLINK_OPENS_PORTS = 1,  /* an access port must be opened before its use: V2J28, V3 */
    STLINK_CHOOSES_PORT = 2, /* reads name their access port: V2J32, V3 */
    STLINK_RUNS_LISTS = 4,   /* RW_MISC: V2J32, V3 */
    STLINK_LISTS_CLOCKS = 8, /* the probe tells its clocks: V3 */
};

struct stlink_version {
    unsigned major, jtag;
    unsigned abilities;                   /* set of enum stlink_ability */
    const char *least;                    /* NULL, or the least version that txtap can use: this version is too old */
    char text[STLINK_VERSION_TEXT_BYTES]; /* "V2J37M26" */
};

void stlink_make_version(struct stlink_command *command);
void stlink_make_version_v3(struct stlink_command *command);

/* Parses the answer to stlink_make_version(). *more: the probe is a V3, so parse the answer to
 * stlink_make_version_v3(), too. False: the bytes are not an ST-Link's version. */
bool stlink_take_version(const uint8_t bytes[static STLINK_VERSION_BYTES], struct stlink_version *version, bool *more);
bool stlink_take_version_v3(const uint8_t bytes[static STLINK_VERSION_V3_BYTES], struct stlink_version *version);

/* ---- the probe's mode, supply and clock ---- */

enum stlink_mode { STLINK_MODE_DFU, STLINK_MODE_IDLE, STLINK_MODE_DEBUG, STLINK_MODE_SWIM, STLINK_MODE_BOOT };

void stlink_make_mode(struct stlink_command *command);
/* Makes the command that leaves a mode. Returns false if there is no such command for this mode. */
bool stlink_make_leave(struct stlink_command *command, enum stlink_mode mode);
void stlink_make_enter(struct stlink_command *command);
void stlink_make_voltage(struct stlink_command *command);
/* Returns millivolts; 0: the probe did not measure. */
unsigned stlink_take_voltage(const uint8_t bytes[static 8]);

#define STLINK_CLOCKS_BYTES 52
#define STLINK_CLOCKS_MAX   10

/* Makes the command for the fastest clock of a V2 up to `khz`, or its slowest clock. Returns this clock, in kHz. */
unsigned stlink_make_clock_v2(struct stlink_command *command, unsigned khz);
void stlink_make_clocks(struct stlink_command *command);
/* Chooses the fastest clock up to `khz` from the answer to stlink_make_clocks(), or the slowest clock. 0: the answer
 * has no clocks. */
unsigned stlink_choose_clock(const uint8_t bytes[static STLINK_CLOCKS_BYTES], unsigned khz);
void stlink_make_clock_v3(struct stlink_command *command, unsigned khz);

/* ---- the debug port and an access port ---- */

void stlink_make_identity(struct stlink_command *command); /* reads DPIDR */
void stlink_make_clear_errors(struct stlink_command *command);
void stlink_make_open_port(struct stlink_command *command, uint8_t port);
void stlink_make_close_port(struct stlink_command *command, uint8_t port);

/* ---- reads ---- */

#define STLINK_STATUS_BYTES 12

/* Reads `length` bytes, a multiple of 4 up to STLINK_READ_BYTES_MAX. */
void stlink_make_read(struct stlink_command *command, uint32_t address, uint32_t length, uint8_t port);
/* Asks for the status of the last read. */
void stlink_make_status(struct stlink_command *command);

/* Begins a list of words to read; stlink_add_word() adds a word. The list has at most STLINK_STEPS_MAX - 1 words. */
void stlink_make_list(struct stlink_command *command, uint8_t port);
void stlink_add_word(struct stlink_command *command, uint32_t address);
/* Makes the command that fetches the words of `list`. */
void stlink_make_fetch(struct stlink_command *command, const struct stlink_command *list);
/* Gets word `index` of a list of `words` words. Returns the status of this word. */
enum stlink_result stlink_take_word(const uint8_t *bytes, size_t words, size_t index, uint8_t word[static 4]);

/* ---- answers ---- */

/* Returns the result of a status byte. */
enum stlink_result stlink_result_of(uint8_t status);

uint32_t stlink_word(const uint8_t bytes[static 4]);

#endif
