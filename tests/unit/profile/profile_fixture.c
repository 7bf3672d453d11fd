/* SPDX-License-Identifier: MIT */
#include "profile/profile_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t frames_of(void *self, uint32_t pc, struct txtap_profile_frame frames[static TXTAP_PROFILE_FRAMES_MAX])
{
    (void)self;
    switch (pc) {
    case PC_LOOP:
        frames[0] = (struct txtap_profile_frame){"loop", "src/main.c", 10};
        return 1;
    case PC_INLINED:
        frames[0] = (struct txtap_profile_frame){"step", "src/step.h", 3};
        frames[1] = (struct txtap_profile_frame){"loop", "src/main.c", 12};
        return 2;
    case PC_FILTER:
        frames[0] = (struct txtap_profile_frame){"filter", "src/main.c", 30};
        return 1;
    default:
        return 0;
    }
}

static bool context_name(void *self, uint32_t context, char *text, size_t size)
{
    (void)self;
    if (context == THREAD_A)
        snprintf(text, size, "sampler");
    return context == THREAD_A;
}

const struct txtap_profile_names profile_names = {.frames = frames_of, .context = context_name};

struct txtap_profile *profile_new(void)
{
    struct txtap_profile *profile = malloc(sizeof *profile);

    cr_assert_not_null(profile);
    txtap_profile_init(profile, profile_names);
    return profile;
}

const struct txtap_profile_row *profile_row(struct txtap_profile *profile, enum txtap_profile_level level,
                                            const char *function)
{
    size_t count = txtap_profile_sort(profile, level);

    for (size_t i = 0; i < count; i++) {
        const struct txtap_profile_row *row = &profile->rows[profile->order[i].row];

        if (strcmp(txtap_profile_function(profile, row), function) == 0)
            return row;
    }
    return NULL;
}
