/* SPDX-License-Identifier: MIT */
/* Parses the options that say where the trace buffer is. The probes have their own options. */
#include "options/options.h"

#include "base/option_values.h"

enum key {
    KEY_SYMBOL = 890,
    KEY_ADDRESS,
    KEY_SCAN,
    KEY_RAM,
    KEY_WAIT,
};

const struct argp_option target_option_rows[] = {
    {"symbol", KEY_SYMBOL, "NAME", 0, "ELF symbol of the trace buffer, or of a pointer to it", 0},
    {"address", KEY_ADDRESS, "ADDR", 0, "address of the trace buffer", 0},
    {"scan", KEY_SCAN, NULL, 0, "search RAM for the trace buffer, even with an ELF file", 0},
    {"ram", KEY_RAM, "START:SIZE", 0, "RAM to search, e.g. 0x20000000:128K; may be repeated", 0},
    {"wait", KEY_WAIT, "TIME", OPTION_ARG_OPTIONAL,
     "wait until the server, the target and the trace buffer are available, at most TIME", 0},
    {0},
};

const struct argp_option memory_option_rows[] = {
    {"ram", KEY_RAM, "START:SIZE", 0, "memory that may be read although it is not in the ELF file; may be repeated", 0},
    {"wait", KEY_WAIT, "TIME", OPTION_ARG_OPTIONAL, "wait until the server and the target are available, at most TIME",
     0},
    {0},
};

/* The whole 32-bit address space except its last word, because no buffer can begin there. */
#define RAM_BYTES_MAX UINT32_C(0xFFFFFFFC)

static void ram_option(const struct argp_state *state, struct attach_config *config, const char *text)
{
    struct memory_region region = {0, 0};
    uint64_t size = 0;
    char *end;

    if (config->ring.wished.ram_count == MEMORY_REGIONS_MAX)
        option_error(state, "--ram: more than %d regions", MEMORY_REGIONS_MAX);
    if (!option_u32(text, &region.start, &end) || *end != ':' || !option_is_size(end + 1, 1, &size) || size == 0 ||
        size > UINT64_C(1) << 32 || region.start % 4 != 0 || region.start + size > UINT64_C(1) << 32)
        option_error(state, "--ram: '%s' is not START:SIZE such as 0x20000000:128K", text);
    region.size = size > RAM_BYTES_MAX ? RAM_BYTES_MAX : (uint32_t)size;
    config->ring.wished.ram[config->ring.wished.ram_count++] = region;
}

error_t target_option(struct attach_config *config, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case KEY_SYMBOL:
        config->ring.wished.symbol = text;
        return 0;
    case KEY_ADDRESS:
        config->ring.wished.address = option_address(state, "--address", text, 4);
        config->ring.wished.has_address = true;
        return 0;
    case KEY_SCAN:
        config->ring.wished.scan = true;
        return 0;
    case KEY_RAM:
        ram_option(state, config, text);
        return 0;
    case KEY_WAIT:
        config->wait = true;
        if (text)
            config->wait_seconds = option_seconds(state, "--wait", text, 1e-3, OPTION_SECONDS_MAX, "of at least 1ms");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
