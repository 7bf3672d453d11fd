/* SPDX-License-Identifier: MIT */
/* What the library says about itself: its version, and how much memory the caller must provide. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "txtap/txtap.h"
#include "txtap/inner/next_context.h"

Test(library, has_its_version_as_numbers_and_as_text)
{
    char words[32];

    (void)snprintf(words, sizeof(words), "%d.%d.%d", TXTAP_VERSION_MAJOR, TXTAP_VERSION_MINOR, TXTAP_VERSION_PATCH);
    cr_assert_str_eq(txtap_version(), words);
    cr_assert_str_eq(txtap_version(), TXTAP_VERSION);
    cr_assert_lt(TXTAP_VERSION_PATCH, 256, "does not fit into TXTAP_VERSION_NUMBER");
    cr_assert_lt(TXTAP_VERSION_MINOR, 256, "does not fit into TXTAP_VERSION_NUMBER");
}

Test(library, versions_compare_as_numbers)
{
    cr_assert_lt(TXTAP_VERSION_AT(0, 1, 9), TXTAP_VERSION_AT(0, 2, 0));
    cr_assert_lt(TXTAP_VERSION_AT(0, 255, 255), TXTAP_VERSION_AT(1, 0, 0));
    cr_assert_eq(TXTAP_VERSION_NUMBER, TXTAP_VERSION_AT(TXTAP_VERSION_MAJOR, TXTAP_VERSION_MINOR, TXTAP_VERSION_PATCH));
}

/* README.md and the headers contain these figures, which are for machines with 64-bit pointers. */
Test(library, needs_as_much_memory_as_documented)
{
#define SIZE(type, most)                                                                                               \
    {                                                                                                                  \
#type, sizeof(struct type), most                                                                               \
    }
    static const struct {
        const char *name;
        size_t size, most;
    } sizes[] = {
        SIZE(txtap_clock, 128),
        SIZE(txtap_host_time, 5 * 1024),
        SIZE(txtap_object, 144),
        SIZE(txtap_event, 128),
        SIZE(txtap_filter, 4 * 1024),
        SIZE(txtap_registry, 4 * 1024),
        SIZE(txtap_trace, 7 * 1024),
        SIZE(txtap_item, 192),
        SIZE(txtap_event_maker, 5 * 1024),
        SIZE(txtap_channels, 400 * 1024),
        SIZE(txtap_recording_player, 140 * 1024),
        SIZE(txtap_ring, TXTAP_RING_STORAGE),
        SIZE(txtap_logger_ring, TXTAP_LOGGER_STORAGE),
        SIZE(txtap_ring_plan, 4 * 1024),
        SIZE(txtap_next_context, 3 * 1024),
        SIZE(txtap_container, 4 * 1024),
        SIZE(txtap_exporter, 4 * 1024),
        SIZE(txtap_definitions, 410 * 1024),
        SIZE(txtap_exporter_memory, 320 * 1024),
    };
#undef SIZE

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        printf("%-24s %zu\n", sizes[i].name, sizes[i].size);
        cr_expect_leq(sizes[i].size, sizes[i].most, "struct %s", sizes[i].name);
    }
}

static enum txtap_status forget(void *self, const char *bytes, size_t length)
{
    (void)self;
    (void)bytes;
    (void)length;
    return TXTAP_OK;
}

Test(library, opens_an_exporter_by_name_or_returns_an_error)
{
    static struct txtap_exporter_memory memory;
    struct txtap_exporter exporter;
    const struct txtap_writer writer = {forget, &memory};

    memory.used = 7;
    cr_assert_eq(txtap_exporter_init(&exporter, "jsonl", writer, &memory), TXTAP_OK);
    cr_assert_str_eq(exporter.ops->name, "jsonl");
    cr_assert_eq(exporter.writer.self, &memory);
    cr_assert_eq(exporter.memory, &memory);
    cr_assert_eq(memory.used, 0, "its earlier content is gone");
    cr_assert_eq(txtap_exporter_init(&exporter, "json", writer, &memory), TXTAP_ERROR_USAGE);
    cr_assert_null(exporter.ops);
}
