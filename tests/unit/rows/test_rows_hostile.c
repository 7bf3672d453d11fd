/* SPDX-License-Identifier: MIT */
/* Rows must stay consistent whatever changes they get. The test runs the fuzzer's checks with random bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fuzz.h"
#include "rows/rows_fixture.h"

Test(rows_hostile, survive_any_changes)
{
    uint8_t bytes[600];
    uint64_t state = 4711;

    for (unsigned run = 0; run < 1500; run++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = (uint8_t)(state >> 40);
        }
        cr_assert_eq(LLVMFuzzerTestOneInput(bytes, 3 + run % (sizeof bytes - 3)), 0);
    }
}

static void take(struct txtap_rows *rows, enum txtap_change_kind kind, uint64_t ticks, enum txtap_thread_state now)
{
    struct txtap_change change = {.kind = kind, .ticks = ticks, .seq = ticks};

    if (kind == TXTAP_CHANGE_EVENT)
        change.recorded.thread.number = TXTAP_CHANGE_NONE;
    else
        change.state = (struct txtap_change_state){
            .thread = {0, 0x1000, 1}, .state = now, .object = {.number = TXTAP_CHANGE_NONE}, .since = ticks};
    cr_assert_eq(txtap_rows_take(rows, &change), TXTAP_OK);
}

Test(rows_hostile, time_that_goes_back_is_held)
{
    struct txtap_rows *rows = fixture_rows(0, UINT32_MAX);
    uint64_t sums[TXTAP_ROW_STATES];
    struct txtap_row_step step;
    uint32_t row;

    take(rows, TXTAP_CHANGE_EVENT, 100, 0);
    take(rows, TXTAP_CHANGE_STATE, 100, TXTAP_THREAD_RUNNING);
    take(rows, TXTAP_CHANGE_EVENT, 50, 0);
    take(rows, TXTAP_CHANGE_STATE, 50, TXTAP_THREAD_READY);
    take(rows, TXTAP_CHANGE_EVENT, 110, 0);
    take(rows, TXTAP_CHANGE_STATE, 110, TXTAP_THREAD_RUNNING);
    take(rows, TXTAP_CHANGE_EVENT, 130, 0);
    row = fixture_row(rows, TXTAP_ROW_THREAD, 0x1000);
    txtap_rows_sums(rows, row, 0, UINT64_MAX, sums);
    cr_assert_eq(sums[TXTAP_ROW_RUNNING], 20);
    cr_assert_eq(sums[TXTAP_ROW_READY], 10);
    cr_assert(txtap_rows_step(rows, row, 0, &step));
    cr_assert(step.state == TXTAP_ROW_RUNNING && step.from_ticks == 100 && step.to_ticks == 100);
    cr_assert(txtap_rows_at(rows, row, 100, &step));
    cr_assert_eq(step.state, TXTAP_ROW_READY, "of those at that time the last");
    fixture_close(rows);
}
