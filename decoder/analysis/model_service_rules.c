/* SPDX-License-Identifier: MIT */
/* What the services are: the type of their object, which threads they make wait or resume, and when they fail. */
#include "analysis/model_parts.h"

#include "txtap/registry.h"

static uint8_t object_type_of_reason(uint32_t reason)
{
    static const uint8_t types[REASONS] = {
        [REASON_QUEUE] = TXTAP_OBJECT_QUEUE,         [REASON_SEMAPHORE] = TXTAP_OBJECT_SEMAPHORE,
        [REASON_FLAGS] = TXTAP_OBJECT_EVENT_FLAGS,   [REASON_BLOCK_POOL] = TXTAP_OBJECT_BLOCK_POOL,
        [REASON_BYTE_POOL] = TXTAP_OBJECT_BYTE_POOL, [REASON_MUTEX] = TXTAP_OBJECT_MUTEX,
    };

    return reason < REASONS ? types[reason] : TXTAP_OBJECT_NONE;
}

#define WORD(n) ((n) + 1)

const struct service_rule service_rules[SERVICE_RULES] = {
    [EVENT_BLOCK_ALLOCATE] = {.before = WORD(3), .zero = WORD(1)},
    [EVENT_BLOCK_POOL_DELETE] = {.ends_count = true},
    [EVENT_BYTE_ALLOCATE] = {.zero = WORD(1)},
    [EVENT_BYTE_POOL_DELETE] = {.ends_count = true},
    [EVENT_BYTE_RELEASE] = {.before = WORD(3)},
    [EVENT_MUTEX_DELETE] = {.ends_count = true},
    [EVENT_MUTEX_GET] = {.before = WORD(3), .zero = WORD(1)},
    [EVENT_MUTEX_PUT] = {.before = WORD(2)},
    [EVENT_QUEUE_DELETE] = {.ends_count = true},
    [EVENT_QUEUE_FRONT_SEND] = {.before = WORD(3), .zero = WORD(2)},
    [EVENT_QUEUE_RECEIVE] = {.before = WORD(3), .zero = WORD(2)},
    [EVENT_QUEUE_SEND] = {.before = WORD(3), .zero = WORD(2)},
    [EVENT_SEMAPHORE_CEILING_PUT] = {.before = WORD(1), .zero = SERVICE_ANY_WORD},
    [EVENT_SEMAPHORE_DELETE] = {.ends_count = true},
    [EVENT_SEMAPHORE_GET] = {.before = WORD(2), .zero = WORD(1)},
    [EVENT_SEMAPHORE_PUT] = {.before = WORD(1)},
};

/* The services of ThreadX with an object, and those of threads, in tens of ids. */
static const struct {
    uint8_t last, type;
} tens[] = {
    [1] = {17, TXTAP_OBJECT_BLOCK_POOL}, [2] = {27, TXTAP_OBJECT_BYTE_POOL}, [3] = {37, TXTAP_OBJECT_EVENT_FLAGS},
    [5] = {57, TXTAP_OBJECT_MUTEX},      [6] = {69, TXTAP_OBJECT_QUEUE},     [7] = {70, TXTAP_OBJECT_QUEUE},
    [8] = {89, TXTAP_OBJECT_SEMAPHORE},  [10] = {109, TXTAP_OBJECT_THREAD},  [11] = {119, TXTAP_OBJECT_THREAD},
};

#define TENS (sizeof(tens) / sizeof(*tens))

uint8_t service_type(const struct txtap_event *event)
{
    uint32_t id = event->id;

    if (id == EVENT_CALL)
        return object_type_of_reason(event->info[1]);
    return id < 10 * TENS && id <= tens[id / 10].last ? tens[id / 10].type : TXTAP_OBJECT_NONE;
}

bool service_fits_wait(const struct service *service, uint32_t reason)
{
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
    case EVENT_QUEUE_RECEIVE:
        return reason == REASON_QUEUE;
    case EVENT_SEMAPHORE_GET:
        return reason == REASON_SEMAPHORE;
    case EVENT_FLAGS_GET:
        return reason == REASON_FLAGS;
    case EVENT_BLOCK_ALLOCATE:
        return reason == REASON_BLOCK_POOL;
    case EVENT_BYTE_ALLOCATE:
        return reason == REASON_BYTE_POOL;
    case EVENT_MUTEX_GET:
        return reason == REASON_MUTEX;
    case EVENT_THREAD_SLEEP:
        return reason == REASON_SLEEP;
    case EVENT_THREAD_SUSPEND_API:
        return reason == REASON_SUSPENDED;
    case EVENT_CALL:
        return reason == service->info[1];
    default:
        return false;
    }
}

uint32_t service_resumes(const struct service *service, bool *one)
{
    *one = true;
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
    case EVENT_QUEUE_RECEIVE:
        return REASON_QUEUE;
    case EVENT_SEMAPHORE_PUT:
    case EVENT_SEMAPHORE_CEILING_PUT:
        return REASON_SEMAPHORE;
    case EVENT_BLOCK_RELEASE:
        return REASON_BLOCK_POOL;
    case EVENT_MUTEX_PUT:
        return service->info[2] == 1 && service->info[1] != 0 ? REASON_MUTEX : REASON_READY;
    default:
        break;
    }
    *one = false;
    switch (service->id) {
    case EVENT_QUEUE_FLUSH:
    case EVENT_QUEUE_DELETE:
        return REASON_QUEUE;
    case EVENT_SEMAPHORE_DELETE:
        return REASON_SEMAPHORE;
    case EVENT_FLAGS_SET:
    case EVENT_FLAGS_DELETE:
        return REASON_FLAGS;
    case EVENT_BLOCK_POOL_DELETE:
        return REASON_BLOCK_POOL;
    case EVENT_BYTE_RELEASE:
    case EVENT_BYTE_POOL_DELETE:
        return REASON_BYTE_POOL;
    case EVENT_MUTEX_DELETE:
        return REASON_MUTEX;
    case EVENT_CALL:
        return service->info[1];
    default:
        return REASON_READY;
    }
}

static bool deletes(uint32_t id)
{
    return id == EVENT_QUEUE_DELETE || id == EVENT_SEMAPHORE_DELETE || id == EVENT_FLAGS_DELETE ||
           id == EVENT_BLOCK_POOL_DELETE || id == EVENT_BYTE_POOL_DELETE || id == EVENT_MUTEX_DELETE;
}

enum ending service_ending(const struct service *service, uint32_t reason, uint32_t object)
{
    bool one;

    if (service->open && (service->id == EVENT_THREAD_WAIT_ABORT || service->id == EVENT_THREAD_TERMINATE))
        return ENDING_ABORTED;
    if (reason == REASON_SLEEP)
        return ENDING_TIMEOUT;
    if (reason < REASON_QUEUE || reason > REASON_MUTEX || service->id == 0)
        return ENDING_UNKNOWN;
    if (service->open && service_resumes(service, &one) == reason && !(one && service->woken > 0) &&
        (object == NONE || object == service->object))
        return deletes(service->id) ? ENDING_DELETED : ENDING_SERVED;
    return reason == REASON_TCP_IP || reason == REASON_IO || reason == REASON_FILE ? ENDING_UNKNOWN : ENDING_TIMEOUT;
}

static bool is_full(const struct model *model, const struct service *queue)
{
    uint32_t capacity = queue->object != NONE ? model->objects[queue->object].capacity : 0;

    return capacity > 0 && queue->info[3] >= capacity;
}

bool service_fails(const struct model *model, const struct service *service)
{
    const uint32_t *info = service->info;
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        return info[2] == 0 && is_full(model, service);
    case EVENT_QUEUE_RECEIVE:
        return info[2] == 0 && info[3] == 0;
    case EVENT_SEMAPHORE_GET:
        return info[1] == 0 && info[2] == 0;
    case EVENT_SEMAPHORE_CEILING_PUT:
        return info[1] >= info[3];
    case EVENT_MUTEX_GET:
        return info[1] == 0 && info[2] != 0 &&
               (service->thread == NONE || info[2] != model->threads[service->thread].address);
    case EVENT_BLOCK_ALLOCATE:
    case EVENT_BYTE_ALLOCATE:
        return info[1] == 0;
    default:
        return false;
    }
}
