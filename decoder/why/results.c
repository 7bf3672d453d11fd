/* SPDX-License-Identifier: MIT */
/* Gives the pieces and causes of a cut to the caller, with the addresses of threads and objects. */
#include "figures/list.h"
#include "why/parts.h"

static struct txtap_subject object_of(const struct model *model, uint32_t object)
{
    return object != NONE ? list_object(model, object) : list_system();
}

static struct txtap_subject thread_of(const struct model *model, uint32_t thread)
{
    return thread != NONE ? list_thread(model, thread) : list_system();
}

static struct txtap_subject context_of(const struct model *model, struct context context)
{
    switch (context.kind) {
    case RUNNING_IDLE:
        return list_number(TXTAP_SUBJECT_IDLE, 0);
    case RUNNING_INIT:
        return list_number(TXTAP_SUBJECT_INIT, 0);
    case RUNNING_ISR:
        return list_interrupt(context.number);
    case RUNNING_THREAD:
        return thread_of(model, context.number);
    default:
        return list_system();
    }
}

static void tell_piece(const struct model *model, const struct piece *from, struct txtap_why_piece *piece)
{
    *piece = (struct txtap_why_piece){.from = from->from,
                                      .to = from->to,
                                      .ticks = from->ticks,
                                      .seq = from->seq,
                                      .count = from->count,
                                      .before = from->before,
                                      .link_count = from->link_count,
                                      .thread = thread_of(model, from->thread),
                                      .state = (enum txtap_why_state)from->state,
                                      .by = context_of(model, from->by),
                                      .reason = (enum txtap_wait)from->reason,
                                      .ending = (enum txtap_ending)from->ending,
                                      .object = object_of(model, from->object),
                                      .circle = from->circle,
                                      .deep = from->deep,
                                      .priority_known = from->priority_known,
                                      .priority = from->priority,
                                      .waker = context_of(model, from->waker),
                                      .woken = from->woken};
    for (unsigned i = 0; i < from->link_count; i++)
        piece->links[i] = (struct txtap_why_link){
            .reason = (enum txtap_wait)from->links[i].reason,
            .object = object_of(model, from->links[i].object),
            .thread = thread_of(model, from->links[i].thread),
            .since = {from->links[i].since_known, from->links[i].since.seq, from->links[i].since.ticks}};
}

static void tell_span(const struct model *model, const struct span *from, struct txtap_why_span *span)
{
    *span = (struct txtap_why_span){.kind = from->kind,
                                    .thread = thread_of(model, from->thread),
                                    .object = object_of(model, from->object),
                                    .start = {from->start.ticks, from->start.seq},
                                    .end = {from->end.ticks, from->end.seq},
                                    .began_earlier = from->began_earlier,
                                    .open = from->open,
                                    .gap = from->gap,
                                    .vague = from->vague,
                                    .too_long = from->too_long};
}

bool txtap_why_summary(const struct txtap_why *why, struct txtap_why_summary *summary)
{
    const struct piece *main;

    if (!why->found)
        return false;
    *summary = (struct txtap_why_summary){0};
    tell_span(why->model, &why->cut.span, &summary->span);
    summary->span.before_known = why->cut.origin_known;
    summary->span.before = why->cut.origin_known ? why->cut.span.start.ticks - why->cut.origin : 0;
    summary->total = summary->span.end.ticks - summary->span.start.ticks;
    main = cut_main(&why->cut, &summary->ticks, &summary->unknown);
    if (main != NULL)
        tell_piece(why->model, main, &summary->main);
    return true;
}

uint32_t txtap_why_threads(const struct txtap_why *why)
{
    return why->model->thread_numbers.count;
}

bool txtap_why_worst(const struct txtap_why *why, uint32_t index, enum txtap_why_kind kind,
                     struct txtap_why_summary *summary)
{
    const struct worst *worst = kind == TXTAP_WHY_JOB ? &why->jobs[index] : &why->wakes[index];

    if (!worst->used)
        return false;
    *summary = (struct txtap_why_summary){.ticks = worst->ticks, .unknown = worst->unknown};
    tell_span(why->model, &worst->span, &summary->span);
    summary->span.before = worst->before;
    summary->span.before_known = worst->before_known;
    summary->total = worst->span.end.ticks - worst->span.start.ticks;
    tell_piece(why->model, &worst->main, &summary->main);
    return true;
}

bool txtap_why_of_figure(const struct txtap_why *why, enum txtap_figure_id figure, const struct txtap_subject *thread,
                         uint64_t seq, struct txtap_why_summary *summary)
{
    bool is_job = span_of(figure) == OF_JOB;

    if (!is_job && figure != TXTAP_FIGURE_WAKE)
        return false;
    for (uint32_t i = 0; i < txtap_why_threads(why); i++)
        if (txtap_why_worst(why, i, is_job ? TXTAP_WHY_JOB : TXTAP_WHY_READY, summary) &&
            summary->span.end.seq == seq && txtap_subject_is_same(&summary->span.thread, thread))
            return true;
    return false;
}

size_t txtap_why_pieces(const struct txtap_why *why)
{
    return why->found ? why->cut.piece_count : 0;
}

void txtap_why_piece(const struct txtap_why *why, size_t index, struct txtap_why_piece *piece)
{
    tell_piece(why->model, &why->cut.pieces[why->cut.piece_count - 1 - index], piece);
}

bool txtap_why_merged(const struct txtap_why *why)
{
    return why->found && why->cut.merged;
}

size_t txtap_why_groups(const struct txtap_why *why)
{
    return why->found ? why->cut.group_count + (why->cut.groups[GROUPS].count > 0) : 0;
}

void txtap_why_group(const struct txtap_why *why, size_t index, struct txtap_why_piece *group)
{
    tell_piece(why->model, &why->cut.groups[index < why->cut.group_count ? index : GROUPS], group);
    group->from = group->to = 0;
}
