/* SPDX-License-Identifier: MIT */
/* Functions that the files of the model share. Analyses need only model.h. */
#ifndef TXTAP_DECODER_MODEL_MODEL_PARTS_H
#define TXTAP_DECODER_MODEL_MODEL_PARTS_H

#include "model/model.h"

/* Begins another change at the moment of *at. It copies only single members: a copy of the whole struct would have to
 * wait until recent writes to *at are complete. */
static inline void change_start(struct change *change, const struct change *at, enum change_kind kind)
{
    *change = (struct change){.kind = kind, .core = at->core, .now = at->now, .thread = at->thread, .event = at->event};
}

/* The context that a core runs after an event. */
struct run {
    struct txtap_next next; /* the most likely context */
    uint8_t maybe;          /* other activities that are possible for some or all of the time: a set of MAYBE(enum
                               running) */
    bool last;              /* no later event of the core is known yet */
    bool late;              /* the next activity began before the event, but not before the tick in since */
    uint64_t since;         /* if late: the earliest tick at which the next activity may have begun */
    uint64_t until;         /* several cores: tick of the core's next event; UINT64_MAX: unknown */
};

/* model_next.c */
/*
 * Finds the context that runs after the first waiting event. more: later events may arrive. Returns false if this
 * function needs later events first.
 */
bool next_find(struct model *model, bool more, struct run *run);

/* Returns true if a resumption leaves no thread ready, so the resumed thread was suspended at once. */
static inline bool next_is_nobody(const struct model *model, const struct txtap_event *resume)
{
    return model->names_next && resume->info[3] == 0 && model->core_count < 2;
}

/* model_threads.c: the states of threads */
/*
 * Corrects the state of each thread that an interrupt on the thread's own core suspended: the thread has waited since
 * then. Call it when a second core is found.
 */
void threads_on_several_cores(struct model *model);

void thread_settle(struct thread *thread, uint64_t ticks);
void thread_account(struct model *model, uint32_t number, const struct change *at);
void thread_own_event(struct model *model, const struct change *event);

/* Returns the context that recorded the event. Sets *number to the number of the thread or of the interrupt; NONE:
 * unknown, or the initialization recorded the event. */
enum running context_of_event(const struct model *model, const struct change *event, uint32_t *number);

void thread_suspended(struct model *model, const struct change *event);
enum ending thread_resumed(struct model *model, const struct change *event);
void thread_terminated(struct model *model, const struct change *event);
void thread_reset(struct model *model, const struct change *event);
void thread_suspend_later(struct model *model, const struct change *event);
void thread_priority_event(struct model *model, const struct change *event);

/* Forgets the thread's state, except for the facts that stay valid after a gap. Call it at a gap. */
void thread_lose(struct thread *thread);

/* Clears the thread's history. Call it when a thread is created, when an ended thread is reset, or when another thread
 * replaces the thread at its address. */
void thread_start_life(struct model *model, uint32_t number, const struct change *event);

/* Returns true if an event of the thread or about the thread was seen. */
static inline bool thread_is_used(const struct thread *thread)
{
    return thread->events > 0 || thread->state != THREAD_UNKNOWN;
}

/* Marks a thread of unknown state as ready since model->known_from: events prove this. */
void thread_found_ready(struct model *model, uint32_t number, const struct change *at);

static inline void thread_runs_at(struct thread *thread, uint32_t priority)
{
    thread->runs_at = priority;
    thread->runs_at_known = true;
}

/* Marks the thread as ready since its resumption: later events prove this. */
void thread_prove_ready(struct model *model, uint32_t number, const struct change *at);

/* Counts the time in which the thread's account was unknown. account: the proven account. at: the event that proves
 * it. */
void thread_learn_past(struct model *model, uint32_t number, enum account account, const struct change *at);
void thread_end_job(struct model *model, uint32_t number, const struct change *event);
void thread_suspend(struct model *model, uint32_t number, const struct change *event, uint32_t reason);

/* model_lives.c: threads at one address */
/*
 * Notes the creation of a thread, perhaps at the address of another thread. Call it before any look-up of this address.
 */
void thread_created(struct model *model, const struct change *event);

/* Update the threads at all addresses, because other threads may be there after a gap. event: the first event after the
 * gap. */
void threads_before_gap(struct model *model);
void threads_after_gap(struct model *model, const struct change *event);

/* model_other_kernel.c */
/*
 * Notes that a thread leaves its core for an unknown reason. If the thread is resumed before it gets a core again, it
 * slept. If it gets a core without a resumption, it was ready, provided that resumptions are recorded. If the trace
 * ends first, the thread may have slept or been ready.
 */
void thread_left(struct model *model, const struct change *event);
void thread_was_ready(struct model *model, uint32_t number, const struct change *at);
void thread_left_end(struct model *model);

/* Notes that a waiting thread is given a core. The trace does not show when the thread became ready. */
void thread_runs_again(struct model *model, uint32_t number, const struct change *event);

/*
 * Returns the reason for a wait that begins. This is the reason in the event or, if the event has no reason, the reason
 * of the thread's open call.
 */
uint32_t other_kernel_reason(const struct txtap_event *event, const struct thread *thread, uint32_t recorded);

/* Returns the reason for the wait of a thread that becomes ready. */
uint32_t other_kernel_wait_ends(struct model *model, uint32_t number, const struct change *event);

/* model_objects.c: the content of objects, and their owners */
/* Takes an object's parameters from the registry, or from the service that created the object. For a queue: bytes is
 * the size of the queue, words is the size of a message. */
void count_learn(struct object *object, uint32_t bytes, uint32_t words);

/* Sets the object's count from the threads that are known to wait. Call it when a service begins. */
void count_call(struct model *model, const struct change *event, struct service *service);

/* Sets the object's count again. Call it when it is known whether the service made a thread wait or resumed a
 * thread. */
void count_again(struct model *model, const struct change *event, struct service *service);

/*
 * Corrects the object's count if the service did something else than the model expected when the service began. Call it
 * when the service made a thread wait, resumed a thread, or ended.
 */
static inline void count_outcome(struct model *model, const struct change *event, struct service *service)
{
    if (service->has_after && (service->blocked || service->woken > 0 || service->perhaps_woken) != service->one_waits)
        count_again(model, event, service);
}

/* Notes that the thread now waits for an object; NONE: the thread no longer waits. */
void count_waiting(struct model *model, struct thread *thread, uint32_t object);

void count_forget(struct model *model);

/* model_services.c: services, and the events that belong to a call */
struct service *service_of_context(struct model *model, const struct change *event);
void service_event(struct model *model, const struct change *event);
void service_close(struct model *model, const struct change *event, struct service *service);

#define SERVICE_RULES    128u
#define SERVICE_ANY_WORD 5u

struct service_rule {
    uint8_t before;  /* 1 + index of the word that contains the object's count before the call; 0: no word */
    uint8_t zero;    /* 1 + index of the word that is 0 if the service got nothing; 0: the service never fails;
                        SERVICE_ANY_WORD: no single word decides */
    bool ends_count; /* the object's count is invalid after this service */
};

extern const struct service_rule service_rules[SERVICE_RULES]; /* service_rules.c; index: the service's id */

static inline const struct service_rule *service_rule(uint32_t id)
{
    return &service_rules[id < SERVICE_RULES ? id : 0];
}

/* Returns true if the service can make its caller wait for this reason. */
bool service_fits_wait(const struct service *service, uint32_t reason);

/* Returns true if the service aborts the thread's wait and is about to resume the thread. thread: the thread's
 * address. */
bool service_aborts(const struct service *service, uint32_t thread);

/*
 * Returns why a thread's wait ends. service: the open service before the thread's resumption. by: the thread that
 * called this service; NONE: an interrupt. UNKNOWN: the service or a timeout ended the wait.
 */
enum ending service_ending(const struct model *model, const struct service *service, uint32_t by,
                           const struct thread *thread);

void lock_call(struct model *model, const struct change *event, const struct service *service);
void mutex_call(struct model *model, const struct change *event, const struct service *service);
void mutex_locked(struct model *model, const struct change *event); /* for other kernels only */
void mutex_handed_over(struct model *model, const struct change *ready);
void mutex_forget(struct model *model);

/* model_interrupts.c: the interrupts that each core has entered */
/* The entered interrupts: depth is their number; the thread is the thread that the outermost interrupt named, or 0. */
struct entered {
    uint32_t depth, thread;
};

/* Returns the interrupts that are entered after this event. The event must be the next event of its core. */
struct entered interrupts_after(const struct model *model, const struct txtap_event *event);

/*
 * Returns true if the event proves that all entered interrupts have ended: a thread recorded it, or an interrupt names
 * another thread. The kernel switches threads only after the last interrupt.
 */
bool interrupts_were_left(const struct txtap_event *event, uint32_t entered_in);

void interrupt_change(struct model *model, const struct change *event);

/* Updates the core's entered interrupts. Inline, because most events change nothing. */
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

/* model_cores.c: the thread on each core */
void core_begin(struct model *model, const struct change *event);

/* Counts the activities of the cores up to the tick `ticks`. */
void core_settle(struct model *model, uint64_t ticks);

/* Adds all cores up to core `number`. */
void cores_add(struct model *model, uint32_t number);
void core_change(struct model *model, const struct change *event, const struct run *run);
void core_forget(struct core *core);

/* Adds doubt to ticks of a core. ran: the counted activity. maybe: set of the activities that are possible instead. */
void core_add_doubt(struct model *model, struct core *core, enum running ran, unsigned maybe, uint64_t ticks);

/*
 * Marks the time from the tick `from` to the core's last event as uncertain. The interrupt may have ended at any time
 * in it, because the interrupt did not record its end.
 */
void core_doubt_interrupt(struct model *model, const struct change *at, uint64_t from);

/* Marks the activity of the change's core as unknown from now on. */
void core_stop(struct model *model, const struct change *at);

/*
 * Notes the thread that the kernel chooses in an interrupt. Call it when an interrupt ended a time slice, or suspended
 * or resumed a thread.
 */
void core_note_next(struct model *model, const struct change *event);

/*
 * Notes the next thread. A time slice may end several events before the interrupt's exit event, but the threads switch
 * only at the exit.
 */
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

/* Returns true if the core keeps its thread. After most events this is true. */
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

/* Sets what a core runs after an event. */
static inline void core_run(struct model *model, const struct change *event, const struct run *run)
{
    core_note_slice(model, event);
    if (!core_goes_on(model, event, run))
        core_change(model, event, run);
}

/* model_smp.c: several cores */
/* Corrects the activity that the model assumed for the event's core before the event. */
void cores_meet(struct model *model, const struct change *event);

/* Notes the next threads of the event's core and of other cores, if the event shows these threads. */
void cores_note(struct model *model, const struct change *event, const struct run *run);

/* Takes the core's thread off the core. Call it when a core has given up its thread without an event. */
void core_lose(struct model *model, uint32_t number, const struct change *at);

/* Forgets the activity of all cores. Call it at a gap, because nothing is known about any core after a gap. */
void cores_part(struct model *model, const struct change *at);

/* Returns the ticks up to the last event in which the core may have run anything. */
uint64_t core_open_doubt(const struct model *model, const struct core *core);

/* Ends all uncertain interrupts. Everything up to now must be settled. */
void cores_end(struct model *model, const struct change *at);

#endif
