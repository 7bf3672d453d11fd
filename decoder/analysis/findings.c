/* SPDX-License-Identifier: MIT */
/*
 * Findings: facts that deserve attention. They follow from the figures of other analyses alone, so each bound of a
 * figure is also a bound of the finding.
 */
#include "txtap/inner/finding.h"

#include <math.h>
#include <string.h>

#include "analysis/analyses.h"

#define JOBS_MIN        8  /* a thread with fewer complete jobs, or periods, has no late job */
#define INTERRUPTS_MIN  20 /* an interrupt that occurred less often is no storm */
#define OUTLIER         10 /* a response that is this many times as long as the median is an outlier */
#define OUTLIER_PERIODS 4  /* an outlier is late only if it is longer than the period divided by this */
#define BURST           10 /* a storm's median interval is at most its mean interval divided by this */
#define STACK_PERCENT   90 /* a stack is a finding if more than this percentage of it was used */
#define EVENTS_AROUND   10 /* the time to look at begins and ends this number of mean intervals from the event */

#define USED                                                                                                           \
    (TXTAP_SECTION_BIT(TXTAP_SECTION_TRACE) | TXTAP_SECTION_BIT(TXTAP_SECTION_JOBS) |                                  \
     TXTAP_SECTION_BIT(TXTAP_SECTION_PERIOD) | TXTAP_SECTION_BIT(TXTAP_SECTION_NOMINAL) |                              \
     TXTAP_SECTION_BIT(TXTAP_SECTION_STACK) | TXTAP_SECTION_BIT(TXTAP_SECTION_QUEUE) |                                 \
     TXTAP_SECTION_BIT(TXTAP_SECTION_INVERSION) | TXTAP_SECTION_BIT(TXTAP_SECTION_INTERRUPTS) |                        \
     TXTAP_SECTION_BIT(TXTAP_SECTION_DEADLOCK) | TXTAP_SECTION_BIT(TXTAP_SECTION_POOL) |                               \
     TXTAP_SECTION_BIT(TXTAP_SECTION_CALLS))

struct collector {
    const struct txtap_analysis *analysis;
    struct txtap_findings *findings;
    uint64_t around;                 /* number of ticks to look at, before and after an event */
    double deadlocks;                /* number of deadlocks */
    bool for_ever;                   /* no deadlock has a time limit */
    struct txtap_measure stack_size; /* of the thread whose figures come now */
    struct txtap_measure isr;        /* median duration of the interrupt whose figures come now */
    struct txtap_place pool_at;      /* lowest level of the pool whose figures come now */
    struct txtap_finding queue;      /* the queue whose figures come now */
};

/* ---- the list ---- */

static bool is_worse(const struct txtap_finding *a, const struct txtap_finding *b)
{
    return a->kind != b->kind ? a->kind < b->kind : a->weight > b->weight;
}

static uint64_t minus(uint64_t ticks, double less)
{
    return (double)ticks > less ? ticks - (uint64_t)less : 0;
}

/* Adds a finding. lasted: ticks from the start of the wait, the job, ... to the event of the finding. */
static void add(struct collector *collector, struct txtap_finding finding, double lasted)
{
    struct txtap_findings *findings = collector->findings;
    size_t at = findings->count;

    if (finding.at.known)
        finding.span = (struct txtap_span){true, minus(finding.at.ticks, lasted + (double)collector->around),
                                           finding.at.ticks + collector->around};
    if (findings->count == TXTAP_FINDINGS_MAX) {
        findings->left_out++;
        if (!is_worse(&finding, &findings->at[--at]))
            return;
    } else {
        findings->count++;
    }
    for (; at > 0 && is_worse(&finding, &findings->at[at - 1]); at--)
        findings->at[at] = findings->at[at - 1];
    findings->at[at] = finding;
}

static void add_party(struct txtap_finding *finding, struct txtap_subject thread, struct txtap_subject object)
{
    if (finding->party_count == TXTAP_FINDING_PARTIES)
        finding->parties_left_out++;
    else
        finding->parties[finding->party_count++] =
            (struct txtap_finding_party){.thread = thread, .object = object, .owner = list_system()};
}

static struct txtap_finding finding_of(enum txtap_finding_kind kind, struct txtap_subject thread,
                                       struct txtap_subject object, struct txtap_place at)
{
    struct txtap_finding finding = {.kind = kind, .at = at};

    add_party(&finding, thread, object);
    return finding;
}

/* ---- one figure of many ---- */

struct search {
    enum txtap_figure_id id;
    const struct txtap_subject *subject;
    struct txtap_figure *found; /* the figure with the largest value; `section` is NULL while there is no such figure */
};

static enum txtap_status take_searched(void *self, const struct txtap_figure *figure)
{
    const struct search *search = self;

    if (figure->id == search->id && txtap_subject_is_same(&figure->subject, search->subject) &&
        (search->found->section == NULL ||
         figure->stat[TXTAP_STAT_VALUE].lower > search->found->stat[TXTAP_STAT_VALUE].lower))
        *search->found = *figure;
    return TXTAP_OK;
}

/* Finds the figure of a subject; if the subject has several, the figure with the largest value. Returns false if there
 * is no such figure. */
static bool find(const struct collector *collector, enum txtap_section section, enum txtap_figure_id id,
                 const struct txtap_subject *subject, struct txtap_figure *found)
{
    struct search search = {id, subject, found};

    *found = (struct txtap_figure){0};
    (void)txtap_analysis_figures(collector->analysis, TXTAP_SECTION_BIT(section),
                                 (struct txtap_figure_sink){take_searched, &search});
    return found->section != NULL;
}

static struct txtap_measure value_of(const struct collector *collector, enum txtap_section section,
                                     enum txtap_figure_id id, const struct txtap_subject *subject)
{
    struct txtap_figure found;

    return find(collector, section, id, subject, &found) ? found.stat[TXTAP_STAT_VALUE] : (struct txtap_measure){0};
}

/* ---- each kind ---- */

/* Sets the owner of the last party's mutex, and the event since which it owns the mutex. */
static void add_owner(const struct collector *collector, struct txtap_finding *finding)
{
    struct txtap_finding_party *party = &finding->parties[finding->party_count - 1];
    struct txtap_figure owner;

    if (!find(collector, TXTAP_SECTION_DEADLOCK, TXTAP_FIGURE_DEADLOCK_OWNER, &party->object, &owner))
        return;
    party->owner = owner.other;
    party->owned = owner.max_at;
}

/* Adds a member of a deadlock. All members of a circle have the event that closed the circle. */
static void take_deadlock_member(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_findings *findings = collector->findings;
    struct txtap_finding finding;

    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].kind == TXTAP_FINDING_DEADLOCK && findings->at[i].at.seq == figure->max_at.seq) {
            add_party(&findings->at[i], figure->subject, figure->other);
            if (findings->at[i].parties_left_out == 0)
                add_owner(collector, &findings->at[i]);
            return;
        }
    finding = finding_of(TXTAP_FINDING_DEADLOCK, figure->subject, figure->other, figure->max_at);
    add_owner(collector, &finding);
    finding.for_ever = collector->for_ever;
    finding.weight = -(double)figure->max_at.ticks;
    add(collector, finding, 0);
}

/* Returns true if the thread waits for the mutex in a deadlock. mutex NULL: any mutex. */
static bool is_in_deadlock(const struct collector *collector, const struct txtap_subject *thread,
                           const struct txtap_subject *mutex)
{
    const struct txtap_findings *findings = collector->findings;

    for (size_t i = 0; i < findings->count && findings->at[i].kind == TXTAP_FINDING_DEADLOCK; i++)
        for (uint32_t k = 0; k < findings->at[i].party_count; k++)
            if (txtap_subject_is_same(&findings->at[i].parties[k].thread, thread) &&
                (mutex == NULL || txtap_subject_is_same(&findings->at[i].parties[k].object, mutex)))
                return true;
    return false;
}

/* The other figures about a thread's inversions. */
struct inversions {
    const struct txtap_figure *wait; /* the thread's waits for a mutex, with the event that ended the longest wait */
    struct txtap_figure owner;       /* the inversion with the owner of the mutex */
    struct txtap_figure runner;      /* the thread that ran most */
    unsigned owners, runners, mutexes;
    bool same_end; /* owner is the inversion that ended at the event of the longest wait */
};

static enum txtap_status take_inversion(void *self, const struct txtap_figure *figure)
{
    struct inversions *all = self;
    const struct txtap_figure *wait = all->wait;
    const struct txtap_measure *ran = &figure->stat[TXTAP_STAT_VALUE];

    if (!txtap_subject_is_same(&figure->subject, &wait->subject))
        return TXTAP_OK;
    if (figure->id == TXTAP_FIGURE_INVERSION && !all->same_end) {
        all->same_end = figure->max_at.known && wait->max_at.known && figure->max_at.seq == wait->max_at.seq;
        all->owner = *figure;
        all->owners++;
    }
    if (figure->id == TXTAP_FIGURE_UNBOUNDED_ON)
        all->mutexes += ran->lower > 0;
    if (figure->id == TXTAP_FIGURE_UNBOUNDED_BY && ran->lower > 0) {
        if (all->runners++ == 0 || ran->lower > all->runner.stat[TXTAP_STAT_VALUE].lower)
            all->runner = *figure;
    }
    return TXTAP_OK;
}

static void take_unbounded(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_finding finding = finding_of(TXTAP_FINDING_UNBOUNDED, figure->subject, figure->other, figure->max_at);
    struct inversions all = {.wait = figure};

    if (!(figure->stat[TXTAP_STAT_VALUE].lower > 0) || is_in_deadlock(collector, &figure->subject, &figure->other))
        return;
    (void)txtap_analysis_figures(collector->analysis, TXTAP_SECTION_BIT(TXTAP_SECTION_INVERSION),
                                 (struct txtap_figure_sink){take_inversion, &all});
    if (all.same_end || all.owners == 1) {
        finding.parties[0].owner = all.owner.other;
        finding.of = all.owner.stat[TXTAP_STAT_VALUE];
    }
    if (all.runners > 0 && (all.runners == 1 || all.mutexes == 1)) {
        add_party(&finding, all.runner.other, list_system());
        finding.parties_left_out = all.runners - 1;
    }
    finding.unit = TXTAP_UNIT_TICKS;
    finding.value = figure->stat[TXTAP_STAT_VALUE];
    finding.weight = finding.value.lower;
    add(collector, finding, finding.of.lower);
}

static void take_leak(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_finding finding = finding_of(TXTAP_FINDING_LEAK, list_system(), figure->subject, collector->pool_at);
    struct txtap_figure holder;

    if (figure->subject.kind != TXTAP_SUBJECT_OBJECT)
        return;
    if (find(collector, TXTAP_SECTION_POOL, TXTAP_FIGURE_HELD, &figure->subject, &holder))
        finding.parties[0].thread = holder.other;
    finding.unit = TXTAP_UNIT_COUNT;
    finding.value = figure->stat[TXTAP_STAT_N];
    finding.weight = finding.value.lower;
    finding.perhaps = !(figure->stat[TXTAP_STAT_N].upper <= figure->stat[TXTAP_STAT_N].value);
    add(collector, finding, 0);
}

/* Adds failed services. A get or a receive that does not wait may be intended polling, so it is a finding of its
 * own kind. */
static void take_failed(struct collector *collector, const struct txtap_figure *figure)
{
    bool asks = strstr(figure->detail, "_get") != NULL || strstr(figure->detail, "_receive") != NULL;
    struct txtap_finding finding =
        finding_of(asks ? TXTAP_FINDING_POLLED : TXTAP_FINDING_FAILED, figure->subject, figure->other, figure->max_at);

    finding.service = figure->detail;
    finding.count = figure->stat[TXTAP_STAT_N];
    finding.weight = finding.count.lower;
    add(collector, finding, 0);
}

static void take_stack(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_finding finding = finding_of(TXTAP_FINDING_STACK, figure->subject, list_system(), figure->max_at);
    double used = figure->stat[TXTAP_STAT_VALUE].lower, size = collector->stack_size.value;

    if (figure->id == TXTAP_FIGURE_STACK_SIZE)
        collector->stack_size = figure->stat[TXTAP_STAT_VALUE];
    if (figure->id == TXTAP_FIGURE_STACK_OUTSIDE) {
        finding.kind = TXTAP_FINDING_STACK_OUTSIDE;
        finding.count = figure->stat[TXTAP_STAT_N];
        finding.weight = finding.count.lower;
        add(collector, finding, 0);
    }
    if (figure->id != TXTAP_FIGURE_STACK_USED_BYTES || !(used * 100 > size * STACK_PERCENT))
        return;
    finding.unit = TXTAP_UNIT_BYTES;
    finding.value = figure->stat[TXTAP_STAT_VALUE];
    finding.of = collector->stack_size;
    finding.weight = used / size;
    add(collector, finding, 0);
}

/* Takes the figures of a queue, in their order. */
static void take_queue(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_finding *queue = &collector->queue;

    switch (figure->id) {
    case TXTAP_FIGURE_DEPTH:
        *queue = finding_of(TXTAP_FINDING_QUEUE_FULL, list_system(), figure->subject, figure->max_at);
        queue->value = figure->stat[TXTAP_STAT_VALUE];
        break;
    case TXTAP_FIGURE_CAPACITY:
        queue->of = figure->stat[TXTAP_STAT_VALUE];
        break;
    case TXTAP_FIGURE_FULL:
        queue->time = figure->stat[TXTAP_STAT_VALUE];
        break;
    case TXTAP_FIGURE_SEND_BLOCKED:
        queue->count = figure->stat[TXTAP_STAT_N];
        break;
    case TXTAP_FIGURE_SEND_FAILED:
        queue->count_failed = figure->stat[TXTAP_STAT_N];
        queue->weight =
            (queue->count_failed.lower * 1e6 + queue->count.lower) * 1e6 + queue->time.lower / (1 + queue->time.lower);
        if (queue->of.known && queue->value.lower >= queue->of.value)
            add(collector, *queue, 0);
        break;
    default:
        break;
    }
}

/* Returns the given period of the thread, or else the median of its periods. */
static struct txtap_measure period_of(const struct collector *collector, const struct txtap_subject *thread,
                                      bool *nominal)
{
    struct txtap_figure found;

    *nominal = find(collector, TXTAP_SECTION_NOMINAL, TXTAP_FIGURE_NOMINAL, thread, &found);
    if (*nominal)
        return found.stat[TXTAP_STAT_VALUE];
    if (!find(collector, TXTAP_SECTION_PERIOD, TXTAP_FIGURE_PERIOD, thread, &found) ||
        found.stat[TXTAP_STAT_N].value < JOBS_MIN)
        return (struct txtap_measure){0};
    return found.stat[TXTAP_STAT_P50];
}

/* A job is late if its response is longer than the period. It is also late if its response is far longer than usual
 * and takes a good part of the period. */
static void take_response(struct collector *collector, const struct txtap_figure *figure)
{
    static const enum txtap_figure_id parts[TXTAP_FINDING_PARTS] = {
        [TXTAP_FINDING_RUN] = TXTAP_FIGURE_LONGEST_RUN,
        [TXTAP_FINDING_READY] = TXTAP_FIGURE_LONGEST_READY,
        [TXTAP_FINDING_INTERRUPTED] = TXTAP_FIGURE_LONGEST_INTERRUPTED,
        [TXTAP_FINDING_MUTEX] = TXTAP_FIGURE_LONGEST_MUTEX,
    };
    struct txtap_finding finding = finding_of(TXTAP_FINDING_LATE, figure->subject, list_system(), figure->max_at);
    const struct txtap_measure *max = &figure->stat[TXTAP_STAT_MAX], *usual = &figure->stat[TXTAP_STAT_P50];

    if (!max->known || !usual->known || figure->stat[TXTAP_STAT_N].value < JOBS_MIN ||
        is_in_deadlock(collector, &figure->subject, NULL))
        return;
    finding.of = period_of(collector, &figure->subject, &finding.nominal);
    if (!finding.of.known || !(max->lower > finding.of.value || (max->lower > OUTLIER * usual->value &&
                                                                 max->lower * OUTLIER_PERIODS > finding.of.value)))
        return;
    finding.unit = TXTAP_UNIT_TICKS;
    finding.value = *max;
    finding.perhaps = finding.of.upper == (double)INFINITY;
    finding.weight = max->lower / finding.of.value;
    for (unsigned i = 0; i < TXTAP_FINDING_PARTS; i++)
        finding.parts[i] = value_of(collector, TXTAP_SECTION_JOBS, parts[i], &figure->subject);
    add(collector, finding, max->lower);
}

/* Takes the figures of an interrupt, in their order. In a storm, more than half of the interrupts follow the previous
 * interrupt so soon that the handler takes at least half of the time. */
static void take_interrupt(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_finding finding = finding_of(TXTAP_FINDING_STORM, figure->subject, list_system(), figure->min_at);
    const struct txtap_measure *half = &figure->stat[TXTAP_STAT_P50], *mean = &figure->stat[TXTAP_STAT_MEAN];

    if (figure->id == TXTAP_FIGURE_ISR)
        collector->isr = *half;
    if (figure->id != TXTAP_FIGURE_ISR_INTERVAL || !collector->isr.known || !half->known ||
        figure->stat[TXTAP_STAT_N].value < INTERRUPTS_MIN || half->value <= 0 ||
        !(half->value * BURST <= mean->value && 2 * collector->isr.value >= half->value))
        return;
    finding.unit = TXTAP_UNIT_TICKS;
    finding.value = *half;
    finding.of = *mean;
    finding.count = figure->stat[TXTAP_STAT_N];
    finding.perhaps = mean->upper == (double)INFINITY;
    finding.weight = finding.count.lower;
    add(collector, finding, 0);
}

static void take_trace(struct collector *collector, const struct txtap_figure *figure)
{
    struct txtap_finding finding = {.kind = TXTAP_FINDING_LOST, .count = figure->stat[TXTAP_STAT_N]};

    if (figure->id != TXTAP_FIGURE_LOST)
        return;
    finding.of = value_of(collector, TXTAP_SECTION_TRACE, TXTAP_FIGURE_GAPS, &figure->subject);
    if (finding.count.lower > 0 || finding.of.value > 0)
        add(collector, finding, 0);
}

static enum txtap_status take(void *self, const struct txtap_figure *figure)
{
    struct collector *collector = self;

    switch (figure->id) {
    case TXTAP_FIGURE_DEADLOCK:
        collector->deadlocks = figure->stat[TXTAP_STAT_N].value;
        break;
    case TXTAP_FIGURE_DEADLOCK_FOR_EVER:
        collector->for_ever = figure->stat[TXTAP_STAT_N].value == collector->deadlocks;
        break;
    case TXTAP_FIGURE_DEADLOCK_MEMBER:
        take_deadlock_member(collector, figure);
        break;
    case TXTAP_FIGURE_UNBOUNDED_ON:
        take_unbounded(collector, figure);
        break;
    case TXTAP_FIGURE_AVAILABLE:
        collector->pool_at = figure->min_at;
        break;
    case TXTAP_FIGURE_LEAK:
        take_leak(collector, figure);
        break;
    case TXTAP_FIGURE_FAILED_BY:
        take_failed(collector, figure);
        break;
    case TXTAP_FIGURE_RESPONSE:
        take_response(collector, figure);
        break;
    default:
        take_stack(collector, figure);
        take_queue(collector, figure);
        take_interrupt(collector, figure);
        take_trace(collector, figure);
    }
    return TXTAP_OK;
}

void txtap_findings_collect(struct txtap_findings *findings, const struct txtap_analysis *analysis)
{
    struct collector collector = {.analysis = analysis, .findings = findings};
    const struct txtap_figure_sink sink = {take, &collector};
    const uint32_t first = TXTAP_SECTION_BIT(TXTAP_SECTION_DEADLOCK); /* an inversion may be part of a deadlock */
    struct txtap_analysis_summary summary;

    findings->count = 0;
    findings->left_out = 0;
    txtap_analysis_summary(analysis, &summary);
    collector.around = summary.events > 0 ? EVENTS_AROUND * (summary.window_ticks / summary.events + 1) : 0;
    (void)txtap_analysis_figures(analysis, first, sink);
    (void)txtap_analysis_figures(analysis, USED & ~first, sink);
}

/* ---- the row ---- */

struct findings {
    struct base base;
};

static void open(void *state, struct model *model)
{
    (void)state;
    (void)model;
}

/* Lists nothing: a finding is no figure. */
static void figures(const void *state, struct list *list)
{
    (void)state;
    (void)list;
}

static const struct check_name names[] = {{0}};

const struct analysis_row findings_analysis = {
    .section = {"findings", "what deserves attention"},
    .names = names,
    .uses = USED,
    .any_kernel = true,
    .state_bytes = sizeof(struct findings),
    .open = open,
    .figures = figures,
};
