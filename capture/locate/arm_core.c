/* SPDX-License-Identifier: MIT */
/*
 * Parses build attributes: Addenda to, and Errata in, the ABI for the Arm Architecture, "Build Attributes". The section
 * is 'A', and then subsections: length (4 bytes, includes itself), vendor's name, and parts: tag, length (4 bytes,
 * includes tag and itself), attributes. Only numbers of "aeabi" for the whole file are used. Lengths have the byte
 * order of the file; 32-bit Arm code is nearly always little-endian, and another file has an unknown core.
 */
#include "locate/arm_core.h"

#include <string.h>

#define VENDOR "aeabi"

enum tag {
    TAG_FILE = 1,
    TAG_CPU_RAW_NAME = 4,
    TAG_CPU_NAME = 5,
    TAG_CPU_ARCH = 6,
    TAG_CPU_ARCH_PROFILE = 7,
    TAG_FP_ARCH = 10,
    TAG_COMPATIBILITY = 32, /* a number and a text; above it, odd tags have a text, and even tags have a number */
};

#define ARCH_7       10u  /* with all profiles: A, R and M */
#define FP_VFPV4_D16 6u   /* Cortex-M4: Cortex-M7 has a later one */
#define PROFILE_M    0x4D /* 'M' */

static const struct architecture {
    uint32_t arch; /* value of Tag_CPU_arch */
    struct arm_core core;
} architectures[] = {
    {ARCH_7, {"Armv7-M (Cortex-M3)", true, false}},
    {11, {"Armv6-M (Cortex-M0, M0+, M1)", false, false}},
    {12, {"Armv6-M (Cortex-M0, M0+, M1)", false, false}}, /* Armv6S-M: with the operating system's extension */
    {13, {"Armv7E-M (Cortex-M4, M7)", true, true}},
    {16, {"Armv8-M Baseline (Cortex-M23)", false, false}},
    {17, {"Armv8-M Mainline (Cortex-M33)", true, false}},
    {21, {"Armv8.1-M Mainline (Cortex-M52, M55, M85)", true, true}},
};

struct reader {
    const uint8_t *at;
    size_t left;
};

/* Takes a number of up to 32 bits, in groups of seven bits. False: the bytes end, or the number is larger. */
static bool take_number(struct reader *reader, uint32_t *number)
{
    *number = 0;
    for (unsigned shift = 0; reader->left > 0 && shift < 32; shift += 7) {
        uint8_t byte = *reader->at++;

        reader->left--;
        *number |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_text(struct reader *reader)
{
    const uint8_t *end = memchr(reader->at, '\0', reader->left);

    if (end == NULL)
        return false;
    reader->left -= (size_t)(end + 1 - reader->at);
    reader->at = end + 1;
    return true;
}

/* Takes a part that begins with its length; `before` bytes of the length are already taken. */
static bool take_part(struct reader *reader, size_t before, struct reader *part)
{
    size_t length;

    if (reader->left < 4)
        return false;
    length =
        (size_t)reader->at[0] | (size_t)reader->at[1] << 8 | (size_t)reader->at[2] << 16 | (size_t)reader->at[3] << 24;
    if (length < before + 4 || length - before > reader->left)
        return false;
    *part = (struct reader){reader->at + 4, length - before - 4};
    reader->at += length - before;
    reader->left -= length - before;
    return true;
}

static bool has_text(uint32_t tag)
{
    return tag == TAG_CPU_RAW_NAME || tag == TAG_CPU_NAME || (tag > TAG_COMPATIBILITY && tag % 2 == 1);
}

static struct arm_core core_of(uint32_t arch, uint32_t profile, uint32_t fp)
{
    struct arm_core none = {.name = NULL};

    for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++) {
        struct arm_core core = architectures[i].core;

        if (architectures[i].arch != arch || (arch == ARCH_7 && profile != PROFILE_M))
            continue;
        core.may_cache = core.may_cache && fp != FP_VFPV4_D16;
        return core;
    }
    return none;
}

static struct arm_core parse_attributes(struct reader attributes)
{
    uint32_t tag, number = 0, arch = 0, profile = 0, fp = 0;

    while (take_number(&attributes, &tag)) {
        if (!has_text(tag) && !take_number(&attributes, &number))
            break;
        if ((has_text(tag) || tag == TAG_COMPATIBILITY) && !take_text(&attributes))
            break;
        if (tag == TAG_CPU_ARCH)
            arch = number;
        else if (tag == TAG_CPU_ARCH_PROFILE)
            profile = number;
        else if (tag == TAG_FP_ARCH)
            fp = number;
    }
    return core_of(arch, profile, fp);
}

struct arm_core arm_core_parse(const uint8_t *bytes, size_t length)
{
    struct reader section, vendor, part;
    uint32_t tag;

    if (length < 1 || bytes[0] != 'A')
        return (struct arm_core){.name = NULL};
    section = (struct reader){bytes + 1, length - 1};
    while (take_part(&section, 0, &vendor)) {
        bool is_arm = vendor.left > sizeof VENDOR && memcmp(vendor.at, VENDOR, sizeof VENDOR) == 0;

        if (!is_arm || !take_text(&vendor))
            continue;
        while (vendor.left > 0) {
            tag = *vendor.at++;
            vendor.left--;
            if (!take_part(&vendor, 1, &part))
                break;
            if (tag == TAG_FILE)
                return parse_attributes(part);
        }
    }
    return (struct arm_core){.name = NULL};
}

struct arm_core arm_core(const struct elf_file *elf)
{
    size_t length;
    const uint8_t *bytes = elf_arm_attributes(elf, &length);

    return bytes != NULL ? arm_core_parse(bytes, length) : (struct arm_core){.name = NULL};
}
