/* SPDX-License-Identifier: MIT */
/*
 * Computes the state of threads, interrupts, objects and cores from the events. The state shows which threads are
 * ready, why and since when a thread waits, and what each core runs. The model takes items and reports each change of
 * the state. It computes no statistics.
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
#include "txtap/inner/stacks.h"
#include "txtap/registry.h"

#define NONE TABLE_NONE /* no such thread or object */

enum thread_state { THREAD_UNKNOWN, THREAD_READY, THREAD_BLOCKED };

/* The states for which the model counts a thread's time. ACCOUNT_BLOCKED + reason: the thread waits for this reason. */
enum account {
    ACCOUNT_UNKNOWN = TXTAP_THREAD_UNKNOWN,
    ACCOUNT_RUNNING = TXTAP_THREAD_RUNNING,
    ACCOUNT_INTERRUPTED = TXTAP_THREAD_INTERRUPTED, /* the thread has a core, but an interrupt runs there */
    ACCOUNT_READY = TXTAP_THREAD_READY,             /* another thread has the core */
    ACCOUNT_BLOCKED = TXTAP_THREAD_BLOCKED,
    ACCOUNTS = ACCOUNT_BLOCKED + REASONS
};

/* A call of a service: the event of the service, and the suspensions and resumptions that the service caused. */
struct service {
    uint32_t id; /* id of the service's event; 0: unknown */
    uint32_t thread, object;
    uint32_t number; /* number of the thread or of the interrupt that called the service; NONE: unknown, or the
                        initialization called it */
    uint32_t info[4];
    uint64_t ticks, seq;
    uint32_t woken;             /* number of threads that the service resumed from a wait for its object */
    bool perhaps_woken;         /* the service may have resumed one more thread */
    bool open;                  /* later events may belong to the service */
    bool blocked;               /* the service suspended its caller */
    uint8_t type;               /* enum txtap_object_type; NONE and THREAD: the service has no object */
    uint8_t caller;             /* enum running: THREAD, ISR or INIT */
    bool has_before, has_after; /* before: from the service's event; after: computed from before */
    uint32_t before, after;
    bool one_waits;        /* the value in after assumes that a waiting thread takes the data that the service puts, or
                              fills the space that it frees */
    bool gives_up;         /* the service is a put that ends the owner's ownership of the mutex */
    bool perhaps_gives_up; /* like gives_up, but only if the owner was terminated in a gap */
    bool deletes;          /* the kernel makes this put to delete the mutex: the waiting threads do not get the mutex */
    bool perhaps_deletes;  /* a gap may hide that the kernel makes this put to delete the mutex; the model assumes
                              that the next thread gets the mutex */
    bool flags_known;      /* event flags: flags is known */
    uint32_t flags;        /* the flags after the service */
    bool failed;           /* set when the service ends: the service did not wait, and got nothing */
};

#define FLAGS_AND 2u /* option of a get of event flags: wait for all flags */

/* Returns true if the flags for which a get asks are set. option: of the get; it decides whether the get asks for all
 * of the flags or for any flag. */
static inline bool flags_are_there(uint32_t flags, uint32_t asked, uint32_t option)
{
    return (option & FLAGS_AND) != 0 ? (flags & asked) == asked : (flags & asked) != 0;
}

struct moment {
    uint64_t ticks, seq;
};

/* The time from a resumption to the next suspension. */
struct job {
    bool open;
    struct moment start;
    uint64_t spent[ACCOUNTS]; /* open job: the thread's ticks at the job's start; ended job: ticks of the job */
    uint64_t less;            /* doubt.less at the job's start (open job) or in the job (ended job) */
    uint64_t doubted;         /* model->doubted at the job's start */
    uint32_t turns;           /* how often the thread was given a core */
};

/* Uncertain ticks of a share of time. less: counted ticks that may not belong to the share. more: uncounted ticks that
 * may belong to the share. */
struct doubt {
    uint64_t less, more;
};

struct thread {
    uint32_t address;
    enum thread_state state;
    uint32_t reason, object;   /* BLOCKED: the reason for the wait, and the object */
    uint32_t waits_for;        /* the count `waiting` of this object includes this thread; NONE: no such object */
    uint32_t service;          /* id of the service that blocked the thread; 0: unknown */
    uint64_t called;           /* tick of the call that blocked the thread */
    uint32_t wait_option;      /* wait option of the call that blocked the thread; 0: unknown */
    struct moment since;       /* start of the state */
    bool since_known;          /* since is the exact moment at which the state began */
    int core;                  /* the core that the thread occupies; -1: no core */
    uint8_t recorded_on;       /* SMP: core of the thread's newest event, which may not be applied yet */
    bool waking;               /* resumed (see woken), but the thread has not been given a core since then */
    bool resumed;              /* resumed at least once */
    bool lingers;              /* another core blocked the thread, but the thread may still run on its own core */
    uint64_t lingered;         /* ticks, up to account_since, in which the thread lingered */
    bool woken_in_init;        /* resumed by the initialization, when no thread can run */
    uint64_t perhaps_given;    /* tick of a hidden put that may have given the thread a mutex; 0: no such put */
    bool waiting;              /* the thread waits for a core, since waiting_since */
    struct moment woken;       /* the thread's last resumption */
    uint64_t waiting_since;    /* tick at which the wait for a core began */
    uint64_t waiting_earliest; /* several cores: earliest tick at which the wait for a core may have begun */
    uint64_t waiting_doubted;  /* value of model->doubted when the wait for a core began */
    uint64_t given;            /* last DISPATCH: the thread got its core at this tick or earlier; UINT64_MAX: unknown */
    bool priority_known;       /* priority is known from the thread's events, the registry or a call */
    uint32_t priority, base;   /* priority: from the thread's last event; base: the priority without inheritance */
    uint32_t runs_at;          /* current priority; the thread may have inherited it since its last event */
    bool runs_at_known;        /* runs_at is known; false from a gap until the thread's next event */
    bool changes_priority;     /* the kernel is about to change the priority: runs_at is still the old priority */
    bool base_certain;         /* base comes from the registry or a call */
    bool base_doubtful;        /* a gap may hide a change of base: the true value is base_least or a larger number */
    uint32_t base_least;
    bool suspension_unknown;     /* a gap, or the start of the trace, may hide a suspension during the thread's wait */
    bool perhaps_suspended;      /* when its wait ended, the thread became ready or suspended: the trace does not
                                    show which of the two */
    bool suspend_later;          /* suspended during its wait: the suspension takes effect when the wait ends */
    bool is_no_timer;            /* the thread cannot be the kernel's timer thread */
    uint64_t created;            /* tick at which the thread was created; the thread did nothing before */
    bool joined;                 /* represents several threads that were created one after another at one address */
    bool left;                   /* UNKNOWN: the thread left its core, and has been ready or asleep since then */
    bool stack_created;          /* stack and stack_bytes come from the thread's create event */
    uint32_t stack, stack_bytes; /* stack: lowest address of the stack; stack_bytes: size of the stack; 0: unknown */
    struct service last;         /* the thread's last service */
    uint64_t events;             /* number of events that the thread recorded */
    uint64_t seq;                /* the thread's newest event, or the event that created the thread */
    struct job job;
    enum account account;
    uint64_t account_since;
    uint64_t spent[ACCOUNTS]; /* ticks, up to account_since */
    struct doubt doubt;       /* doubt about spent[ACCOUNT_RUNNING] */
};

/* One thread among the threads that were created at one address: see model_lives.c. */
struct thread_life {
    uint32_t number;     /* 0, 1, ... among the threads at the address */
    uint32_t count;      /* valid if number is 0: how many threads of the model the address has had */
    uint32_t newest;     /* valid if number is 0: the current thread at the address; NONE: this thread has no name, and
                            the model adds it with its first event */
    uint64_t before_gap; /* newest event that referred to the thread before the first gap; 0: no such event */
    bool named;          /* name is set ("" if unknown); false: look up the name in the registry */
    char name[TXTAP_OBJECT_NAME_BYTES];
};

struct object {
    uint32_t address;
    uint8_t type; /* enum txtap_object_type */
    uint32_t parameter[2];
    bool registered;   /* parameter is known */
    uint32_t capacity; /* queue: maximum number of messages; 0: unknown */
    bool count_known;
    uint32_t count;     /* current contents of the object: see struct txtap_change_counter */
    uint64_t count_seq; /* event of the service that set count */
    bool count_likely;  /* count is uncertain: the service that set count may have resumed a thread */
    uint32_t waiting;   /* number of threads that are known to wait for the object */
    uint64_t failed;    /* number of services that did not wait, and got nothing */
    uint32_t flags;     /* event flags: the flags that are set */
    bool flags_known;   /* flags is known */
    bool inherits;      /* mutex: the owner inherits the priority of waiting threads */
    bool lock;          /* the user chose to treat this semaphore as a lock: the thread of the last get owns the lock */
    bool crowded;       /* lock: the count was above 1, so the lock has no owner */
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

#define MAYBE(running) (1u << (running)) /* the bit of an activity in a set of activities */

#define ISR_DEPTH_MAX 16u

struct isr_frame {
    uint32_t number;
    struct moment start;
    uint64_t nested; /* ticks of the interrupts nested in this interrupt */
};

struct core {
    bool seen; /* an event of the core was seen since the last gap */
    enum running running, occupant;
    uint32_t thread;              /* the occupying thread, if occupant is THREAD */
    uint64_t running_since;       /* the tick up to which spent counts the current activity */
    uint64_t spent[RUNNINGS];     /* ticks up to running_since, without gaps */
    uint8_t maybe;                /* other activities that are possible now instead of running: a set of MAYBE() */
    struct doubt doubt[RUNNINGS]; /* doubt about spent */
    struct isr_frame isr[ISR_DEPTH_MAX];
    uint32_t depth;              /* number of entered interrupts; those above ISR_DEPTH_MAX are only counted */
    enum running interrupted;    /* depth > 0: the occupant when the outermost interrupt was entered */
    uint32_t interrupted_thread; /* valid if interrupted is THREAD */
    uint32_t entered_in;         /* depth > 0: thread address in the outermost interrupt's enter event, or 0 */
    bool in_burst;               /* the last event came from an interrupt that did not record its enter */
    uint32_t slice; /* thread chosen when a time slice ended in this interrupt; NONE: no time slice ended */
    bool displaced; /* in this interrupt the kernel has chosen a thread other than the occupant */
    struct service last_isr, last_init;
    struct service outer_isr; /* last service of the outer interrupt during a nested interrupt; valid if it is open */
    /* The next members are for several cores, see model_smp.c. */
    uint64_t met, before; /* met: tick of the core's newest event; before: tick of the event before that */
    uint64_t certain;     /* the core's activity is certain until this tick; UINT64_MAX: until the core's next event */
    uint32_t awaited;     /* thread that the core may begin to run; NONE: the core already runs the right thread */
    uint32_t doubted_for; /* thread whose resumption alone set the tick in certain; ANY_THREAD: another cause */
    bool chosen;          /* the core's own event named the thread in awaited as the next thread */
    bool left_interrupts; /* the core's newest event was the exit event of its last interrupt */
    bool caused;          /* since this core's newest event, another core may have made this core switch */
};

#define ANY_THREAD (NONE - 1) /* value of awaited and doubted_for: a thread, but it is unknown which thread */

/* Number of service types, from TXTAP_OBJECT_NONE to TXTAP_OBJECT_BYTE_POOL. Each type has its own sinks for CALL and
 * SERVICE. */
#define SERVICE_TYPES (TXTAP_OBJECT_BYTE_POOL + 1)

enum change_kind {
    CHANGE_RECORDED,                              /* an event that the model has not applied; only the thread is set */
    CHANGE_EVENT,                                 /* an event; the model has updated only its thread and core */
    CHANGE_PARALLEL,                              /* like EVENT, if there are several cores */
    CHANGE_SEVERAL,                               /* a second core was found; it may have run unseen from the start */
    CHANGE_ISR_ENTER,                             /* isr: its frame; count: nesting depth, 0 if its end is unknown */
    CHANGE_ISR_EXIT,                              /* isr: the interrupt's frame; ticks: duration of the interrupt */
    CHANGE_ISR_BURST,                             /* an interrupt without a recorded enter event */
    CHANGE_ISR_LOST,                              /* interrupts without recorded exit events; count: their number */
    CHANGE_CALL,                                  /* a service begins; service: the data from its event */
    CHANGE_SERVICE = CHANGE_CALL + SERVICE_TYPES, /* a service ends: its outcome is final, even if it is uncertain */
    CHANGE_SERVICE_LAST = CHANGE_SERVICE + SERVICE_TYPES - 1,
    CHANGE_BLOCKED, /* a thread waits; the thread's struct contains the object and the reason */
    CHANGE_READY,   /* a thread is resumed; thread: its struct still describes the wait; waker: the context that resumed
                       it, of kind UNKNOWN if the waiting thread is terminated */
    CHANGE_DISPATCH, /* a thread is given a core; ticks: length of the wait for the core */
    CHANGE_ACQUIRED, /* a mutex has a new owner; thread: the owner; NONE: the owner is unknown */
    CHANGE_RELEASED, /* a thread gives up a mutex; ticks: how long the thread owned the mutex, if known */
    CHANGE_JOB,      /* a job of a thread ends */
    CHANGE_SWITCH,   /* a core changes its occupant; members: left, way, to, thread */
    CHANGE_OCCUPIED, /* like SWITCH, for a core whose occupant was unknown */
    CHANGE_RUNNING,  /* a span of a core's activity ends; before: the activity; ticks: length of the span; maybe:
                        other possible activities */
    CHANGE_DOUBT,    /* a counted activity of a core becomes uncertain; before: the activity; ticks: the uncertain
                        ticks; maybe: a thread, or idle */
    CHANGE_RUNS,     /* a core starts another activity; members: to, thread */
    CHANGE_ACCOUNT,  /* the account of a thread changes */
    CHANGE_PAST,     /* an UNKNOWN account of a thread is now known; count: the account; ticks: its time so far */
    CHANGE_COUNT,    /* the count of an object has changed, or has become unknown */
    CHANGE_PRIORITY, /* the priority of a thread has changed */
    CHANGE_BASE,     /* the priority of a thread is now known */
    CHANGE_SAME,     /* after a gap, an event proves that the gap has not changed a thread's own priority */
    CHANGE_GAP,      /* a gap begins after the last event; the model still has the state before the gap */
    CHANGE_GAP_END,  /* a gap ends; ticks: length of the gap; gap_lost of the model: number of events lost in the gap */
    CHANGE_END,      /* no more events */
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
    bool unsure; /* the service is not in the trace: the wait may have had another reason, and may have been aborted */
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
    bool vague; /* several cores. DISPATCH: the dispatch may have been earlier, or repeated. JOB: it is uncertain
                   which thread ran */
    bool woken; /* DISPATCH: the first dispatch since the thread was resumed */
    uint8_t core;
    uint8_t maybe; /* RUNNING, DOUBT: a set of MAYBE() */
    struct moment now;
    uint32_t thread; /* number in the model; EVENT and SERVICE: the thread that recorded the event, or NONE */
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
#define MODEL_EVENTS_KEPT 32u /* applied events that the buffer keeps; few, so that they stay in the cache */
#define MODEL_RECENT      16u

struct model {
    struct table thread_numbers, object_numbers; /* keys: addresses of objects; addresses and life numbers of threads */
    const struct txtap_stack_use *stacks;        /* stacks according to the kernel: `stack_count` elements */
    size_t stack_count;
    const struct txtap_registry *names; /* names of threads at one address; NULL: the threads count as one */
    struct thread *threads;
    struct thread_life *lives; /* index: number of the thread */
    struct object *objects;
    struct core *cores;                /* TXTAP_CORES_MAX entries */
    uint64_t (*recorded)[COUNTED_IDS]; /* index: thread (first row: no thread), and id; number of events */
    uint32_t core_count;
    bool any_wait_ends_job;
    bool other_kernel;        /* the events come from another kernel: see OTHER_KERNEL */
    bool interrupts_open;     /* the ends of interrupts are not recorded */
    bool interrupts_recorded; /* an interrupt recorded an event */
    struct {
        bool known, several; /* several: more than one thread behaves like the timer thread */
        uint32_t address;
    } timer_thread;         /* the kernel's timer thread; if there is one, only this thread ends waits by timeouts */
    bool names_next;        /* a resumption named the next thread; older kernels do not name it */
    bool names_interrupted; /* an interrupt's event named the interrupted thread; older kernels do not name it */
    bool switches_open;     /* some switches are not recorded */
    bool resumptions;       /* a resumption was recorded */
    struct recent {
        uint32_t address, number; /* key and result of the last look-up; 0: no look-up */
    } recent_threads[MODEL_RECENT], recent_objects[MODEL_RECENT];

    uint64_t doubted;      /* ticks in which the activity of a core was uncertain, with several cores */
    uint64_t core_added;   /* tick of the first event of the core that was added last */
    uint64_t faults;       /* number of marks TXTAP_MARK_FAULT */
    bool thresholds;       /* a thread has a preemption threshold */
    uint32_t proven_cores; /* bit n: an event of the kernel itself named core n */
    uint32_t idle_thread;  /* address of the kernel's idle thread, whose time counts as idle; 0: no idle thread */

    bool from_init;          /* the initialization recorded the first event, so no thread had run before */
    bool begun;              /* the first event was applied */
    struct moment first;     /* the first event */
    struct moment last;      /* the newest applied event */
    uint64_t unknown;        /* ticks inside gaps */
    uint64_t known_from;     /* tick of the first event after the last gap */
    uint64_t gaps, lost;     /* gaps: their number; lost: lower bound of the events lost in them */
    bool lost_exact;         /* lost is exact */
    uint64_t gap_lost;       /* events lost since the last gap began */
    bool gap_exact;          /* gap_lost is exact */
    bool in_gap;             /* the next event follows a gap */
    uint64_t skipped;        /* tick of the last event that was skipped after a gap; 0: no such event */
    uint64_t hidden;         /* like skipped, but never reset: until this tick objects may have changed unseen */
    bool restarted;          /* another buffer, or another file of the same trace, has begun */
    bool unsure;             /* events may be lost without a gap */
    uint64_t events, failed; /* events: number of events; failed: number of failed services, see struct service */
    uint64_t ticks_base;     /* this is added to the ticks of a new trace, so that ticks never decrease */

    struct txtap_next_context next;
    struct txtap_event *buffer; /* MODEL_EVENTS entries: events that wait for later events */
    size_t from, count, wanted; /* index of the first waiting event, number of waiting events, number needed */

    struct change_sink sinks[CHANGE_KINDS][CHANGE_SINKS_MAX];
    unsigned sink_count[CHANGE_KINDS];
    uint32_t event_takers[EVENT_IDS + 1]; /* index: event id, last entry: all other ids; bit n: sink n of EVENT */
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
 * Like model_tell(), but only for EVENT with this id; EVENT_IDS: all ids from EVENT_IDS on. Add all ids of one sink
 * before the ids of the next sink.
 */
void model_tell_event(struct model *model, uint32_t id, struct change_sink sink);

void model_learn(struct model *model, const struct txtap_registry *registry);

/* Like model_learn(), but for the time before event seq: it ignores threads that event seq or a later event creates. */
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
 * Returns the name that distinguishes the thread from other threads at its address; "": the name is unknown. NULL: the
 * address has had no other thread.
 */
static inline const char *model_thread_name(const struct model *model, uint32_t number)
{
    return model->lives[number].named ? model->lives[number].name : NULL;
}

/* Returns true if the model distinguishes several threads at the thread's address. */
bool model_has_lives(const struct model *model, uint32_t number);

/* Returns true if the thread at the address has no known name, and the pattern may match its true name. */
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

/* The true priority of the thread, without inheritance, is between these two numbers. */
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

/* Returns the ticks before the first event of each core, summed over all cores. */
uint64_t model_unseen(const struct model *model);

/* Returns the ticks that all cores except one spent in gaps. list_share() already counts the gaps of one core. */
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

/* Returns true if the object is a semaphore used as a lock. The thread of the last get owns such a semaphore. object:
 * may be NONE. */
static inline bool model_is_lock(const struct model *model, uint32_t object)
{
    return object != NONE && model->objects[object].lock && !model->objects[object].crowded;
}

/* Returns true if the thread waits for an object that has an owner. The owner may be unknown. */
static inline bool model_waits_for_owner(const struct model *model, const struct thread *thread)
{
    return thread->reason == REASON_MUTEX ||
           (thread->reason == REASON_SEMAPHORE && model_is_lock(model, thread->object));
}

/* Returns the number of the thread or object at an address. A new address gets a new number. NONE: no room, or address
 * 0. */
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

/* Uncertain ticks of an activity on all cores, of an activity on one core, and of the time that a thread ran. */
struct doubt core_doubt(const struct model *model, enum running what);
struct doubt core_own_doubt(const struct model *model, const struct core *core, enum running what);
struct doubt core_thread_doubt(const struct model *model, uint32_t thread);

/*
 * Returns true if the cores' activity is uncertain at each moment: ThreadX with several cores may have run more threads
 * than the events show.
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
