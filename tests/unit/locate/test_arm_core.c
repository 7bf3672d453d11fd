/* SPDX-License-Identifier: MIT */
/* The core that a firmware was built for, from its build attributes. */
#include "locate/arm_core.h"

#include <string.h>

#include <criterion/criterion.h>

#define ATTRIBUTES_MAX 64

/* Writes a section with one subsection of "aeabi", which has the attributes of the file. Returns its length. */
static size_t make(uint8_t bytes[static ATTRIBUTES_MAX], const uint8_t *attributes, size_t length)
{
    const uint8_t head[] = {'A', (uint8_t)(15 + length), 0, 0, 0, 'a', 'e', 'a', 'b', 'i', 0,
                            1,   (uint8_t)(5 + length),  0, 0, 0};

    cr_assert(sizeof head + length <= ATTRIBUTES_MAX);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, attributes, length);
    return sizeof head + length;
}

static void core_is(const char *name, bool cycle_counter, bool may_cache, const uint8_t *attributes, size_t length)
{
    uint8_t bytes[ATTRIBUTES_MAX];
    struct arm_core core = arm_core_parse(bytes, make(bytes, attributes, length));

    cr_assert(name == NULL ? core.name == NULL : core.name != NULL && strcmp(core.name, name) == 0, "%s",
              core.name != NULL ? core.name : "unknown");
    cr_expect(core.cycle_counter == cycle_counter, "%s", core.name);
    cr_expect(core.may_cache == may_cache, "%s", core.name);
}

#define CORE_IS(name, cycle_counter, may_cache, ...)                                                                   \
    core_is(name, cycle_counter, may_cache, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* The attributes are those that GCC 12 writes for -mcpu, in its order. */
Test(arm_core, architectures_of_cortex_m)
{
    CORE_IS("Armv6-M (Cortex-M0, M0+, M1)", false, false, 5, '6', 'S', '-', 'M', 0, 6, 12, 7, 'M', 9, 1);
    CORE_IS("Armv6-M (Cortex-M0, M0+, M1)", false, false, 6, 11, 7, 'M');
    CORE_IS("Armv7-M (Cortex-M3)", true, false, 5, '7', '-', 'M', 0, 6, 10, 7, 'M', 9, 2);
    CORE_IS("Armv8-M Baseline (Cortex-M23)", false, false, 6, 16, 7, 'M');
    CORE_IS("Armv8-M Mainline (Cortex-M33)", true, false, 6, 17, 7, 'M');
    CORE_IS("Armv8.1-M Mainline (Cortex-M52, M55, M85)", true, true, 6, 21, 7, 'M');
}

Test(arm_core, cortex_m4_with_its_floating_point_unit_has_no_cache)
{
    CORE_IS("Armv7E-M (Cortex-M4, M7)", true, true, 6, 13, 7, 'M');
    CORE_IS("Armv7E-M (Cortex-M4, M7)", true, false, 6, 13, 7, 'M', 10, 6);
    CORE_IS("Armv7E-M (Cortex-M4, M7)", true, true, 6, 13, 7, 'M', 10, 8);
}

Test(arm_core, other_cores_are_unknown)
{
    CORE_IS(NULL, false, false, 6, 10, 7, 'R'); /* Armv7-R */
    CORE_IS(NULL, false, false, 6, 14, 7, 'A'); /* Armv8-A */
    CORE_IS(NULL, false, false, 9, 2);
}

/* Attributes with texts, and numbers of two bytes, precede the architecture. */
Test(arm_core, other_attributes_are_skipped)
{
    CORE_IS("Armv7-M (Cortex-M3)", true, false, 4, 'x', 0, 32, 1, 'y', 0, 65, 6, 0, 64, 0x80, 1, 67, 'z', 0, 6, 10, 7,
            'M');
}

Test(arm_core, the_subsection_of_another_vendor_is_skipped)
{
    static const uint8_t other[] = {'A', 8, 0, 0, 0, 'g', 'n', 'u', 0};
    static const uint8_t attributes[] = {6, 17, 7, 'M'};
    uint8_t bytes[sizeof other + ATTRIBUTES_MAX], own[ATTRIBUTES_MAX];
    size_t length = make(own, attributes, sizeof attributes);

    memcpy(bytes, other, sizeof other);
    memcpy(bytes + sizeof other, own + 1, length - 1);
    cr_assert_str_eq(arm_core_parse(bytes, sizeof other + length - 1).name, "Armv8-M Mainline (Cortex-M33)");
}

/* A damaged section gives an unknown core or a core of the table, and no access beyond the end. */
Test(arm_core, damage_is_harmless)
{
    static const uint8_t attributes[] = {5, '7', '-', 'M', 0, 6, 10, 7, 'M'};
    uint8_t bytes[ATTRIBUTES_MAX];
    size_t length = make(bytes, attributes, sizeof attributes);

    for (size_t part = 0; part < length; part++) {
        uint8_t *copy = malloc(part + 1); /* of the exact size, for AddressSanitizer */

        memcpy(copy, bytes, part);
        cr_expect(arm_core_parse(copy, part).name == NULL, "%zu bytes", part);
        free(copy);
    }
    for (size_t bit = 0; bit < 8 * length; bit++) {
        uint8_t *copy = malloc(length);

        memcpy(copy, bytes, length);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        (void)arm_core_parse(copy, length);
        free(copy);
    }
}
