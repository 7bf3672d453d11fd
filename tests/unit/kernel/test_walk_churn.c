/* SPDX-License-Identifier: MIT */
/*
 * Walks over the lists of a kernel that creates and deletes objects between any two words read. No object may have a
 * wrong name or values of two objects, and a complete list must have existed.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "kernel/kernel_model.h"
#include "sanitized.h"
#include "seeds.h"

#define WALKS      40
#define RUNS_MANY  100
#define CLASSES    (1u << TXTAP_OBJECT_THREAD | 1u << TXTAP_OBJECT_TIMER | 1u << TXTAP_OBJECT_QUEUE)
#define HEAD_START 400 /* steps before the first walk */

struct sums {
    uint64_t walks, exchanges, objects, complete, incomplete, missed;
};

static void count_lists(const struct model *model, struct sums *sums)
{
    for (uint8_t type = TXTAP_OBJECT_THREAD; type <= TXTAP_OBJECT_QUEUE; type++) {
        struct txtap_kernel_list list = txtap_kernel_list(model->kernel, type);

        sums->objects += list.found;
        sums->complete += list.complete;
        sums->incomplete += !list.complete;
        sums->missed += !list.complete && list.found < list.created;
    }
    sums->walks++;
    sums->exchanges += model->exchanges;
}

static void run(uint64_t seed, struct sums *sums)
{
    static const uint32_t calm[] = {1, 8, 64, 512};
    struct model *model = model_open(seed * 2654435761u + 1);

    model->bursts = seed % 2 == 0;
    model->distinct = seed / 8 % 2 == 0;
    model->calm = calm[seed / 2 % 4];
    for (unsigned i = 0; i < HEAD_START; i++)
        model_step(model);
    for (unsigned walk = 0; walk < WALKS; walk++) {
        const char *violation;

        model_walk(model, CLASSES, 0);
        violation = model_violation(model);
        cr_assert_null(violation, "seed %" PRIu64 ", walk %u: %s", seed, walk, violation);
        count_lists(model, sums);
    }
    model_close(model);
}

Test(kernel_churn, objects_lived_and_complete_lists_existed)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 400 / RUNS_DIVISOR);
    struct sums sums = {0};

    for (uint64_t i = 0; i < runs; i++)
        run(seed + i, &sums);
    fprintf(stderr,
            "kernel_churn: %" PRIu64 " walks, %" PRIu64 " exchanges, %" PRIu64 " objects, %" PRIu64
            " complete lists, %" PRIu64 " incomplete lists, %" PRIu64 " of them with missing objects\n",
            sums.walks, sums.exchanges, sums.objects, sums.complete, sums.incomplete, sums.missed);
    if (runs >= RUNS_MANY) /* a single seed may find few lists */
        cr_assert(sums.complete > sums.walks / 2 && sums.incomplete > sums.walks / 20 && sums.missed > 0,
                  "the runs did not exercise the walk");
}
