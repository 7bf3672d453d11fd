/* SPDX-License-Identifier: MIT */
#include "command/report/report_collect.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command/analysis_open.h"

static rlim_t address_space_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages;

    cr_assert(file != NULL && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void take_some_events(struct txtap_analysis *analysis)
{
    for (uint64_t i = 0; i < 10; i++) {
        const struct txtap_item item = {
            .kind = TXTAP_ITEM_EVENT,
            .event = {.seq = i, .ticks = i, .id = 103, .context = TXTAP_CONTEXT_THREAD, .thread = 0x20000000}};

        cr_assert_eq(txtap_analysis_take(analysis, &item), TXTAP_OK);
    }
}

Test(report_collect, says_that_memory_ended)
{
    static const struct txtap_registry names;
    static const struct options options;
    static struct report_results results;
    static struct identity identity;
    static struct report_input input = {.names = &names, .name = "x", .identity = &identity};
    struct error error = {0};
    struct rlimit limit, before;

#ifdef __SANITIZE_ADDRESS__
    cr_skip("a sanitizer needs all addresses");
#endif
    cr_assert_eq(analysis_open(&input.analysis, &options, report_sections(&options), &error), TXTAP_OK);
    take_some_events(input.analysis);
    cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
    limit = (struct rlimit){address_space_bytes(), before.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_expect_eq(report_collect(&results, &input, &options, &error), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(setrlimit(RLIMIT_AS, &before), 0);
    cr_expect_str_eq(error.what, "no memory for the report");
    error = (struct error){0};
    cr_expect_eq(report_collect(&results, &input, &options, &error), TXTAP_OK);
    cr_expect_gt(results.figures.count, 0);
    figures_free(&results.figures);
    free(input.analysis);
}
