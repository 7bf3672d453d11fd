/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "figures/histogram.h"
#include "txtap/figure.h"
#include "txtap/inner/figure_json.h"
#include "txtap/inner/registry.h"

Test(figure, each_statistic_has_its_own_name)
{
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        cr_assert_not_null(txtap_stat_name((enum txtap_stat)stat));
        for (unsigned other = 0; other < stat; other++)
            cr_assert(strcmp(txtap_stat_name((enum txtap_stat)stat), txtap_stat_name((enum txtap_stat)other)) != 0);
    }
    cr_assert_null(txtap_stat_name(TXTAP_STATS));
}

/* Several threads were created at one address and are counted as one thread. Returns the name of this thread. second,
 * third: names of the newer threads; NULL: there is no such thread. */
static const char *joint_name(const char *second, const char *third)
{
    static struct txtap_object objects[3];
    static struct txtap_registry registry;
    const struct txtap_subject subject = {.kind = TXTAP_SUBJECT_THREAD, .number = 0x100, .joined = true};
    struct txtap_object of[3] = {{.name = "worker"}, {.name = ""}, {.name = ""}};
    size_t count = 1;

    if (second != NULL)
        strcpy(of[count++].name, second);
    if (third != NULL)
        strcpy(of[count++].name, third);
    for (size_t i = 0; i < count; i++) {
        of[i].pointer = 0x100;
        of[i].type = TXTAP_OBJECT_THREAD;
        of[i].from_seq = 10 * i;
        of[i].until_seq = i + 1 < count ? 10 * (i + 1) : 0;
    }
    txtap_registry_init(&registry, objects, 3);
    txtap_registry_restore(&registry, of, count);
    return txtap_subject_name(&subject, &registry);
}

Test(figure, threads_counted_as_one_have_a_name_if_all_names_are_equal)
{
    cr_assert_str_eq(joint_name("worker", NULL), "worker");
    cr_assert_str_eq(joint_name("worker", "worker"), "worker");
    cr_assert_str_eq(joint_name("other", NULL), "");
    cr_assert_str_eq(joint_name("worker", "other"), "");
    cr_assert_str_eq(joint_name(NULL, NULL), "", "the other one is not known");
}

static bool may_get_name(enum txtap_subject_kind kind, const struct txtap_object *object)
{
    static struct txtap_object objects[1];
    static struct txtap_registry registry;
    const struct txtap_subject subject = {.kind = kind, .number = 0x100};

    txtap_registry_init(&registry, objects, 1);
    if (object != NULL)
        txtap_registry_restore(&registry, object, 1);
    return txtap_subject_may_get_name(&subject, &registry);
}

Test(figure, a_name_may_still_come_until_the_registry_is_certain)
{
    struct txtap_object object = {.pointer = 0x100, .type = TXTAP_OBJECT_THREAD, .name = "worker"};

    cr_expect(may_get_name(TXTAP_SUBJECT_THREAD, NULL));
    cr_expect(may_get_name(TXTAP_SUBJECT_OBJECT, NULL));
    cr_expect_not(may_get_name(TXTAP_SUBJECT_INTERRUPT, NULL));
    cr_expect_not(may_get_name(TXTAP_SUBJECT_THREAD, &object));
    object.unknown = true;
    cr_expect(may_get_name(TXTAP_SUBJECT_THREAD, &object));
    object.unknown = false;
    object.name[0] = '\0';
    cr_expect_not(may_get_name(TXTAP_SUBJECT_THREAD, &object), "it has no name for good");
    object.late = true;
    cr_expect(may_get_name(TXTAP_SUBJECT_THREAD, &object));
}

/* ---- bars ---- */

#define BARS_MAX 10

static struct histogram_page pages[2000];

static uint64_t some_value(uint64_t *state, uint64_t bits)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return bits == 0 ? 7 : *state >> 1 >> (63 - bits);
}

Test(figure, bars_cover_all_samples_from_the_smallest_to_the_largest)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct histogram_pool pool;
        struct histogram samples = {0};
        struct txtap_figure figure = {.samples = &samples, .pool = &pool};
        struct txtap_bar bars[BARS_MAX];
        uint64_t state = seed, values[50], kept = 0;
        size_t count;

        histogram_pool_init(&pool, pages, 2000);
        cr_assert_eq(txtap_figure_bars(&figure, bars, BARS_MAX), 0);
        for (size_t i = 0; i < 50; i++) {
            values[i] = some_value(&state, seed % 62) + some_value(&state, seed / 8 % 62);
            histogram_add(&samples, &pool, values[i], i);
        }
        count = txtap_figure_bars(&figure, bars, 2 + seed % (BARS_MAX - 1));
        cr_assert(count >= 1 && count <= 2 + seed % (BARS_MAX - 1), "seed %d: %zu", (int)seed, count);
        cr_assert_eq(bars[0].from, samples.min);
        cr_assert_eq(bars[count - 1].to, samples.max);
        for (size_t i = 0; i < count; i++) {
            uint64_t inside = 0;

            for (size_t j = 0; j < 50; j++)
                inside += values[j] >= bars[i].from && values[j] <= bars[i].to;
            cr_assert_eq(bars[i].count, inside, "seed %d", (int)seed);
            cr_assert(i == 0 || bars[i].from == bars[i - 1].to + 1, "seed %d", (int)seed);
            kept += bars[i].count;
        }
        cr_assert_eq(kept, 50);
        samples.missed = 1;
        cr_assert_eq(txtap_figure_bars(&figure, bars, BARS_MAX), 0);
    }
}
