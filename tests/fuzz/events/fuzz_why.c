/* SPDX-License-Identifier: MIT */
/*
 * Feeds any events to the cut of a span, whose tables and log are too small. The first bytes choose the span; then 8
 * bytes are an event, a gap or a mark. For any input, the pieces must follow one another without a hole, pieces and
 * groups must add up to the span, and each piece must have a text. The causes of all stacks and pools must have bounds
 * that fit, and a text.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "items.h"
#include "txtap/inner/why.h"
#include "txtap/inner/why_memory.h"

#define HEAD_BYTES 8u

static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    return txtap_subject_name(subject, self);
}

static void check_text(const struct txtap_why_piece *piece, const struct txtap_finding_names *names)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    REQUIRE(piece->link_count <= TXTAP_WHY_DEPTH && piece->state < TXTAP_WHY_STATES);
    REQUIRE(*txtap_why_piece_text(text, piece, names) != '\0' && strlen(text) < TXTAP_WHY_TEXT_BYTES);
}

static void check_summary(const struct txtap_why_summary *summary, const struct txtap_finding_names *names)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    REQUIRE(summary->total == summary->span.end.ticks - summary->span.start.ticks);
    REQUIRE(summary->ticks <= summary->total && summary->unknown <= summary->total);
    REQUIRE(summary->span.before <= summary->span.start.ticks);
    REQUIRE(*txtap_why_text(text, summary, names, 1e6) != '\0');
}

static void check_span(const struct txtap_why *why, size_t pieces, const struct txtap_finding_names *names)
{
    struct txtap_why_summary summary;
    struct txtap_why_piece piece;
    uint64_t at, sum = 0;

    if (!txtap_why_summary(why, &summary))
        return;
    check_summary(&summary, names);
    at = summary.span.start.ticks - summary.span.before;
    REQUIRE(txtap_why_pieces(why) <= pieces);
    for (size_t i = 0; i < txtap_why_pieces(why); i++) {
        txtap_why_piece(why, i, &piece);
        REQUIRE(piece.from == at && piece.to > piece.from && piece.ticks == piece.to - piece.from);
        check_text(&piece, names);
        at = piece.to;
    }
    REQUIRE(txtap_why_pieces(why) == 0 || at == summary.span.end.ticks);
    for (size_t i = 0; i < txtap_why_groups(why); i++) {
        txtap_why_group(why, i, &piece);
        check_text(&piece, names);
        sum += piece.ticks;
    }
    REQUIRE(sum == summary.total + summary.span.before);
}

static void check_worst(const struct txtap_why *why, const struct txtap_finding_names *names)
{
    struct txtap_why_summary summary;

    for (uint32_t i = 0; i < txtap_why_threads(why); i++) {
        if (txtap_why_worst(why, i, TXTAP_WHY_JOB, &summary))
            check_summary(&summary, names);
        if (txtap_why_worst(why, i, TXTAP_WHY_READY, &summary))
            check_summary(&summary, names);
    }
}

struct asked {
    const struct txtap_memory *memory;
    const struct txtap_finding_names *names;
};

/* Takes each figure of a stack or a pool. */
static enum txtap_status check_memory(void *self, const struct txtap_figure *figure)
{
    const struct asked *asked = self;
    struct txtap_stack_cause stack;
    struct txtap_pool_cause pool;
    char text[TXTAP_MEMORY_TEXT_BYTES];

    if (txtap_memory_is_stack(figure->id) && txtap_memory_stack(asked->memory, &figure->subject, &stack)) {
        REQUIRE(*txtap_stack_cause_text(text, &stack, asked->names, 0) != '\0');
        for (unsigned i = 0; i < stack.step_count; i++)
            REQUIRE(stack.steps[i].used <= stack.size && (i == 0 || stack.steps[i].used > stack.steps[i - 1].used));
    }
    if (txtap_memory_is_pool(figure->id) && txtap_memory_pool(asked->memory, &figure->subject, &pool)) {
        REQUIRE(*txtap_pool_cause_text(text, &pool, asked->names, 1e6) != '\0' && pool.held <= pool.allocated);
        for (unsigned i = 0; i < pool.holder_count; i++)
            REQUIRE(pool.holders[i].held <= pool.holders[i].allocated &&
                    (i == 0 || pool.holders[i].held <= pool.holders[i - 1].held));
    }
    return TXTAP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct txtap_why_limits limits = {
        .analysis = {.threads = 8, .objects = 4, .pairs = 5, .pages = 6}, .steps = 32, .pieces = 6};
    static uint8_t head[HEAD_BYTES];
    static struct txtap_object objects[64];
    struct txtap_registry registry;
    const struct txtap_finding_names names = {name_of, &registry};
    struct txtap_analysis_options options = {0};
    struct txtap_why_wish wish;
    struct txtap_analysis *analysis;
    struct txtap_why *why;
    struct txtap_memory *found;
    static void *memory[3]; /* not cleared, because contents of an earlier input must not matter */
    uint64_t ticks = 0;

    memset(head, 0, sizeof(head));
    memcpy(head, data, length < HEAD_BYTES ? length : HEAD_BYTES);
    if (memory[0] == NULL) {
        limits.steps = 64;
        memory[0] = malloc(txtap_analysis_bytes(&limits.analysis, 0));
        memory[1] = malloc(txtap_why_bytes(&limits));
        memory[2] = malloc(txtap_memory_bytes(&limits.analysis));
    }
    REQUIRE(memory[0] != NULL && memory[1] != NULL && memory[2] != NULL);
    limits.steps = (head[0] & 0x80) != 0 ? 16 : 64;
    limits.pieces = (head[0] & 0x40) != 0 ? 6 : 2;
    options.any_wait_ends_job = (head[0] & 0x20) != 0;
    wish = (struct txtap_why_wish){.select = (enum txtap_why_select)(head[0] >> 2 & 3),
                                   .figure = (enum txtap_figure_id)head[1],
                                   .seq = head[2],
                                   .ticks = (uint64_t)head[3] << (head[4] & 31)};
    wish.subject.kind = (enum txtap_subject_kind)(head[5] % TXTAP_SUBJECT_KINDS);
    analysis = txtap_analysis_open(memory[0], &limits.analysis, &options);
    txtap_registry_init(&registry, objects, 64);
    for (size_t i = HEAD_BYTES; i + ITEM_BYTES <= length; i += ITEM_BYTES) {
        struct txtap_item item = item_of(data + i, i / ITEM_BYTES, &ticks, head[0] & 3u);

        if (item.kind == TXTAP_ITEM_EVENT && i / ITEM_BYTES == 1u + (head[6] & 15u))
            wish.subject.number = head[7] & 1 ? item.event.thread : item.event.info[0];
    }
    why = txtap_why_open(memory[1], &limits, analysis, &wish);
    found = txtap_memory_open(memory[2], &limits.analysis, analysis);
    ticks = 0;
    for (size_t i = HEAD_BYTES; i + ITEM_BYTES <= length; i += ITEM_BYTES) {
        struct txtap_item item = item_of(data + i, i / ITEM_BYTES, &ticks, head[0] & 3u);

        REQUIRE(txtap_analysis_take(analysis, &item) == TXTAP_OK);
    }
    txtap_analysis_end(analysis);
    check_span(why, limits.pieces, &names);
    check_worst(why, &names);
    (void)txtap_analysis_figures(analysis, 0, (struct txtap_figure_sink){check_memory, &(struct asked){found, &names}});
    return 0;
}
