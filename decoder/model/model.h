/* SPDX-License-Identifier: MIT */
/*
 * The state of threads, interrupts and objects at each moment, as far as events show this state: which threads are
 * ready, what each thread waits for and since when, what each core runs. The model takes items and reports each change.
 * It has no statistics.
 */
#ifndef TXTAP_DECODER_MODEL_MODEL_H
#define TXTAP_DECODER_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_ids.h"
#include "model/table.h"
#include "txtap/inner/change.h"
#include "txtap/item.h"
#include "txtap/inner/next_context.h"
#include "txtap/registry.h"

#define NONE TABLE_NONE /* no such thread or object */

enum thread_state { THREAD_UNKNOWN, THREAD_READY, THREAD_BLOCKED };

/* The states on which a thread's time is counted. ACCOUNT_BLOCKED + reason: the thread waits for this reason. */
enum account {
    ACCOUNT_UNKNOWN = TXTAP_THREAD_UNKNOWN,
    ACCOUNT_RUNNING = TXTAP_THREAD_RUNNING,
    ACCOUNT_INTERRUPTED = TXTAP_THREAD_INTERRUPTED, /* the thread has a core, and an interrupt runs there */
    ACCOUNT_READY = TXTAP_THREAD_READY,             /* another thread has the core */
    ACCOUNT_BLOCKED = TXTAP_THREAD_BLOCKED,
    ACCOUNTS = ACCOUNT_BLOCKED + REASONS
};

/* A call of a service: its event, and the suspensions and resumptions that belong to it. */
struct service {
    uint32_t id; /* 0: unknown */
    uint32_t thread, object;
    uint32_t info[4];
    uint64_t ticks, seq;
    uint32_t woken;             /* number of threads that the service resumed from a wait for its object */
    bool perhaps_woken;         /* the service may have resumed one more thread */
    bool open;                  /* later events may belong to the service */
    bool blocked;               /* the service suspended its caller */
    uint8_t type;               /* enum txtap_object_type of its object; THREAD (thread service) or NONE: no object */
    bool has_before, has_after; /* before is valid, from the service's event; after is valid, computed from before */
    uint32_t before, after;
    bool one_waits; /* the value in after assumes a waiting thread, which takes the data that the service puts, or fills
                       the space that the service frees */
    bool gives_up;  /* the service is a put after which the owner no longer owns the mutex */
    bool perhaps_gives_up; /* like gives_up, but only if the owner was terminated in a gap */
    bool deletes;          /* the service is a put while the mutex is deleted: the waiting threads do not get the
                              mutex */
    bool perhaps_deletes;  /* the service is a put after a gap, perhaps in a deletion; it counts as a put that gives
                              the mutex to the next thread */
    bool flags_known;      /* event flags: flags is known */
    uint32_t flags;        /* the flags after the service */
    bool failed;           /* set when the service ends: the service did not wait, and got nothing */
};

struct moment {
    uint64_t ticks, seq;
};

/* The time from a resumption to the next suspension. */
struct job {
    bool open;
    struct moment start;
    uint64_t spent[ACCOUNTS]; /* open job: the thread's ticks at its start; ended job: ticks within it */
    uint64_t less;            /* like spent, for the ticks in the thread's doubt.less */
    uint64_t doubted;         /* model->doubted at the job's start */
    uint32_t turns;           /* how often the thread was given a core */
};

/* Uncertain ticks of a share. less: counted ticks that may not belong to it; more: uncounted ticks that may belong to
 * it. */
struct doubt {
    uint64_t less, more;
};

struct thread {
    uint32_t address;
    enum thread_state state;
    uint32_t reason, object;   /* BLOCKED: why it waits, and for which object */
    uint32_t waits_for;        /* object whose count of waiting threads includes this thread, or NONE */
    uint32_t service;          /* id of the service that blocked the thread; 0: unknown */
    uint64_t called;           /* tick at which the thread called that service */
    uint32_t wait_option;      /* wait option of that service; 0: unknown */
    struct moment since;       /* start of the state */
    bool since_known;          /* the state began exactly at the moment in since */
    int core;                  /* the core that the thread occupies; -1: no core */
    uint8_t recorded_on;       /* SMP: core of the thread's newest event, even if that event still waits for later
                                  events */
    bool waking;               /* resumed (see woken), and not given a core since then */
    bool resumed;              /* resumed at least once */
    bool lingers;              /* BLOCKED by another core: the thread's own core may still run it */
    uint64_t lingered;         /* ticks, up to account_since, in which the thread lingered */
    bool woken_in_init;        /* resumed by the initialization, when no thread can run */
    uint64_t perhaps_given;    /* tick at which a put hidden by a gap may have given the thread a mutex; 0: never */
    bool waiting;              /* the thread waits for a core, since waiting_since */
    struct moment woken;       /* the thread's last resumption */
    uint64_t waiting_since;    /* tick at which the wait for a core began */
    uint64_t waiting_earliest; /* several cores: earliest tick at which that wait may have begun */
    uint64_t waiting_doubted;  /* model->doubted when that wait began */
    uint64_t given;            /* last DISPATCH: latest tick at which the thread got its core; UINT64_MAX: unknown */
    bool priority_known;       /* known from the thread's events, the registry or a call */
    uint32_t priority, base;   /* priority: in the thread's last event; base: without inheritance */
    uint32_t runs_at;          /* current priority, perhaps inherited since the thread's last event */
    bool runs_at_known;        /* false from a gap until the thread's next event */
    bool changes_priority;     /* the kernel is about to change the priority: runs_at is still the old priority */
    bool base_certain;         /* base comes from the registry or a call */
    bool base_doubtful;        /* a gap may hide a change of base: the true value is base_least or a larger number */
    uint32_t base_least;
    bool suspension_unknown;     /* a gap, or the start of the trace, may hide a suspension during the thread's wait */
    bool perhaps_suspended;      /* READY, or suspended when the wait ended: the trace does not show whether the
                                    suspension was requested */
    bool suspend_later;          /* suspended during its wait: the suspension takes effect when the wait ends */
    bool is_no_timer;            /* the thread cannot be the kernel's timer thread */
    uint64_t created;            /* tick at which the thread was created: it did nothing before */
    bool joined;                 /* represents several threads, created one after another at its address */
    bool left;                   /* UNKNOWN: the thread left its core, and has been ready or asleep since then */
    bool stack_created;          /* stack and stack_bytes come from its create event */
    uint32_t stack, stack_bytes; /* stack: its lowest address; stack_bytes: its size; 0: unknown */
    struct service last;         /* its last service */
    uint64_t events;             /* number of events that it recorded */
    uint64_t seq;                /* the thread's newest event, or the event that created the thread */
    struct job job;
    enum account account;
    uint64_t account_since;
    uint64_t spent[ACCOUNTS]; /* ticks, up to account_since */
    struct doubt doubt;       /* doubt about its time RUNNING */
};

/* One of the threads that were created at an address: see model_lives.c. */
struct thread_life {
    uint32_t number; /* 0, 1, ... among the threads at the address */
    uint32_t count;  /* valid for number 0: how many threads the address has had */
    uint32_t newest; /* valid for number 0: the current thread; NONE: a thread without a name, which is added with its
                        first event */
    uint64_t before_gap; /* newest event that referred to the thread before the first gap; 0: no such event */
    bool named;          /* name is set, "" if unknown; false: the registry may have the name */
    char name[TXTAP_OBJECT_NAME_BYTES];
};

struct object {
    uint32_t address;
    uint8_t type; /* enum txtap_object_type */
    uint32_t parameter[2];
    bool registered;   /* parameter is known */
    uint32_t capacity; /* queue: how many messages it can hold; 0: unknown */
    bool count_known;
    uint32_t count;     /* current contents of the object: see struct txtap_change_counter */
    uint64_t count_seq; /* event of the service that set count */
    bool count_likely;  /* count is uncertain: the service that set it may have resumed a thread */
    uint32_t waiting;   /* known number of threads that wait for it */
    uint64_t failed;    /* number of services that did not wait, and got nothing */
    uint32_t flags;     /* event flags: the flags that are set */
    bool flags_known;   /* flags is known */
    bool inherits;      /* mutex: its owner inherits the priority of waiting threads */
    bool lock;          /* semaphore used as a lock (an option of the user): the thread of the last get owns it */
    bool crowded;       /* lock: its count was above 1, so it has no owner */
    /* The next members are for a mutex or a lock. */
    uint32_t owner;     /* a thread; NONE: no owner, or unknown */
    struct moment held; /* when the owner got the mutex or the lock */
    bool held_known;    /* held is the exact time */
};

/* The activities of a core. OCCUPANT: the activity that the core would have without interrupts. */
enum running {
    RUNNING_UNKNOWN = TXTAP_RUNNING_UNKNOWN,
    RUNNING_IDLE = TXTAP_RUNNING_IDLE,
    RUNNING_INIT = TXTAP_RUNNING_INIT,
    RUNNING_ISR = TXTAP_RUNNING_ISR,
    RUNNING_THREAD = TXTAP_RUNNING_THREAD,
    RUNNINGS
};

#define MAYBE(running) (1u << (running)) /* a bit of a set */

#define ISR_DEPTH_MAX 16u

struct isr_frame {
    uint32_t number;
    struct moment start;
    uint64_t nested; /* ticks of the interrupts nested in this interrupt */
};

struct core {
    bool seen; /* an event of it was seen since the last gap */
    enum running running, occupant;
    uint32_t thread;              /* the occupant, if occupant is THREAD */
    uint64_t running_since;       /* in ticks */
    uint64_t spent[RUNNINGS];     /* ticks, up to running_since, gaps left out */
    uint8_t maybe;                /* what the core may run now instead: a set of MAYBE() */
    struct doubt doubt[RUNNINGS]; /* doubt about spent */
    struct isr_frame isr[ISR_DEPTH_MAX];
    uint32_t depth;              /* number of entered interrupts; those above ISR_DEPTH_MAX are only counted */
    enum running interrupted;    /* depth > 0: the occupant when the outermost interrupt was entered */
    uint32_t interrupted_thread; /* valid if interrupted is THREAD */
    uint32_t entered_in; /* depth > 0: address of the thread that the outermost interrupt's enter event named, or 0 */
    bool in_burst;       /* the last event came from an interrupt, but no interrupt is entered */
    uint32_t slice;      /* thread chosen when a time slice ended in this interrupt; NONE: no time slice ended */
    bool displaced;      /* in this interrupt the kernel has chosen a thread other than the occupant */
    struct service last_isr, last_init;
    struct service outer_isr; /* open: last service of the outer interrupt, while a nested interrupt runs */
    /* The next members are for several cores, see model_smp.c. */
    uint64_t met, before; /* met: tick of the core's newest event; before: tick of the event before that */
    uint64_t certain;     /* tick until which it is certain what the core runs; UINT64_MAX: until its next event */
    uint32_t awaited;     /* thread that the core may be about to run; NONE: the core already runs the right thread */
    uint32_t doubted_for; /* thread whose resumption set the tick in certain, if nothing else set it */
    bool chosen;          /* the core's own event named the thread in awaited as the next thread */
    bool left_interrupts; /* the core's newest event was the exit event of its last interrupt */
    bool caused;          /* another core may have made this core switch since its newest event */
};

#define ANY_THREAD (NONE - 1) /* value of awaited: some thread, unknown which */

/* Types of services: TXTAP_OBJECT_NONE to BYTE_POOL. CALL and SERVICE have separate sinks for each type. */
#define SERVICE_TYPES (TXTAP_OBJECT_BYTE_POOL + 1)

enum change_kind {
    CHANGE_RECORDED,                              /* any event, before the model applies it; only the thread is set */
    CHANGE_EVENT,                                 /* an event; the model has only applied its thread and core */
    CHANGE_PARALLEL,                              /* like EVENT, if there are several cores */
    CHANGE_SEVERAL,                               /* a second core was found, which may have run unseen all the time */
    CHANGE_ISR_ENTER,                             /* isr: its frame; count: nesting depth, 0 if its end is unknown */
    CHANGE_ISR_EXIT,                              /* isr: its frame; ticks: its duration */
    CHANGE_ISR_BURST,                             /* an interrupt that did not record its enter */
    CHANGE_ISR_LOST,                              /* count: number of interrupts that did not record their exits */
    CHANGE_CALL,                                  /* a service begins; service: its event */
    CHANGE_SERVICE = CHANGE_CALL + SERVICE_TYPES, /* a service ends: its outcome is final, even if it is uncertain */
    CHANGE_SERVICE_LAST = CHANGE_SERVICE + SERVICE_TYPES - 1,
    CHANGE_BLOCKED,  /* a thread waits; thread: its struct contains the object and the reason */
    CHANGE_READY,    /* a thread is resumed; thread: its struct still describes the wait; waker: the context that
                         resumed it. Or the thread is terminated while it waits: the waker's kind is UNKNOWN */
    CHANGE_DISPATCH, /* a thread is given a core; ticks: how long it waited for the core */
    CHANGE_ACQUIRED, /* a mutex has a new owner; thread: the owner, as far as known; NONE: another thread may own it */
    CHANGE_RELEASED, /* a thread gives up a mutex; ticks: how long it owned the mutex, if known */
    CHANGE_JOB,      /* a job of a thread ends */
    CHANGE_SWITCH,   /* a core changes its occupant; members: left, way, to, thread */
    CHANGE_OCCUPIED, /* like SWITCH, for a core whose occupant was unknown */
    CHANGE_RUNNING,  /* a span of a core's activity ends; before: the activity; ticks: the span; maybe: other possible
                        activities */
    CHANGE_DOUBT,    /* a core's past activity is uncertain; before: the counted activity; ticks: its time; maybe: a
                        thread, or idle */
    CHANGE_RUNS,     /* a core starts another activity; members: to, thread */
    CHANGE_ACCOUNT,  /* the account of a thread changes */
    CHANGE_PAST,     /* an UNKNOWN account of a thread is now known; count: the account; ticks: its time until now */
    CHANGE_COUNT,    /* the count of an object has changed, or has become unknown */
    CHANGE_PRIORITY, /* the priority of a thread has changed */
    CHANGE_BASE,     /* the priority of a thread is now known */
    CHANGE_SAME,     /* after a gap, an event proves that a thread's own priority has not changed */
    CHANGE_GAP, /* nothing is known between the last event and the next; the model still has its state before the gap */
    CHANGE_GAP_END, /* a gap ends; ticks: its length; gap_lost of the model: number of events lost in it */
    CHANGE_END,     /* no more events */
    CHANGE_KINDS
};

/* How a thread left its core. */
enum way {
    WAY_BLOCKED = TXTAP_WAY_BLOCKED,
    WAY_PREEMPTED = TXTAP_WAY_PREEMPTED,
    WAY_TIME_SLICE = TXTAP_WAY_TIME_SLICE,
    WAY_RELINQUISHED = TXTAP_WAY_RELINQUISHED,
    WAY_UNKNOWN = TXTAP_WAY_UNKNOWN
};

/* Why a wait ended. */
enum ending {
    ENDING_UNKNOWN = TXTAP_ENDING_UNKNOWN,
    ENDING_SERVED = TXTAP_ENDING_SERVED,
    ENDING_TIMEOUT = TXTAP_ENDING_TIMEOUT,
    ENDING_DELETED = TXTAP_ENDING_DELETED,
    ENDING_ABORTED = TXTAP_ENDING_ABORTED
};

struct waker {
    enum running kind;             /* THREAD, ISR or INIT */
    uint32_t number;               /* number of the thread in the model, or number of the interrupt; NONE: unknown */
    const struct service *service; /* NULL: no service */
    enum ending ending;
    bool unsure; /* the service is unknown: the thread may have waited for something else, and may have been aborted */
};

/* Returns true if a put ended the wait, and the put may have been part of a deletion. */
static inline bool waker_perhaps_deletes(const struct waker *waker)
{
    return waker->ending == ENDING_SERVED && waker->service != NULL && waker->service->perhaps_deletes;
}

struct change {
    enum change_kind kind : 8;
    enum way way : 8;
    enum running from : 8, to : 8, before : 8;
    bool known; /* ticks is exact */
    bool vague; /* several cores: a DISPATCH may have been earlier, or repeated; in a JOB it is uncertain which
                   thread ran */
    bool woken; /* DISPATCH: the first dispatch since the thread was resumed */
    uint8_t core;
    uint8_t maybe; /* RUNNING, DOUBT: a set of MAYBE() */
    struct moment now;
    uint32_t thread; /* number in the model; EVENT and SERVICE: the thread that recorded it, or NONE */
    uint32_t object;
    uint32_t left; /* SWITCH: the thread that left, or NONE */
    uint32_t count;
    uint64_t ticks;
    const struct txtap_event *event; /* NULL for GAP and END */
    union {                          /* kind selects the valid member */
        const struct isr_frame *isr;
        const struct service *service;
        const struct waker *waker;
        const struct job *job;
    };
};

struct model;

struct change_sink {
    void (*take)(void *self, const struct change *change);
    void *self;
};

/* The largest number of sinks for a kind of change. */
#define CHANGE_SINKS_MAX 32u

/* Sinks of EVENT can select single ids below this limit. */
#define EVENT_IDS 1024u

/* Events with ids below this limit (ThreadX's services) are counted by thread and id. */
#define COUNTED_IDS 128u

#define MODEL_EVENTS      (2 * TXTAP_NEXT_CONTEXT_LOOK_AHEAD)
#define MODEL_EVENTS_KEPT 32u /* applied events kept before the waiting events; few, so that they stay in the cache */
#define MODEL_RECENT      16u

struct model {
    struct table thread_numbers, object_numbers; /* keys: addresses of objects; lives and addresses of threads */
    const struct txtap_registry *names; /* distinguishes threads at one address; NULL: they count as one thread */
    struct thread *threads;
    struct thread_life *lives; /* by number of thread */
    struct object *objects;
    struct core *cores;                /* TXTAP_CORES_MAX */
    uint64_t (*recorded)[COUNTED_IDS]; /* number of events, by thread (first row: no thread) and id */
    uint32_t core_count;
    bool any_wait_ends_job;
    bool other_kernel;        /* the events are not from ThreadX and record less, see OTHER_KERNEL */
    bool interrupts_open;     /* the ends of interrupts are not recorded */
    bool interrupts_recorded; /* an interrupt recorded an event */
    struct {
        bool known, several; /* several: more than one thread looks like the timer thread */
        uint32_t address;
    } timer_thread;         /* the kernel's timer thread; if there is one, only this thread ends waits by timeouts */
    bool names_next;        /* a resumption named the next thread: older kernels never do */
    bool names_interrupted; /* an interrupt's event named the interrupted thread: older kernels never do */
    bool switches_open;     /* some switches are not recorded */
    bool resumptions;       /* a resumption was recorded */
    struct recent {
        uint32_t address, number; /* key and result of the last look-up; 0: no look-up */
    } recent_threads[MODEL_RECENT], recent_objects[MODEL_RECENT];

    uint64_t doubted;      /* ticks in which it was uncertain what one of several cores ran */
    uint64_t core_added;   /* tick of the newest core's first event */
    bool thresholds;       /* a thread has a preemption threshold */
    uint32_t proven_cores; /* a set of cores that the kernel's own events named */
    uint32_t idle_thread;  /* address of the kernel's idle thread, whose time counts as idle; 0: no idle thread */

    bool from_init;      /* the initialization recorded the first event: no thread has run before */
    bool begun;          /* the first event was applied */
    struct moment first; /* the first event */
    struct moment last;  /* the newest applied event */
    uint64_t unknown;    /* ticks inside gaps */
    uint64_t known_from; /* tick of the first event after the last gap */
    uint64_t gaps, lost; /* gaps: their number; lost: lower bound of the events lost in them */
    bool lost_exact;     /* lost is exact */
    uint64_t gap_lost;   /* events lost since the last gap began */
    bool gap_exact;      /* gap_lost is exact */
    bool in_gap;         /* the next event follows a gap */
    uint64_t skipped;    /* tick of the last event skipped after a gap; 0: none */
    uint64_t hidden;     /* tick of the last skipped event, never reset: until then objects may have changed unseen */
    bool restarted;      /* another buffer, or another file of the same trace, has begun */
    bool unsure;         /* events may be lost without a gap */
    uint64_t events, failed; /* events: their number; failed: number of failed services, see struct service */
    uint64_t ticks_base;     /* added to the ticks of a new trace, so that ticks never decrease */

    struct txtap_next_context next;
    struct txtap_event *buffer; /* MODEL_EVENTS entries: events that wait for later events */
    size_t from, count, wanted; /* waiting events: index of the first, their number, number needed */

    struct change_sink sinks[CHANGE_KINDS][CHANGE_SINKS_MAX];
    unsigned sink_count[CHANGE_KINDS];
    uint32_t event_takers[EVENT_IDS + 1]; /* by id, last entry: all other ids; bit n: sink n of EVENT */
};

static inline unsigned model_recent(uint32_t address)
{
    return (address >> 3 ^ address >> 8) % MODEL_RECENT;
}

void model_layout(struct model *model, struct arena *arena, uint32_t threads, uint32_t objects);
void model_init(struct model *model);

/* Adds a sink for all changes of this kind. Call it before the first item. */
void model_tell(struct model *model, enum change_kind kind, struct change_sink sink);

/* Like model_tell(), but only for CALL or SERVICE of services of this type. */
void model_tell_of(struct model *model, enum change_kind kind, uint8_t type, struct change_sink sink);

/*
 * Like model_tell(), but only for EVENT with this id; EVENT_IDS: all ids from EVENT_IDS on. Add all ids of a sink one
 * after another.
 */
void model_tell_event(struct model *model, uint32_t id, struct change_sink sink);

void model_learn(struct model *model, const struct txtap_registry *registry);

/* Like model_learn(), before event seq is applied: a thread that a later event creates is not learned yet. */
void model_learn_before(struct model *model, const struct txtap_registry *registry, uint64_t seq);
void model_take(struct model *model, const struct txtap_item *item);
void model_end(struct model *model);

/* Returns true if a sink takes changes of this kind. */
static inline bool model_is_heard(const struct model *model, enum change_kind kind)
{
    return model->sink_count[kind] > 0;
}

/* Returns the number of the current thread at the address; NONE: the model does not know it. */
static inline uint32_t model_thread_find(const struct model *model, uint32_t address)
{
    const struct recent *recent = &model->recent_threads[model_recent(address)];
    uint32_t head;

    if (address != 0 && address == recent->address)
        return recent->number;
    head = table_find(&model->thread_numbers, address);
    return head != NONE ? model->lives[head].newest : NONE;
}

/*
 * Returns the name that distinguishes the thread from others at its address, "" if unknown. NULL: no other thread at
 * its address.
 */
static inline const char *model_thread_name(const struct model *model, uint32_t number)
{
    return model->lives[number].named ? model->lives[number].name : NULL;
}

/* Returns true if its address has had several threads that the model distinguishes. */
bool model_has_lives(const struct model *model, uint32_t number);

/* Returns true if the thread at the address has no known name, and the pattern may match its name. */
bool model_may_be_named(const struct model *model, uint32_t address, const char *pattern);

/* Gives a change to all sinks of its kind. */
static inline void model_emit_of(const struct model *model, const struct change *change, uint8_t type)
{
    const struct change_sink *sinks = model->sinks[change->kind + type];
    unsigned count = model->sink_count[change->kind + type];

    for (unsigned i = 0; i < count; i++)
        sinks[i].take(sinks[i].self, change);
}

static inline void model_emit(const struct model *model, const struct change *change)
{
    model_emit_of(model, change, 0);
}

/* Gives an EVENT to all sinks of its id. */
static inline void model_emit_event(const struct model *model, const struct change *event)
{
    uint32_t id = event->event->id, takers = model->event_takers[id < EVENT_IDS ? id : EVENT_IDS];

    for (; takers != 0; takers &= takers - 1) {
        const struct change_sink *sink = &model->sinks[CHANGE_EVENT][__builtin_ctz(takers)];

        sink->take(sink->self, event);
    }
}

/*
 * Returns true if this SWITCH is between threads, or to or from idle. A switch from or to the initialization is no
 * context switch.
 */
static inline bool change_is_context_switch(const struct change *change)
{
    return change->from != RUNNING_INIT && (change->to == RUNNING_THREAD || change->to == RUNNING_IDLE);
}

/* Returns true if the thread certainly waits for a core. */
static inline bool thread_waits_for_core(const struct thread *thread)
{
    return thread->waiting && !thread->perhaps_suspended;
}

/* Returns true if the thread was resumed, but not by the initialization, and has not been given a core since. */
static inline bool thread_is_woken(const struct thread *thread)
{
    return thread_waits_for_core(thread) && thread->waking && !thread->woken_in_init;
}

/* Returns bounds of the thread's own priority. */
static inline uint32_t thread_base_least(const struct thread *thread)
{
    return thread->base_doubtful ? thread->base_least : thread->base;
}

static inline uint32_t thread_base_most(const struct thread *thread)
{
    return thread->base_doubtful ? UINT32_MAX : thread->base;
}

/* Returns the ticks in which the thread did not wait, as far as known. */
static inline uint64_t thread_not_blocked(const struct model *model, const struct thread *thread)
{
    return thread->spent[ACCOUNT_UNKNOWN] + thread->spent[ACCOUNT_RUNNING] + thread->spent[ACCOUNT_INTERRUPTED] +
           thread->spent[ACCOUNT_READY] +
           (thread->account < ACCOUNT_BLOCKED ? model->last.ticks - thread->account_since : 0);
}

/* Returns the ticks that the thread has run in its open job. */
static inline uint64_t thread_ran_in_job(const struct thread *thread, uint64_t now)
{
    return thread->spent[ACCOUNT_RUNNING] - thread->job.spent[ACCOUNT_RUNNING] +
           (thread->account == ACCOUNT_RUNNING ? now - thread->account_since : 0);
}

/* Returns the ticks between the first and the last event, without gaps. */
static inline uint64_t model_observed(const struct model *model)
{
    return model->last.ticks - model->first.ticks - model->unknown;
}

/* Returns the ticks of cores before their first events. */
uint64_t model_unseen(const struct model *model);

/* Returns the ticks in gaps of all cores but one. list_share() already counts the gaps of one core. */
static inline uint64_t model_hidden_cores(const struct model *model)
{
    return model->core_count > 1 ? (model->core_count - 1) * model->unknown : 0;
}

/* Returns true if events may be missing without a gap. */
static inline bool model_is_unsure(const struct model *model)
{
    return model->unsure;
}

/* Returns true if events or switches may be missing between the first event and the last. */
static inline bool model_has_gaps(const struct model *model)
{
    return model->gaps > 0 || model->unsure || model->switches_open;
}

/* Returns true if object is a semaphore used as a lock, so that its last getter owns it. object: may be NONE. */
static inline bool model_is_lock(const struct model *model, uint32_t object)
{
    return object != NONE && model->objects[object].lock && !model->objects[object].crowded;
}

/* Returns true if the waiting thread waits for something with an owner. The owner may be unknown. */
static inline bool model_waits_for_owner(const struct model *model, const struct thread *thread)
{
    return thread->reason == REASON_MUTEX ||
           (thread->reason == REASON_SEMAPHORE && model_is_lock(model, thread->object));
}

/* Returns the number of a thread or an object; a new address gets a new number. NONE: no room, or address 0. */
uint32_t model_thread_added(struct model *model, uint32_t address);
uint32_t model_object_added(struct model *model, uint32_t address, uint8_t type);

/* Like model_thread_added() and model_object_added(), but fast for recent addresses. */
static inline uint32_t model_thread(struct model *model, uint32_t address)
{
    struct recent *recent = &model->recent_threads[model_recent(address)];

    if (address == 0)
        return NONE;
    if (address != recent->address)
        *recent = (struct recent){address, model_thread_added(model, address)};
    return recent->number;
}

static inline uint32_t model_object(struct model *model, uint32_t address, uint8_t type)
{
    const struct recent *recent = &model->recent_objects[model_recent(address)];

    return address != 0 && address == recent->address ? recent->number : model_object_added(model, address, type);
}

/* Returns the RUNNING change that the model would report if the core changed its activity at the given tick. */
struct change core_running(const struct model *model, uint32_t number, uint64_t ticks);

/* Returns the ticks that all cores together spent in one activity. */
uint64_t core_ran(const struct model *model, enum running what);

/* Returns the uncertain ticks of core_ran(): of all cores, of one core, of a thread. */
struct doubt core_doubt(const struct model *model, enum running what);
struct doubt core_own_doubt(const struct model *model, const struct core *core, enum running what);
struct doubt core_thread_doubt(const struct model *model, uint32_t thread);

/*
 * Returns true if it is uncertain at each moment what the cores run. Several cores of ThreadX may have run more than
 * the events show.
 */
static inline bool model_is_vague(const struct model *model)
{
    return model->core_count > 1 && !model->other_kernel;
}

/*
 * Returns true if the thread may have run unseen since the tick `since`. doubted: the value of model->doubted at this
 * tick.
 */
bool cores_are_vague(const struct model *model, uint32_t thread, uint64_t doubted, uint64_t since);

#endif
