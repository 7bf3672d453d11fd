/* SPDX-License-Identifier: MIT */
#include "dap_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

struct dap_fixture fixture;
const struct dap_settings fixture_settings = {.name = "Test Probe", .serial = "0123", .node = ""};

unsigned fixture_version = 2;

struct dap_pipe fixture_pipe(size_t packet_bytes, unsigned packets, const struct debug_target *target)
{
    return fixture_version == 1 ? dap_probe_init_v1(&fixture.probe, packet_bytes, packets, target)
                                : dap_probe_init(&fixture.probe, packet_bytes, packets, target);
}

enum txtap_status fixture_open(size_t packet_bytes, unsigned packets, const struct dap_settings *settings,
                               const struct debug_target *target)
{
    struct dap_pipe pipe = fixture_pipe(packet_bytes, packets, target);

    return dap_source_open(&fixture.source, pipe, settings, DAP_FIXTURE_TIMEOUT, &fixture.error);
}

void fixture_begin(size_t packet_bytes, unsigned packets)
{
    cr_assert_eq(fixture_open(packet_bytes, packets, &fixture_settings, NULL), TXTAP_OK, "%s",
                 error_line(&fixture.error));
}

void fixture_end(void)
{
    dap_source_of(fixture.source).ops->close(dap_source_of(fixture.source).self);
    cr_expect(fixture.probe.closed);
}

static const struct {
    uint32_t address, length;
} pieces[] = {{START + 0x3F8, 20}, {START + 0x10, 4}, {START + 0x20, 0}, {START + 0x7FC, 1500}, {START + 0xC00, 1024}};

enum { PIECES = sizeof pieces / sizeof *pieces };

enum txtap_status fixture_read(void)
{
    struct txtap_read reads[PIECES];
    size_t used = 0;

    memset(fixture.got, 0xEE, sizeof fixture.got);
    for (size_t i = 0; i < PIECES; i++) {
        reads[i] = (struct txtap_read){pieces[i].address, pieces[i].length, fixture.got + used};
        used += pieces[i].length;
    }
    return dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, reads, PIECES);
}

void fixture_is_right(const char *when)
{
    size_t used = 0;

    for (size_t i = 0; i < PIECES; i++) {
        cr_assert_arr_eq(fixture.got + used, fixture.probe.target.memory + (pieces[i].address - START),
                         pieces[i].length, "%s: piece %zu", when, i);
        used += pieces[i].length;
    }
    cr_assert_eq(fixture.got[used], 0xEE);
}

void fixture_reads(const char *when)
{
    cr_assert_eq(fixture_read(), TXTAP_OK, "%s: %s", when, source_error_line(dap_source_of(fixture.source)));
    fixture_is_right(when);
}
