/* SPDX-License-Identifier: MIT */
/*
 * What threads, interrupts and objects do at each moment, as far as the events say: who is ready, who waits for what
 * since when, what each core runs. The model takes items and tells of each change. It knows no figures.
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

/* What a thread's time is spent on; ACCOUNT_BLOCKED + reason: waiting for that reason. */
enum account {
    ACCOUNT_UNKNOWN = TXTAP_THREAD_UNKNOWN,
    ACCOUNT_RUNNING = TXTAP_THREAD_RUNNING,
    ACCOUNT_INTERRUPTED = TXTAP_THREAD_INTERRUPTED, /* it has the core, and an interrupt runs */
    ACCOUNT_READY = TXTAP_THREAD_READY,             /* another thread has the core */
    ACCOUNT_BLOCKED = TXTAP_THREAD_BLOCKED,
    ACCOUNTS = ACCOUNT_BLOCKED + REASONS
};

/* A call of a service: its event, and the suspensions and resumptions that belong to it. */
struct service {
    uint32_t id; /* 0: not known */
    uint32_t thread, object;
    uint32_t info[4];
    uint64_t ticks, seq;
    uint32_t woken;             /* threads that it resumed out of a wait for its object, */
    bool perhaps_woken;         /* and perhaps one more */
    bool open;                  /* further events may belong to it */
    bool blocked;               /* the caller was suspended by it */
    uint8_t type;               /* of its object: enum txtap_object_type; THREAD or NONE: it has none */
    bool has_before, has_after; /* it says how much the object held, and that follows after it: */
    uint32_t before, after;
    bool one_waits;        /* after is what follows if a thread waits for what it gives, or to give what it takes */
    bool gives_up;         /* a put after which the owner of the mutex no longer has it */
    bool perhaps_gives_up; /* the same, if its owner was terminated in a gap */
    bool deletes;          /* the same, by the deletion of the mutex: those that wait get nothing */
    bool perhaps_deletes;  /* a put of which a gap hides the service before it: as if it gives the mutex to the next */
    bool flags_known;      /* of a set of event flags: */
    uint32_t flags;        /* the flags after it */
    bool failed;           /* at its end: it did not wait, and did not get what it asked for */
};

struct moment {
    uint64_t ticks, seq;
};

/* From a resumption to the next suspension. */
struct job {
    bool open;
    struct moment start;
    uint64_t spent[ACCOUNTS]; /* at its start; at its end: within it */
    uint64_t less;            /* the same of the thread's doubt.less */
    uint64_t doubted;         /* of the model, at its start */
    uint32_t turns;           /* how often it was given a core */
};

/* Ticks that do not belong to a share for certain: less of those counted, and more of others. */
struct doubt {
    uint64_t less, more;
};

struct thread {
    uint32_t address;
    enum thread_state state;
    uint32_t reason, object;   /* of a BLOCKED one: what it waits for */
    uint32_t waits_for;        /* the object that counts it as waiting, or NONE */
    uint32_t service;          /* id of the service that blocked it; 0: not known */
    uint64_t called;           /* when it called that service, in ticks */
    uint32_t wait_option;      /* of that service; 0: not known */
    struct moment since;       /* start of the state, */
    bool since_known;          /* if this is known */
    int core;                  /* whose occupant it is; -1: none's */
    uint8_t recorded_on;       /* SMP: the core of its newest event, which may wait for those that follow */
    bool waking;               /* resumed, and not yet given a core: since woken */
    bool resumed;              /* at least once */
    bool lingers;              /* BLOCKED by another core: its own one may still have it, */
    uint64_t lingered;         /* and for how long so far, in ticks, up to account_since */
    bool woken_in_init;        /* by the initialization: no thread can run then */
    uint64_t perhaps_given;    /* in ticks: then a put that a gap hides may have given it a mutex; 0: never */
    bool waiting;              /* for a core, since waiting_since */
    struct moment woken;       /* its last resumption, */
    uint64_t waiting_since;    /* in ticks, */
    uint64_t waiting_earliest; /* or perhaps since then, on several cores, */
    uint64_t waiting_doubted;  /* when the model's doubted was this */
    uint64_t given;            /* DISPATCH: in ticks, when it has its core at the latest; UINT64_MAX: not known */
    bool priority_known;       /* from its events, the registry or a call */
    uint32_t priority, base;   /* of its last event, and without what it inherited */
    uint32_t runs_at;          /* its priority now: it may have inherited another one since its last event; */
    bool runs_at_known;        /* false from a gap to its next event */
    bool changes_priority;     /* the kernel is about to give it another priority: runs_at is the one before */
    bool base_certain;         /* from the registry or a call */
    bool base_doubtful;        /* a gap may hide that base changed: it is base_least or a larger number */
    uint32_t base_least;
    bool suspension_unknown;     /* a gap, or the trace's begin, may hide that it was suspended while it waited */
    bool perhaps_suspended;      /* READY, or suspended at once when its wait ended: the trace lacks who asked for it */
    bool suspend_later;          /* it was suspended while it waited: its wait ends with that suspension */
    bool is_no_timer;            /* it is not the kernel's timer thread */
    uint64_t created;            /* in ticks: it did nothing before */
    bool joined;                 /* it is several that were created at its address, one after another */
    bool left;                   /* UNKNOWN: it left its core, and was ready or asleep since then */
    bool stack_created;          /* its create event said stack and stack_bytes */
    uint32_t stack, stack_bytes; /* its lowest address and size; 0: not known */
    struct service last;         /* its last service */
    uint64_t events;             /* that it recorded, */
    uint64_t seq;                /* and the newest of them, or the one that created it */
    struct job job;
    enum account account;
    uint64_t account_since;
    uint64_t spent[ACCOUNTS]; /* ticks, up to account_since */
    struct doubt doubt;       /* of its time RUNNING */
};

/* A thread among those that were created at its address: see model_lives.c. */
struct thread_life {
    uint32_t number;     /* 0, 1, ... of those at the address */
    uint32_t count;      /* of number 0: how many they are, */
    uint32_t newest;     /* and the one that is there now; NONE: one without a name, once an event means it */
    uint64_t before_gap; /* newest event that meant it before the first gap; 0: none */
    bool named;          /* name is set, or "" if it is not known; else the registry may have it */
    char name[TXTAP_OBJECT_NAME_BYTES];
};

struct object {
    uint32_t address;
    uint8_t type; /* enum txtap_object_type */
    uint32_t parameter[2];
    bool registered;   /* parameter is known */
    uint32_t capacity; /* of a queue: how many messages it can hold; 0: not known */
    bool count_known;
    uint32_t count;     /* what it holds now: see struct txtap_change_counter */
    uint64_t count_seq; /* the event of the service that set it */
    bool count_likely;  /* count is not certain: that service may have resumed a thread */
    uint32_t waiting;   /* threads that wait for it, as far as is known */
    uint64_t failed;    /* services that did not wait, and did not get what they asked for */
    uint32_t flags;     /* of event flags: those that are set, */
    bool flags_known;   /* if this is known */
    bool inherits;      /* a mutex whose owner inherits the priority of those that wait for it */
    bool lock;          /* a semaphore of which the user says that it is used as a lock: its last getter owns it */
    bool crowded;       /* but its count was above one: it has no owner */
    /* of a mutex, or a lock: */
    uint32_t owner;     /* a thread, or NONE: nobody, or not known */
    struct moment held; /* since when, */
    bool held_known;    /* if this is known */
};

/* What a core runs; OCCUPANT: what it would run without interrupts. */
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
    uint64_t nested; /* ticks of the interrupts inside it */
};

struct core {
    bool seen; /* since the last gap */
    enum running running, occupant;
    uint32_t thread;              /* the occupant, if it is a THREAD */
    uint64_t running_since;       /* in ticks */
    uint64_t spent[RUNNINGS];     /* ticks, up to running_since, gaps left out */
    uint8_t maybe;                /* what else it may run now: a set of MAYBE() */
    struct doubt doubt[RUNNINGS]; /* of spent */
    struct isr_frame isr[ISR_DEPTH_MAX];
    uint32_t depth;              /* interrupts that were entered and not left; those beyond ISR_DEPTH_MAX only count */
    enum running interrupted;    /* depth > 0: the occupant when the outermost was entered */
    uint32_t interrupted_thread; /* if it is a THREAD */
    uint32_t entered_in;         /* depth > 0: address of the thread that the outermost named, or 0 */
    bool in_burst;               /* the last event was an interrupt's, and none was entered */
    uint32_t slice; /* the thread whose turn it is since a time slice ended; NONE: none did in this interrupt */
    bool displaced; /* in this interrupt the kernel has chosen another thread than the occupant */
    struct service last_isr, last_init;
    struct service outer_isr; /* open: the last one of the interrupt that another one interrupted */
    /* several cores, see model_smp.c: */
    uint64_t met, before; /* its newest event and the one before that, in ticks */
    uint64_t certain;     /* until then it is certain what it runs; UINT64_MAX: until its next event */
    uint32_t awaited;     /* a thread that it may be about to run; NONE: it runs what it is to run */
    uint32_t doubted_for; /* the thread whose resumption ended certain, if that alone did */
    bool chosen;          /* its own event named awaited as the thread to run */
    bool left_interrupts; /* with its newest event */
    bool caused;          /* another core may have made it switch since its newest event */
};

#define ANY_THREAD (NONE - 1) /* of several cores: what one awaits is not known */

/* Types of services: TXTAP_OBJECT_NONE to BYTE_POOL. The sinks of CALL and SERVICE are kept for each. */
#define SERVICE_TYPES (TXTAP_OBJECT_BYTE_POOL + 1)

enum change_kind {
    CHANGE_RECORDED,  /* any event, before the model looks at it; only whose it is, is known */
    CHANGE_EVENT,     /* an event; only whose it is, is in the model yet */
    CHANGE_PARALLEL,  /* the same, if there are several cores */
    CHANGE_SEVERAL,   /* there are several cores, as shows now: others may have run unseen all the time */
    CHANGE_ISR_ENTER, /* isr: its frame; count: how deep they are nested, 0 if it is not known when it ends */
    CHANGE_ISR_EXIT,  /* isr: its frame; ticks: how long it took */
    CHANGE_ISR_BURST, /* an interrupt that did not say that it was entered */
    CHANGE_ISR_LOST,  /* count: that many did not say that they were left */
    CHANGE_CALL,      /* a service begins: its event */
    CHANGE_SERVICE = CHANGE_CALL + SERVICE_TYPES, /* a service ends: its outcome is known, as far as it ever will be */
    CHANGE_SERVICE_LAST = CHANGE_SERVICE + SERVICE_TYPES - 1,
    CHANGE_BLOCKED,  /* thread waits; its struct says for what */
    CHANGE_READY,    /* thread is resumed; its struct still says what it waited for; waker says by whom. Or it is
                        terminated while it waits: then the waker's kind is UNKNOWN */
    CHANGE_DISPATCH, /* thread is given a core: it waited for ticks */
    CHANGE_ACQUIRED, /* thread owns the mutex object from now on, as far as is known; NONE: perhaps another one */
    CHANGE_RELEASED, /* thread gives the mutex object up; it held it for ticks, if known */
    CHANGE_JOB,      /* a job of thread ends */
    CHANGE_SWITCH,   /* a core has another occupant: left, way, to, thread */
    CHANGE_OCCUPIED, /* the same, of a core whose occupant was not known */
    CHANGE_RUNNING,  /* a core runs something else; before: what it ran for ticks; maybe: or that */
    CHANGE_DOUBT,    /* for the last ticks of a core that ran before, it may have run maybe: a thread, or idle */
    CHANGE_RUNS,     /* the same, once it does: to, thread */
    CHANGE_ACCOUNT,  /* of thread: its time is spent on something else from now on */
    CHANGE_PAST,     /* of thread, UNKNOWN until now; count: the account that it proves to have had for ticks */
    CHANGE_COUNT,    /* of object: it holds another number of things, or an unknown one */
    CHANGE_PRIORITY, /* of thread */
    CHANGE_BASE,     /* of thread: its priority is known for the first time */
    CHANGE_SAME,     /* of thread: after a gap its own priority is what it was before */
    CHANGE_GAP,      /* nothing is known between the last event and the next; the model still is as before */
    CHANGE_GAP_END,  /* the next event follows; ticks: how long the gap is; the model says what was lost in it */
    CHANGE_END,      /* no further event */
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
    uint32_t number;               /* of the thread in the model; of the interrupt, NONE if not known */
    const struct service *service; /* NULL: none */
    enum ending ending;
    bool unsure; /* its service is not known: the thread may have waited for something else, and was aborted */
};

/* Did it end a wait by a put that may have been part of a deletion? */
static inline bool waker_perhaps_deletes(const struct waker *waker)
{
    return waker->ending == ENDING_SERVED && waker->service != NULL && waker->service->perhaps_deletes;
}

struct change {
    enum change_kind kind : 8;
    enum way way : 8;
    enum running from : 8, to : 8, before : 8;
    bool known; /* ticks is complete */
    bool vague; /* several cores: DISPATCH: it may have come earlier, or more than once; JOB: who ran is not certain */
    bool woken; /* DISPATCH: the first since it was resumed */
    uint8_t core;
    uint8_t maybe; /* RUNNING, DOUBT: a set of MAYBE() */
    struct moment now;
    uint32_t thread; /* number in the model; of an EVENT or a SERVICE: that it is of, or NONE */
    uint32_t object;
    uint32_t left; /* SWITCH: the thread that left, or NONE */
    uint32_t count;
    uint64_t ticks;
    const struct txtap_event *event; /* NULL for GAP and END */
    union {                          /* which one, kind says */
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

/* One sink of each kind of change is not enough: up to this many. */
#define CHANGE_SINKS_MAX 32u

/* Sinks of EVENT can choose among the ids below this. */
#define EVENT_IDS 1024u

/* Events of ids below this are counted, by thread and id: ThreadX's services. */
#define COUNTED_IDS 128u

#define MODEL_EVENTS      (2 * TXTAP_NEXT_CONTEXT_LOOK_AHEAD)
#define MODEL_EVENTS_KEPT 32u /* behind those that wait; few, so that they stay in the cache */
#define MODEL_RECENT      16u

struct model {
    struct table thread_numbers, object_numbers; /* of addresses; of threads: of life and address */
    const struct txtap_registry *names;          /* tells threads at one address apart; NULL: they are counted as one */
    struct thread *threads;
    struct thread_life *lives; /* by number of thread */
    struct object *objects;
    struct core *cores;                /* TXTAP_CORES_MAX */
    uint64_t (*recorded)[COUNTED_IDS]; /* how many events, by thread, the first of no thread, and id */
    uint32_t core_count;
    bool any_wait_ends_job;
    bool other_kernel;        /* the events are not ThreadX's: they say less, see OTHER_KERNEL */
    bool interrupts_open;     /* when interrupts end is not recorded */
    bool interrupts_recorded; /* there was an event of an interrupt */
    struct {
        bool known, several; /* several: more than one thread looks like it */
        uint32_t address;
    } timer_thread;         /* the kernel's, which alone ends waits by timeouts */
    bool names_next;        /* a resumption named the thread that is next: older kernels never do */
    bool names_interrupted; /* an interrupt's event named the thread that it interrupted: older kernels never do */
    bool switches_open;     /* not all switches are recorded */
    bool resumptions;       /* one was recorded */
    struct recent {
        uint32_t address, number; /* that were looked up last; 0: none */
    } recent_threads[MODEL_RECENT], recent_objects[MODEL_RECENT];

    uint64_t doubted;      /* ticks in which it was not certain what one of several cores ran */
    uint64_t core_added;   /* when the newest core recorded its first event, in ticks */
    bool thresholds;       /* a thread has a preemption threshold */
    uint32_t proven_cores; /* a set: events of the kernel itself named them */
    uint32_t idle_thread;  /* address of the kernel's, whose time is idle; 0: none */

    bool from_init;          /* the first event is the initialization's: no thread has run before */
    bool begun;              /* there was an event */
    struct moment first;     /* of all events */
    struct moment last;      /* of the newest event analysed */
    uint64_t unknown;        /* ticks inside gaps */
    uint64_t known_from;     /* in ticks: the first event behind the last gap */
    uint64_t gaps, lost;     /* how many gaps, and events lost in them, at least */
    bool lost_exact;         /* lost is exact */
    uint64_t gap_lost;       /* lost since the last gap began, */
    bool gap_exact;          /* if it is exact */
    bool in_gap;             /* the next event is behind a gap */
    uint64_t skipped;        /* ticks of the last event that was skipped behind a gap; 0: none */
    uint64_t hidden;         /* the same, kept: until then objects may have changed unseen */
    bool restarted;          /* another buffer, or another file of the same trace, begins */
    bool unsure;             /* events may be lost without a gap */
    uint64_t events, failed; /* how many, and services of which struct service says so */
    uint64_t ticks_base;     /* added to the ticks of a new trace, so that time goes on */

    struct txtap_next_context next;
    struct txtap_event *buffer; /* MODEL_EVENTS: events that wait for those that follow */
    size_t from, count, wanted; /* the first of them, how many, and how many are needed */

    struct change_sink sinks[CHANGE_KINDS][CHANGE_SINKS_MAX];
    unsigned sink_count[CHANGE_KINDS];
    uint32_t event_takers[EVENT_IDS + 1]; /* by id, the last of all others: bit n is EVENT's sink n */
};

static inline unsigned model_recent(uint32_t address)
{
    return (address >> 3 ^ address >> 8) % MODEL_RECENT;
}

void model_layout(struct model *model, struct arena *arena, uint32_t threads, uint32_t objects);
void model_init(struct model *model);

/* The sink takes all changes of that kind; to be called before the first item. */
void model_tell(struct model *model, enum change_kind kind, struct change_sink sink);

/* The same for CALL or SERVICE, of services of that type alone. */
void model_tell_of(struct model *model, enum change_kind kind, uint8_t type, struct change_sink sink);

/* The same for EVENT, of one id alone; of EVENT_IDS: of all from there on. All ids of a sink are told one after
 * another.
 */
void model_tell_event(struct model *model, uint32_t id, struct change_sink sink);

void model_learn(struct model *model, const struct txtap_registry *registry);

/* The same before the event with that seq: a thread that is created by a later event is not learnt of yet. */
void model_learn_before(struct model *model, const struct txtap_registry *registry, uint64_t seq);
void model_take(struct model *model, const struct txtap_item *item);
void model_end(struct model *model);

/* Does anybody take changes of that kind? */
static inline bool model_is_heard(const struct model *model, enum change_kind kind)
{
    return model->sink_count[kind] > 0;
}

/* The number of the thread that is now at the address; NONE: the model does not know it. */
static inline uint32_t model_thread_find(const struct model *model, uint32_t address)
{
    const struct recent *recent = &model->recent_threads[model_recent(address)];
    uint32_t head;

    if (address != 0 && address == recent->address)
        return recent->number;
    head = table_find(&model->thread_numbers, address);
    return head != NONE ? model->lives[head].newest : NONE;
}

/* The name by which a thread is told from others at its address, "" if it is not known. NULL: it is the only one. */
static inline const char *model_thread_name(const struct model *model, uint32_t number)
{
    return model->lives[number].named ? model->lives[number].name : NULL;
}

/* Were several threads at its address that are told apart? */
bool model_has_lives(const struct model *model, uint32_t number);

/* May the thread at that address that has no name have one that the pattern means? */
bool model_may_be_named(const struct model *model, uint32_t address, const char *pattern);

/* Gives a change to all who take its kind. */
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

/* Gives an EVENT to those who take its id. */
static inline void model_emit_event(const struct model *model, const struct change *event)
{
    uint32_t id = event->event->id, takers = model->event_takers[id < EVENT_IDS ? id : EVENT_IDS];

    for (; takers != 0; takers &= takers - 1) {
        const struct change_sink *sink = &model->sinks[CHANGE_EVENT][__builtin_ctz(takers)];

        sink->take(sink->self, event);
    }
}

/* Is this SWITCH one between threads, or to or from idle? The initialization is neither. */
static inline bool change_is_context_switch(const struct change *change)
{
    return change->from != RUNNING_INIT && (change->to == RUNNING_THREAD || change->to == RUNNING_IDLE);
}

/* For certain. */
static inline bool thread_waits_for_core(const struct thread *thread)
{
    return thread->waiting && !thread->perhaps_suspended;
}

/* Was it resumed, other than by the initialization, and has not been given a core since? */
static inline bool thread_is_woken(const struct thread *thread)
{
    return thread_waits_for_core(thread) && thread->waking && !thread->woken_in_init;
}

/* Its own priority is at least that number, and at most that. */
static inline uint32_t thread_base_least(const struct thread *thread)
{
    return thread->base_doubtful ? thread->base_least : thread->base;
}

static inline uint32_t thread_base_most(const struct thread *thread)
{
    return thread->base_doubtful ? UINT32_MAX : thread->base;
}

/* Ticks in which it did not wait, as far as is known. */
static inline uint64_t thread_not_blocked(const struct model *model, const struct thread *thread)
{
    return thread->spent[ACCOUNT_UNKNOWN] + thread->spent[ACCOUNT_RUNNING] + thread->spent[ACCOUNT_INTERRUPTED] +
           thread->spent[ACCOUNT_READY] +
           (thread->account < ACCOUNT_BLOCKED ? model->last.ticks - thread->account_since : 0);
}

/* How long it ran in its job, which is open, in ticks. */
static inline uint64_t thread_ran_in_job(const struct thread *thread, uint64_t now)
{
    return thread->spent[ACCOUNT_RUNNING] - thread->job.spent[ACCOUNT_RUNNING] +
           (thread->account == ACCOUNT_RUNNING ? now - thread->account_since : 0);
}

/* Ticks that were observed: without those in gaps. */
static inline uint64_t model_observed(const struct model *model)
{
    return model->last.ticks - model->first.ticks - model->unknown;
}

/* Ticks of cores before their first events. */
uint64_t model_unseen(const struct model *model);

/* Ticks in gaps of all cores but one: what list_share() does not count by itself. */
static inline uint64_t model_hidden_cores(const struct model *model)
{
    return model->core_count > 1 ? (model->core_count - 1) * model->unknown : 0;
}

/* May events be missing without a gap? */
static inline bool model_is_unsure(const struct model *model)
{
    return model->unsure;
}

/* May something be missing between the first event and the last? */
static inline bool model_has_gaps(const struct model *model)
{
    return model->gaps > 0 || model->unsure || model->switches_open;
}

/* Is it a semaphore whose owner is known by its last getter? object: or NONE. */
static inline bool model_is_lock(const struct model *model, uint32_t object)
{
    return object != NONE && model->objects[object].lock && !model->objects[object].crowded;
}

/* Does a thread that waits do so for something that has an owner? Which one may not be known. */
static inline bool model_waits_for_owner(const struct model *model, const struct thread *thread)
{
    return thread->reason == REASON_MUTEX ||
           (thread->reason == REASON_SEMAPHORE && model_is_lock(model, thread->object));
}

/* The number of a thread or an object, which is new if its address is; NONE if there is no room, or for address 0. */
uint32_t model_thread_added(struct model *model, uint32_t address);
uint32_t model_object_added(struct model *model, uint32_t address, uint8_t type);

/* The same, and quick for those that were looked up last. */
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

/* The RUNNING change if the core ran something else from then on. */
struct change core_running(const struct model *model, uint32_t number, uint64_t ticks);

/* How long all cores together ran that, in ticks. */
uint64_t core_ran(const struct model *model, enum running what);

/* How much of it is not certain: of all cores, of one, of a thread's. */
struct doubt core_doubt(const struct model *model, enum running what);
struct doubt core_own_doubt(const struct model *model, const struct core *core, enum running what);
struct doubt core_thread_doubt(const struct model *model, uint32_t thread);

/* Of several cores it is not certain what they run at each moment: they may have run more than shows, or other things.
 */
static inline bool model_is_vague(const struct model *model)
{
    return model->core_count > 1 && !model->other_kernel;
}

/* May the thread have run unseen since then, when the model's doubted was that? */
bool cores_are_vague(const struct model *model, uint32_t thread, uint64_t doubted, uint64_t since);

#endif
