/* SPDX-License-Identifier: MIT */
/* What the parts of the model, its files, have from each other. Analyses need model.h alone. */
#ifndef TXTAP_DECODER_MODEL_MODEL_PARTS_H
#define TXTAP_DECODER_MODEL_MODEL_PARTS_H

#include "model/model.h"

/* Another change at the same moment. Not a copy: that would have to wait until the last fields of at are written. */
static inline void change_start(struct change *change, const struct change *at, enum change_kind kind)
{
    *change = (struct change){.kind = kind, .core = at->core, .now = at->now, .thread = at->thread, .event = at->event};
}

/* What a core runs after an event. */
struct run {
    struct txtap_next next; /* most likely */
    uint8_t maybe;          /* what else it may have run, for part of the time or all of it: bits MAYBE(enum running) */
    bool last;              /* no further event of the core is known yet */
    bool late;              /* it has run since some moment before the event, */
    uint64_t since;         /* but not before this one, in ticks */
    uint64_t until;         /* several cores: the core's next event, in ticks; UINT64_MAX: not known */
};

/* model_next.c */
/* For the first event that waits. more: further events may come. False: they are needed. */
bool next_find(struct model *model, bool more, struct run *run);

/* Does a resumption leave no thread ready? Then the resumed one was suspended at once. */
static inline bool next_is_nobody(const struct model *model, const struct txtap_event *resume)
{
    return model->names_next && resume->info[3] == 0 && model->core_count < 2;
}

/* model_threads.c: what threads do */
/* There are several cores, as shows now: a thread that an interrupt of its core suspended has waited since then. */
void threads_on_several_cores(struct model *model);

void thread_settle(struct thread *thread, uint64_t ticks);
void thread_account(struct model *model, uint32_t number, const struct change *at);
void thread_own_event(struct model *model, const struct change *event);
void thread_suspended(struct model *model, const struct change *event);
enum ending thread_resumed(struct model *model, const struct change *event);
void thread_terminated(struct model *model, const struct change *event);
void thread_reset(struct model *model, const struct change *event);
void thread_suspend_later(struct model *model, const struct change *event);
void thread_priority_event(struct model *model, const struct change *event);

/* A gap: nothing is known of it but what it was before. */
void thread_lose(struct thread *thread);

/* It is created, or reset after its end, or another one is at its address: what it did before is over. */
void thread_start_life(struct model *model, uint32_t number, const struct change *event);

/* Did it do anything that shows in the events? */
static inline bool thread_is_used(const struct thread *thread)
{
    return thread->events > 0 || thread->state != THREAD_UNKNOWN;
}

/* A thread of which nothing was known proves to be ready: it has been since known_from. */
void thread_found_ready(struct model *model, uint32_t number, const struct change *at);

static inline void thread_runs_at(struct thread *thread, uint32_t priority)
{
    thread->runs_at = priority;
    thread->runs_at_known = true;
}

/* It was ready all the time since its resumption. */
void thread_prove_ready(struct model *model, uint32_t number, const struct change *at);

/* Since account became unknown it did that; at: what proves it. */
void thread_learn_past(struct model *model, uint32_t number, enum account account, const struct change *at);
void thread_end_job(struct model *model, uint32_t number, const struct change *event);
void thread_suspend(struct model *model, uint32_t number, const struct change *event, uint32_t reason);

/* model_lives.c: threads at one address */
/* A thread is created, perhaps where another one was: before anything asks for the thread at that address. */
void thread_created(struct model *model, const struct change *event);

/* Other threads may be at the addresses behind a gap; event: the first one there. */
void threads_before_gap(struct model *model);
void threads_after_gap(struct model *model, const struct change *event);

/* model_other_kernel.c */
/* A thread leaves its core, and why is not known yet: it sleeps if it is resumed before it is given a
 * core again. If it is not, and resumptions are recorded, it was ready. At the end it may be either. */
void thread_left(struct model *model, const struct change *event);
void thread_was_ready(struct model *model, uint32_t number, const struct change *at);
void thread_left_end(struct model *model);

/* It waited, and is given a core: when it became ready was not recorded. */
void thread_runs_again(struct model *model, uint32_t number, const struct change *event);

/* Why a thread waits from now on: recorded, unless the event leaves it to the open call. */
uint32_t other_kernel_reason(const struct txtap_event *event, const struct thread *thread, uint32_t recorded);

/* It becomes ready: why it waited until now. */
uint32_t other_kernel_wait_ends(struct model *model, uint32_t number, const struct change *event);

/* model_objects.c: how much objects hold, and who owns them */
/* What the registry, or the service that created it, says of an object: of a queue its bytes, and words of a message.
 */
void count_learn(struct object *object, uint32_t bytes, uint32_t words);

/* A service has begun: what there is after it, as far as threads are known to wait. */
void count_call(struct model *model, const struct change *event, struct service *service);

/* The same, once it is known that it did, or did not, make a thread wait or resume one. */
void count_again(struct model *model, const struct change *event, struct service *service);

/* It made a thread wait, or resumed one: most do what was known as they began. */
static inline void count_outcome(struct model *model, const struct change *event, struct service *service)
{
    if (service->has_after && (service->blocked || service->woken > 0 || service->perhaps_woken) != service->one_waits)
        count_again(model, event, service);
}

/* A thread waits for an object from now on, or no longer: NONE. */
void count_waiting(struct model *model, struct thread *thread, uint32_t object);

void count_forget(struct model *model);

/* model_services.c: what services are, and what belongs to a call */
struct service *service_of_context(struct model *model, const struct change *event);
void service_event(struct model *model, const struct change *event);
void service_close(struct model *model, const struct change *event, struct service *service);

#define SERVICE_RULES    128u
#define SERVICE_ANY_WORD 5u

struct service_rule {
    uint8_t before;  /* 1 + the word that says how much its object held; 0: none does */
    uint8_t zero;    /* 1 + the word that is 0 if it gets nothing; 0: it always gets it; ANY_WORD: not known by one */
    bool ends_count; /* what its object holds means nothing any more */
};

extern const struct service_rule service_rules[SERVICE_RULES];

static inline const struct service_rule *service_rule(uint32_t id)
{
    return &service_rules[id < SERVICE_RULES ? id : 0];
}

/* Can it make its caller wait for that reason? */
bool service_fits_wait(const struct service *service, uint32_t reason);

/* Is it about to resume that thread, whose wait it aborts? */
bool service_aborts(const struct service *service, uint32_t thread);

/* Why the wait of a thread ends whose resumption follows the service of that thread, or NONE. UNKNOWN: it may be the
 * service, or a timeout. */
enum ending service_ending(const struct model *model, const struct service *service, uint32_t by,
                           const struct thread *thread);

void lock_call(struct model *model, const struct change *event, const struct service *service);
void mutex_call(struct model *model, const struct change *event, const struct service *service);
void mutex_locked(struct model *model, const struct change *event); /* of another kernel */
void mutex_handed_over(struct model *model, const struct change *ready);
void mutex_forget(struct model *model);

/* model_cores.c: who has a core, and which interrupts it is in */
/* Interrupts that are entered and not left: how many, and the thread that the outermost one named, or 0. */
struct entered {
    uint32_t depth, thread;
};

/* After the event, which is the core's next one. */
struct entered interrupts_after(const struct model *model, const struct txtap_event *event);

/* Some are entered: does the event prove that all of them were left? A thread records, or an interrupt names another
 * thread: the kernel switches threads when all interrupts have ended. */
bool interrupts_were_left(const struct txtap_event *event, uint32_t entered_in);

void interrupt_change(struct model *model, const struct change *event);

/* Most events change nothing. */
static inline void interrupt_event(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];
    uint32_t id = event->event->id;
    bool in_interrupt = event->event->context == TXTAP_CONTEXT_ISR || event->event->context == TXTAP_CONTEXT_IDLE;

    if (id == EVENT_ISR_ENTER || id == EVENT_ISR_EXIT || id == EVENT_INTERRUPT || core->depth > 0 ||
        (in_interrupt && !core->in_burst))
        interrupt_change(model, event);
    else
        core->in_burst = in_interrupt;
}

void core_begin(struct model *model, const struct change *event);

/* Counts what the cores run for the time until then. */
void core_settle(struct model *model, uint64_t ticks);

/* There is a core of that number, and so are those below it. */
void cores_add(struct model *model, uint32_t number);
void core_change(struct model *model, const struct change *event, const struct run *run);
void core_forget(struct core *core);

/* The core ran that for ticks, or something else of a set. */
void core_add_doubt(struct model *model, struct core *core, enum running ran, unsigned maybe, uint64_t ticks);

/* It is not known what the core of the change runs from now on. */
void core_stop(struct model *model, const struct change *at);

/* An interrupt ended a time slice, suspended or resumed a thread. */
void core_note_next(struct model *model, const struct change *event);

/* It may end a time slice some events before it is left, which is when the threads switch. */
static inline void core_note_slice(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];
    uint32_t id = event->event->id;

    if (event->thread != NONE) {
        core->slice = NONE;
        core->displaced = false;
    } else if (id == EVENT_TIME_SLICE || id == EVENT_THREAD_RESUME || id == EVENT_THREAD_SUSPEND) {
        core_note_next(model, event);
    }
}

/* The thread that has the core keeps it: so it is after most events. */
static inline bool core_goes_on(const struct model *model, const struct change *event, const struct run *run)
{
    const struct core *core = &model->cores[event->core];
    const struct thread *thread;

    if (run->next.runner != TXTAP_RUNNER_THREAD || (run->maybe | core->maybe) != 0 || core->running != RUNNING_THREAD ||
        core->occupant != RUNNING_THREAD)
        return false;
    thread = &model->threads[core->thread];
    return thread->address == run->next.thread && thread->account == ACCOUNT_RUNNING && !thread->waiting &&
           thread->state != THREAD_UNKNOWN && event->event->id != EVENT_SWITCH;
}

/* What a core runs after an event. */
static inline void core_run(struct model *model, const struct change *event, const struct run *run)
{
    core_note_slice(model, event);
    if (!core_goes_on(model, event, run))
        core_change(model, event, run);
}

/* model_smp.c: several cores */
/* What the core of an event ran until then. */
void cores_meet(struct model *model, const struct change *event);

/* What the event says of who is to run, on its core and on others. */
void cores_note(struct model *model, const struct change *event, const struct run *run);

/* A core gives its thread up, unseen. */
void core_lose(struct model *model, uint32_t number, const struct change *at);

/* Nothing is known of any core from now on. */
void cores_part(struct model *model, const struct change *at);

/* For how long the core may have run anything until the last event. */
uint64_t core_open_doubt(const struct model *model, const struct core *core);

/* Nothing is known from now on; until now all is settled. */
void cores_end(struct model *model, const struct change *at);

#endif
