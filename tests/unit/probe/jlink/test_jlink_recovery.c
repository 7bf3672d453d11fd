/* SPDX-License-Identifier: MIT */
/* A J-Link whose answers go wrong, and a target whose acknowledgements and data do. The source must recover or report
 * an error, and data must be right or missing. */
#include "probe/jlink/jlink_pipe.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probe/dap/dap_fixture.h"
#include "sanitized.h"

#define STEP (RUNS_DIVISOR > 1 ? 5u : 1u)

static struct jlink_front *const front = &fixture.probe.jlink;

/* Opens a source, and reads twice. Returns the status of the first failure. */
static enum txtap_status open_and_read(struct dap_pipe bulk, const char *when)
{
    struct dap_pipe pipe;
    enum txtap_status status;

    cr_assert_eq(jlink_pipe_open(&pipe, bulk, &fixture.error), TXTAP_OK);
    status = dap_source_open(&fixture.source, pipe, &fixture_settings, DAP_FIXTURE_TIMEOUT, &fixture.error);
    if (status != TXTAP_OK)
        return status;
    for (unsigned i = 0; i < 2 && status == TXTAP_OK; i++) {
        status = fixture_read();
        if (status == TXTAP_OK)
            fixture_is_right(when);
    }
    if (status != TXTAP_OK)
        (void)failure(&fixture.error, status, "%s", source_error_line(dap_source_of(fixture.source)));
    front->target.trouble_count = 0;
    if (status == ERROR_TARGET)
        fixture_reads(when);
    fixture_end();
    return status;
}

static void check_untouched(const char *when)
{
    cr_assert(fixture.probe.closed, "%s", when);
    cr_assert_eq(fixture.probe.target.writes, 0, "%s", when);
    cr_assert_eq(fixture.probe.target.resets, 0, "%s", when);
    cr_assert_eq(front->target.port.writes_elsewhere, 0, "%s", when);
    cr_assert_lt(fixture.probe.commands, 20000, "%s", when);
    cr_assert_eq(front->target.requests[0x0D], 0, "%s: DRW is written", when);
}

/* ---- USB ---- */

static unsigned answers_of_a_run(void)
{
    struct dap_pipe bulk = dap_probe_init_jlink(&fixture.probe, NULL);

    cr_assert_eq(open_and_read(bulk, "without trouble"), TXTAP_OK, "%s", error_line(&fixture.error));
    return fixture.probe.answers;
}

static bool reaches_jlinks(enum dap_trouble trouble)
{
    return trouble < SWD_WAITS || trouble >= UNPLUGGED;
}

static void go_wrong(enum dap_trouble trouble, unsigned at, unsigned count)
{
    struct dap_pipe bulk = dap_probe_init_jlink(&fixture.probe, NULL);
    enum txtap_status status;
    char when[80];

    snprintf(when, sizeof when, "trouble %d, %u times from answer %u", trouble, count, at);
    fixture.probe.trouble = trouble;
    fixture.probe.trouble_at = at;
    fixture.probe.trouble_count = count;
    status = open_and_read(bulk, when);
    if (count == 1 && trouble < RECOVERABLE_END)
        cr_assert_eq(status, TXTAP_OK, "%s: %s", when, error_line(&fixture.error));
    check_untouched(when);
}

Test(jlink_recovery, the_nth_answer_goes_wrong_in_every_way)
{
    unsigned answers = answers_of_a_run();

    for (enum dap_trouble trouble = LOST; trouble < DAP_TROUBLES; trouble++)
        for (unsigned at = 0; at < answers && reaches_jlinks(trouble); at++)
            go_wrong(trouble, at, 1);
}

Test(jlink_recovery, several_answers_go_wrong_in_a_row)
{
    unsigned answers = answers_of_a_run();

    for (enum dap_trouble trouble = LOST; trouble < DAP_TROUBLES; trouble++)
        for (unsigned at = 0; at < answers && reaches_jlinks(trouble); at++) {
            go_wrong(trouble, at, 2);
            go_wrong(trouble, at, 5);
            go_wrong(trouble, at, UINT32_MAX / 2);
        }
}

/* ---- the wire ---- */

static uint64_t requests_of_a_run(void)
{
    (void)answers_of_a_run();
    return front->target.requests_so_far;
}

static enum txtap_status go_wrong_on_the_wire(enum swd_ack trouble, uint64_t at, uint64_t count, char when[static 80])
{
    struct dap_pipe bulk = dap_probe_init_jlink(&fixture.probe, NULL);
    enum txtap_status status;

    snprintf(when, 80, "acknowledgement %d, %u times from request %u", trouble, (unsigned)count, (unsigned)at);
    front->target.trouble = trouble;
    front->target.trouble_at = at;
    front->target.trouble_count = count;
    status = open_and_read(bulk, when);
    check_untouched(when);
    return status;
}

/* Only a fault or a target that does not answer at all may be an error, once; the next read reaches it again. */
Test(jlink_recovery, the_nth_request_gets_every_acknowledgement)
{
    static const enum swd_ack troubles[] = {SWD_WAIT, SWD_FAULT, SWD_PARITY, SWD_SILENT};
    uint64_t requests = requests_of_a_run();
    char when[80];

    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
        for (uint64_t at = 0; at < requests; at += at < 150 ? STEP : 7 * STEP) {
            enum txtap_status status = go_wrong_on_the_wire(troubles[i], at, 1, when);

            if (status != TXTAP_OK)
                cr_assert(status == ERROR_TARGET && (troubles[i] == SWD_SILENT || troubles[i] == SWD_FAULT), "%s: %s",
                          when, error_line(&fixture.error));
        }
}

/* A debug port that waits for long is asked again and again, without any error. */
Test(jlink_recovery, wait_is_repeated_until_the_target_is_ready)
{
    uint64_t requests = requests_of_a_run();
    char when[80];

    for (uint64_t at = 30; at < requests; at += 13)
        cr_assert_eq(go_wrong_on_the_wire(SWD_WAIT, at, 90, when), TXTAP_OK, "%s: %s", when,
                     error_line(&fixture.error));
}

Test(jlink_recovery, a_target_that_waits_forever_is_an_error)
{
    char when[80];

    cr_expect_eq(go_wrong_on_the_wire(SWD_WAIT, 200, UINT32_MAX, when), ERROR_TARGET, "%s", error_line(&fixture.error));
}
