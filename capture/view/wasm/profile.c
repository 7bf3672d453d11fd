/* SPDX-License-Identifier: MIT */
/* The profile of a part of the trace: its samples of the program counter, counted by thread and function. */
#include <stdio.h>
#include <stdlib.h>

#include "txtap/inner/functions.h"
#include "txtap/inner/profile.h"
#include "txtap/inner/rows_samples.h"
#include "view/wasm/answers.h"

/* Gets the function of the definitions that begins at or before the address. The definitions have no lines of source
 * code. */
static size_t find_frames(void *self, uint32_t pc, struct txtap_profile_frame frames[static TXTAP_PROFILE_FRAMES_MAX])
{
    const struct view_trace *trace = self;
    const struct txtap_word *function = txtap_function_before(trace->definitions, pc);

    frames[0] = (struct txtap_profile_frame){.function = function != NULL ? function->word : NULL};
    return function != NULL;
}

static bool find_context(void *self, uint32_t context, char *text, size_t size)
{
    const struct view_trace *trace = self;
    const char *name = "";

    for (size_t i = trace->era_count; i > 0 && name[0] == '\0' && txtap_profile_is_thread(context); i--)
        name = txtap_registry_name(&trace->eras[i - 1]->registry, context);
    (void)snprintf(text, size, "%s", name);
    return name[0] != '\0';
}

/* Counts the samples of a row from the time `from` to the time `to`. */
static void add_row(const struct txtap_rows *rows, uint32_t row, uint64_t from, uint64_t to,
                    struct txtap_profile *profile)
{
    struct txtap_row_sample of;

    for (uint32_t i = txtap_rows_first_sample(rows, row, from);
         txtap_rows_sample(rows, row, i, &of) && of.sample.ticks <= to; i++) {
        if (of.sample.state == TXTAP_SAMPLE_ASLEEP)
            txtap_profile_add(profile, 0, TXTAP_PROFILE_ASLEEP);
        else if (of.sample.state == TXTAP_SAMPLE_VALID)
            txtap_profile_add(profile, (uint32_t)of.sample.bits, of.sample.thread);
    }
}

static enum txtap_status write_out(void *self, const char *bytes, size_t length)
{
    text_add(self, bytes, length);
    return TXTAP_OK;
}

void answer_profile(struct view_trace *trace, uint64_t from, uint64_t to)
{
    struct txtap_profile *profile = malloc(sizeof *profile);
    struct txtap_row row;

    text_clear(&trace->out);
    if (profile == NULL) {
        trace->out.failed = true;
        return;
    }
    txtap_profile_init(profile, (struct txtap_profile_names){find_frames, find_context, trace});
    for (uint32_t i = 0; txtap_rows_row(trace->timeline.rows, i, &row); i++)
        if (row.kind == TXTAP_ROW_PC)
            add_row(trace->timeline.rows, i, from, to, profile);
    (void)txtap_profile_json(profile, (struct txtap_writer){write_out, &trace->out});
    free(profile);
}
