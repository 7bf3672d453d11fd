/* SPDX-License-Identifier: MIT */
/*
 * Walks over the lists of a kernel while the kernel changes them.
 *
 * An attempt reads the heads of the lists, all known objects, the heads again, and then the identity of each object
 * again, in one exchange. The identity is the identifier, the name, the stack, and everything else that is set only
 * when an object is created. The values of an object count only if three reads found the same identity: an earlier read
 * (in the last walk, or when the object was found), the read of the values, and a read after it. Then the object
 * existed for the whole time, so its values are not a mixture of two objects that used the same memory.
 *
 * A list is complete if its head and its count were the same before and after the objects were read, if the values of
 * all its objects count, and if the objects form a closed list of this length in both directions: at the moment when
 * the heads were read again, all these objects existed, and there were no others. Otherwise the walk reads the objects
 * that it does not know yet, and begins another attempt for the list, a few times.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/heapsort.h"
#include "kernel/inside.h"

#define BIT(number) (UINT64_C(1) << (number))

/* The phases of an attempt. Names of objects whose values do not count yet belong to the first phase, too. */
enum { PHASE_HEADS, PHASE_OBJECTS, PHASE_HEADS_AGAIN, PHASE_PROOF };

size_t txtap_kernel_bytes(void)
{
    return sizeof(struct txtap_kernel);
}

/* ---- layout ---- */

static bool has_member(const struct txtap_kernel *kernel, size_t member)
{
    return kernel->layout.members[member].bytes > 0;
}

/* Returns true if the layout has the head of the class and all its required members. */
static bool class_is_readable(const struct txtap_kernel *kernel, uint8_t type)
{
    const struct txtap_kernel_ops *ops = kernel->ops;
    bool head = false;

    for (size_t i = 0; i < ops->symbol_count; i++)
        if (ops->symbols[i].role == KERNEL_LIST_HEAD && ops->symbols[i].type == type)
            head = kernel->layout.symbols[i].bytes >= 4;
    for (size_t i = 0; i < ops->member_count; i++)
        if (ops->members[i].type == type && (ops->members[i].flags & KERNEL_REQUIRED) && !has_member(kernel, i))
            head = false;
    return head;
}

static bool span_comes_before(const void *a, const void *b)
{
    const struct span *left = a, *right = b;

    return left->offset < right->offset;
}

/* Joins the members of a class that have all `flags` to spans. Returns their number; 0: there are too many spans. */
static size_t find_spans(const struct txtap_kernel *kernel, uint8_t type, uint8_t flags,
                         struct span spans[static KERNEL_SPANS_MAX])
{
    struct span all[KERNEL_MEMBERS_MAX];
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < kernel->ops->member_count; i++)
        if (kernel->ops->members[i].type == type && (kernel->ops->members[i].flags & flags) == flags &&
            has_member(kernel, i))
            all[count++] = (struct span){kernel->layout.members[i].at, kernel->layout.members[i].bytes};
    heapsort_items(all, count, sizeof all[0], span_comes_before);
    for (size_t i = 0; i < count; i++) {
        struct span *last = &spans[kept > 0 ? kept - 1 : 0];

        if (kept > 0 && all[i].offset <= last->offset + last->bytes + READS_GAP_BYTES) {
            if (all[i].offset + all[i].bytes > last->offset + last->bytes)
                last->bytes = all[i].offset + all[i].bytes - last->offset;
        } else if (kept == KERNEL_SPANS_MAX) {
            return 0;
        } else {
            spans[kept++] = all[i];
        }
    }
    return kept;
}

enum txtap_status txtap_kernel_init(struct txtap_kernel *kernel, const struct txtap_kernel_ops *ops,
                                    const struct txtap_kernel_layout *layout, struct txtap_kernel_memory memory)
{
    bool any = false;

    memset(kernel, 0, sizeof *kernel);
    kernel->ops = ops;
    kernel->layout = *layout;
    kernel->reads.memory = memory;
    kernel->step = STEP_DONE;
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        if (class_is_readable(kernel, type))
            kernel->span_counts[type] = find_spans(kernel, type, 0, kernel->spans[type]);
        kernel->identity_counts[type] = find_spans(kernel, type, KERNEL_IDENTITY, kernel->identities[type]);
        any = any || kernel->span_counts[type] > 0;
    }
    return any ? TXTAP_OK : TXTAP_ERROR_FORMAT;
}

/* ---- heads ---- */

static void want_heads(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->ops->symbol_count; i++) {
        const struct txtap_kernel_place *place = &kernel->layout.symbols[i];

        if (place->bytes > 0)
            (void)reads_want(&kernel->reads, place->at, place->bytes);
    }
    reads_end_phase(&kernel->reads);
}

static void take_head(struct txtap_kernel *kernel, struct heads *heads, size_t symbol, const uint8_t *bytes)
{
    const struct txtap_kernel_symbol *row = &kernel->ops->symbols[symbol];
    uint32_t size = kernel->layout.symbols[symbol].bytes;
    enum txtap_endian endian = kernel->layout.endian;
    uint32_t word = (uint32_t)bytes_number(bytes, endian, size < 4 ? size : 4);

    switch (row->role) {
    case KERNEL_LIST_HEAD:
        heads->lists[row->type].first = word;
        heads->lists[row->type].known = true;
        break;
    case KERNEL_LIST_COUNT:
        heads->lists[row->type].count = word;
        break;
    case KERNEL_CURRENT:
        for (size_t i = 0; i < size / 4 && heads->current_count < KERNEL_CORES_MAX; i++)
            heads->current[heads->current_count++] = bytes_u32(bytes + 4 * i, endian);
        break;
    case KERNEL_WORD:
        heads->words[row->number] = word;
        heads->words_known |= 1u << row->number;
        break;
    }
}

/* Takes the heads as read in a phase. A list is not known if its head or its count could not be read. */
static void take_heads(struct txtap_kernel *kernel, size_t phase, struct heads *heads)
{
    *heads = (struct heads){0};
    for (size_t i = 0; i < kernel->ops->symbol_count; i++) {
        const struct txtap_kernel_place *place = &kernel->layout.symbols[i];
        const uint8_t *bytes = place->bytes > 0 ? reads_at(&kernel->reads, phase, place->at, place->bytes) : NULL;

        if (bytes != NULL)
            take_head(kernel, heads, i, bytes);
    }
    for (size_t i = 0; i < kernel->ops->symbol_count; i++) {
        const struct txtap_kernel_place *place = &kernel->layout.symbols[i];

        if (kernel->ops->symbols[i].role == KERNEL_LIST_COUNT &&
            (place->bytes == 0 || reads_at(&kernel->reads, phase, place->at, place->bytes) == NULL))
            heads->lists[kernel->ops->symbols[i].type].known = false;
    }
}

static bool has_count(const struct txtap_kernel *kernel)
{
    return kernel->ops->circular;
}

/* ---- objects ---- */

struct node *node_find(struct txtap_kernel *kernel, uint8_t type, uint32_t address)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].object.address == address && kernel->nodes[i].object.type == type)
            return &kernel->nodes[i];
    return NULL;
}

static bool is_pending(const struct txtap_kernel *kernel, const struct node *node)
{
    return (kernel->pending >> node->object.type & 1u) != 0;
}

/* Returns the name in memory that never changes; NULL: the name is not in such memory. */
static const uint8_t *constant_name(const struct txtap_kernel *kernel, uint32_t address, uint32_t *bytes)
{
    const struct txtap_kernel_memory *memory = &kernel->reads.memory;

    return memory->constant != NULL ? memory->constant(memory->self, address, bytes) : NULL;
}

/* Wants the text of an object's name. A name in constant memory is read only with the proof of the object's identity.
 * The last bytes of memory may be shorter than the longest name. */
static void want_name(struct txtap_kernel *kernel, const struct txtap_kernel_object *object, bool proves)
{
    uint32_t unused, bytes = TXTAP_OBJECT_NAME_BYTES;

    if (!txtap_kernel_knows(object, KERNEL_NAME) || object->values[KERNEL_NAME] == 0 ||
        (!proves && constant_name(kernel, object->values[KERNEL_NAME], &unused) != NULL))
        return;
    while (bytes >= 4 && !reads_want(&kernel->reads, object->values[KERNEL_NAME], bytes))
        bytes /= 2;
}

static void want_object(struct txtap_kernel *kernel, const struct txtap_kernel_object *object)
{
    for (size_t i = 0; i < kernel->span_counts[object->type]; i++) {
        const struct span *span = &kernel->spans[object->type][i];

        (void)reads_want(&kernel->reads, object->address + span->offset, span->bytes);
    }
}

/* Wants the members that are set once. */
static void want_identity(struct txtap_kernel *kernel, const struct txtap_kernel_object *object)
{
    for (size_t i = 0; i < kernel->identity_counts[object->type]; i++) {
        const struct span *span = &kernel->identities[object->type][i];

        (void)reads_want(&kernel->reads, object->address + span->offset, span->bytes);
    }
}

static void set_name(struct txtap_kernel_object *object, const uint8_t *text, size_t bytes)
{
    size_t length = 0;

    if (bytes >= sizeof object->name)
        bytes = sizeof object->name - 1;
    while (length < bytes && text[length] != '\0')
        length++;
    memset(object->name, 0, sizeof object->name);
    memcpy(object->name, text, length);
}

/* Sets the name from the text at its address. If this text was not read, uses the name that the object had, or the text
 * in the firmware's file. */
static void take_name(struct txtap_kernel *kernel, size_t phase, struct txtap_kernel_object *object, const char *had)
{
    uint32_t address = object->values[KERNEL_NAME], bytes = TXTAP_OBJECT_NAME_BYTES, constant = 0;
    const uint8_t *text = NULL;

    if (!txtap_kernel_knows(object, KERNEL_NAME) || address == 0)
        return;
    for (; bytes >= 4 && text == NULL; bytes = text == NULL ? bytes / 2 : bytes)
        text = reads_at(&kernel->reads, phase, address, bytes);
    if (text != NULL) {
        set_name(object, text, bytes);
        return;
    }
    text = constant_name(kernel, address, &constant);
    if (text != NULL && had[0] != '\0')
        memcpy(object->name, had, sizeof object->name);
    else if (text != NULL)
        set_name(object, text, constant);
}

static uint32_t number_of(const struct txtap_kernel_member *row, const uint8_t *bytes, uint32_t count,
                          enum txtap_endian endian)
{
    uint32_t number = (uint32_t)bytes_number(bytes, endian, count), sign = UINT32_C(1) << (8 * count - 1);

    return row->flags & KERNEL_SIGNED ? (number ^ sign) - sign : number;
}

/* Takes the members of an object that have all `flags`, as read in a phase. False: the target refused a required
 * member, or the object does not have the identifier of its class. */
static bool take_members(struct txtap_kernel *kernel, size_t phase, uint8_t flags, struct txtap_kernel_object *object)
{
    const struct txtap_kernel_ops *ops = kernel->ops;

    for (size_t i = 0; i < ops->member_count; i++) {
        const struct txtap_kernel_member *row = &ops->members[i];
        const struct txtap_kernel_place *place = &kernel->layout.members[i];
        const uint8_t *bytes;

        if (row->type != object->type || (row->flags & flags) != flags || place->bytes == 0)
            continue;
        bytes = reads_at(&kernel->reads, phase, object->address + place->at, place->bytes);
        if (bytes == NULL && (row->flags & KERNEL_REQUIRED))
            return false;
        if (bytes == NULL)
            continue;
        if (row->flags & KERNEL_TEXT) {
            set_name(object, bytes, place->bytes);
            continue;
        }
        object->values[row->value] = number_of(row, bytes, place->bytes < 4 ? place->bytes : 4, kernel->layout.endian);
        object->known |= BIT(row->value);
    }
    return ops->ids[object->type] == 0 || object->values[KERNEL_ID] == ops->ids[object->type];
}

static bool has_same_identity(const struct txtap_kernel *kernel, const struct txtap_kernel_object *a,
                              const struct txtap_kernel_object *b)
{
    for (size_t i = 0; i < kernel->ops->member_count; i++) {
        const struct txtap_kernel_member *row = &kernel->ops->members[i];

        if (row->type != a->type || !(row->flags & KERNEL_IDENTITY))
            continue;
        if (row->flags & KERNEL_TEXT
                ? strcmp(a->name, b->name) != 0
                : (a->known ^ b->known) & BIT(row->value) || a->values[row->value] != b->values[row->value])
            return false;
    }
    return true;
}

/* Returns true if a thread was created again, perhaps after a reset: its run count is smaller than before. */
static bool is_restarted(const struct txtap_kernel_object *now, const struct txtap_kernel_object *before)
{
    return txtap_kernel_knows(now, KERNEL_RUNS) && txtap_kernel_knows(before, KERNEL_RUNS) &&
           now->values[KERNEL_RUNS] < before->values[KERNEL_RUNS];
}

/* Takes an object that was not known. */
static void take_new(struct txtap_kernel *kernel, struct node *node)
{
    struct txtap_kernel_object object = {.address = node->object.address, .type = node->object.type};

    node->fresh = true;
    node->stage = take_members(kernel, 0, 0, &object) ? NODE_UNPROVEN : NODE_BAD;
    node->stack = (struct stack_scan){0};
    node->object = object;
}

/* Takes the name as read after the values. Returns false if there was another text before the values. */
static bool take_proven_name(struct txtap_kernel *kernel, const struct node *node, struct txtap_kernel_object *object)
{
    struct txtap_kernel_object before = {.known = object->known};
    uint32_t unused;

    if (!txtap_kernel_knows(object, KERNEL_NAME))
        return true;
    take_name(kernel, PHASE_PROOF, object, node->object.name);
    before.values[KERNEL_NAME] = object->values[KERNEL_NAME];
    if (object->values[KERNEL_NAME] == 0 || constant_name(kernel, object->values[KERNEL_NAME], &unused) != NULL)
        return true;
    if (node->stage == NODE_UNPROVEN)
        take_name(kernel, PHASE_HEADS, &before, "");
    return strcmp(object->name, node->stage == NODE_UNPROVEN ? before.name : node->object.name) == 0;
}

/* Takes a known object as read in an attempt. Its values count if the object was the same before and after the read. */
static void take_object(struct txtap_kernel *kernel, struct node *node)
{
    struct txtap_kernel_object object = {.address = node->object.address, .type = node->object.type}, after = object;
    bool same;

    node->fresh = true;
    if (!take_members(kernel, PHASE_OBJECTS, 0, &object)) {
        node->stage = NODE_BAD;
        return;
    }
    same = take_members(kernel, PHASE_PROOF, KERNEL_IDENTITY, &after) && node->stage != NODE_BAD &&
           has_same_identity(kernel, &object, &node->object) && has_same_identity(kernel, &object, &after) &&
           take_proven_name(kernel, node, &object);
    node->stage = same ? NODE_PROVEN : NODE_UNPROVEN;
    if (!same || is_restarted(&object, &node->object)) /* the stack's memory may contain an older use */
        node->stack = (struct stack_scan){0};
    node->object = object;
}

/* ---- plan ---- */

static void want_main(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]) && kernel->nodes[i].stage == NODE_UNPROVEN)
            want_name(kernel, &kernel->nodes[i].object, false);
    want_heads(kernel);
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]))
            want_object(kernel, &kernel->nodes[i].object);
    reads_end_phase(&kernel->reads);
    want_heads(kernel);
    for (size_t i = 0; i < kernel->node_count; i++) {
        if (!is_pending(kernel, &kernel->nodes[i]))
            continue;
        want_identity(kernel, &kernel->nodes[i].object);
        want_name(kernel, &kernel->nodes[i].object, kernel->nodes[i].stage == NODE_UNPROVEN);
    }
    reads_end_phase(&kernel->reads);
}

static void want_new(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].stage == NODE_NEW)
            want_object(kernel, &kernel->nodes[i].object);
    reads_end_phase(&kernel->reads);
}

/* Wants the identities of the threads whose stacks this walk has read. */
static void want_confirmation(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++) {
        if (!kernel->nodes[i].stack.touched)
            continue;
        want_identity(kernel, &kernel->nodes[i].object);
        want_name(kernel, &kernel->nodes[i].object, false);
    }
    reads_end_phase(&kernel->reads);
}

/* Begins an attempt for the lists that are not complete. */
static void begin_attempt(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]))
            kernel->nodes[i].fresh = false;
    kernel->step = STEP_MAIN;
}

void txtap_kernel_begin(struct txtap_kernel *kernel, unsigned classes, uint32_t stack_bytes)
{
    kernel->classes = 0;
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        if ((classes >> type & 1u) && kernel->span_counts[type] > 0)
            kernel->classes |= 1u << type;
    kernel->pending = kernel->classes;
    kernel->attempt = 0;
    kernel->stack_bytes = stack_bytes;
    begin_attempt(kernel);
}

static void finish(struct txtap_kernel *kernel);

size_t txtap_kernel_plan(struct txtap_kernel *kernel, const struct txtap_read **reads)
{
    reads_clear(&kernel->reads);
    switch (kernel->step) {
    case STEP_MAIN:
        want_main(kernel);
        break;
    case STEP_CHASE:
        want_new(kernel);
        break;
    case STEP_STACKS:
        if (stacks_want(kernel)) {
            reads_end_phase(&kernel->reads);
            break;
        }
        kernel->step = STEP_CONFIRM;
        /* fall through */
    case STEP_CONFIRM:
        want_confirmation(kernel);
        if (kernel->reads.count == 0)
            finish(kernel);
        break;
    case STEP_DONE:
        break;
    }
    *reads = kernel->reads.list;
    return kernel->reads.count;
}

/* ---- following the lists ---- */

static struct node *node_add(struct txtap_kernel *kernel, uint8_t type, uint32_t address)
{
    struct node *node;

    if (kernel->node_count == KERNEL_NODES_MAX)
        return NULL;
    node = &kernel->nodes[kernel->node_count++];
    *node = (struct node){.object = {.address = address, .type = type}, .stage = NODE_NEW};
    return node;
}

static bool can_be_object(const struct txtap_kernel *kernel, uint8_t type, uint32_t address)
{
    const struct txtap_kernel_memory *memory = &kernel->reads.memory;
    const struct span *last = &kernel->spans[type][kernel->span_counts[type] - 1];

    return address != 0 && address % 4 == 0 && address <= UINT32_MAX - (last->offset + last->bytes) &&
           memory->permits(memory->self, address, last->offset + last->bytes);
}

/* Follows a list over the objects that are read. Adds the next object if it is not known. Returns true if an object
 * must be read before the list can be followed further. */
static bool chase(struct txtap_kernel *kernel, uint8_t type)
{
    const struct list_head *head = &kernel->after.lists[type];
    uint32_t address = head->first, limit = has_count(kernel) ? head->count : KERNEL_NODES_MAX;

    if (!head->known)
        return false;
    for (uint32_t i = 0; i < limit && i < KERNEL_NODES_MAX && can_be_object(kernel, type, address); i++) {
        struct node *node = node_find(kernel, type, address);

        if (node == NULL)
            return node_add(kernel, type, address) != NULL;
        if (node->stage == NODE_NEW)
            return true;
        if (node->stage == NODE_BAD || !node->fresh)
            return false;
        address = node->object.values[KERNEL_NEXT];
    }
    return false;
}

/* Returns true if the objects that were read form a closed list. Sets *length to the number of objects up to the end of
 * the list, or up to the first contradiction. */
static bool list_is_closed(struct txtap_kernel *kernel, uint8_t type, uint32_t *length)
{
    const struct list_head *head = &kernel->after.lists[type];
    uint32_t address = head->first, previous = 0, limit = has_count(kernel) ? head->count : KERNEL_NODES_MAX;
    const struct node *first = NULL;

    *length = 0;
    if (has_count(kernel) && head->count > KERNEL_NODES_MAX)
        return false;
    for (uint32_t i = 0; i < limit && (has_count(kernel) || address != 0); i++) {
        const struct node *node = node_find(kernel, type, address);

        if (node == NULL || node->stage != NODE_PROVEN || !node->fresh || (i > 0 && address == head->first))
            return false;
        if (i > 0 && txtap_kernel_knows(&node->object, KERNEL_PREVIOUS) &&
            node->object.values[KERNEL_PREVIOUS] != previous)
            return false;
        first = first == NULL ? node : first;
        previous = address;
        address = node->object.values[KERNEL_NEXT];
        ++*length;
    }
    if (!has_count(kernel))
        return address == 0;
    if (first != NULL && txtap_kernel_knows(&first->object, KERNEL_PREVIOUS) &&
        first->object.values[KERNEL_PREVIOUS] != previous)
        return false;
    return head->count == 0 || address == head->first;
}

/* Returns true if the walk has read the whole list, and the list did not change in this time. */
static bool list_is_complete(struct txtap_kernel *kernel, uint8_t type)
{
    const struct list_head *before = &kernel->before.lists[type], *after = &kernel->after.lists[type];
    uint32_t length;

    return before->known && after->known && before->count == after->count && before->first == after->first &&
           list_is_closed(kernel, type, &length);
}

/* ---- result ---- */

/* Appends the object to the result. */
static void emit(struct txtap_kernel *kernel, const struct node *node)
{
    kernel->objects[kernel->object_count++] = node->object;
    kernel->lists[node->object.type].found++;
}

static bool is_emitted(const struct txtap_kernel *kernel, size_t from, uint32_t address)
{
    for (size_t i = from; i < kernel->object_count; i++)
        if (kernel->objects[i].address == address)
            return true;
    return false;
}

/* Appends the objects of a class: first in the order of the list; then, if the list is not complete, the others that
 * were read. */
static void emit_class(struct txtap_kernel *kernel, uint8_t type)
{
    uint32_t address = kernel->firsts[type];
    size_t from = kernel->object_count;
    struct node *node;

    while ((node = node_find(kernel, type, address)) != NULL && node->stage == NODE_PROVEN && node->fresh &&
           !is_emitted(kernel, from, address)) {
        emit(kernel, node);
        address = node->object.values[KERNEL_NEXT];
    }
    for (size_t i = 0; i < kernel->node_count && !kernel->lists[type].complete; i++) {
        node = &kernel->nodes[i];
        if (node->object.type == type && node->stage == NODE_PROVEN && node->fresh &&
            !is_emitted(kernel, from, node->object.address))
            emit(kernel, node);
    }
}

static void conclude_object(struct txtap_kernel *kernel, struct txtap_kernel_object *object)
{
    const struct node *node = node_find(kernel, object->type, object->address);

    for (size_t i = 0; i < kernel->after.current_count; i++)
        if (object->type == TXTAP_OBJECT_THREAD && kernel->after.current[i] == object->address)
            object->running = true;
    if (object->type == TXTAP_OBJECT_THREAD && node != NULL)
        stack_conclude(kernel, node, object);
    if (kernel->ops->conclude != NULL)
        kernel->ops->conclude(kernel, object);
}

/* Makes the result of the walk. The objects of classes that are not part of this walk stay. */
static void finish(struct txtap_kernel *kernel)
{
    kernel->object_count = 0;
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        kernel->lists[type].found = 0;
        emit_class(kernel, type);
    }
    for (size_t i = 0; i < kernel->object_count; i++)
        conclude_object(kernel, &kernel->objects[i]);
    kernel->step = STEP_DONE;
}

/* Forgets the objects of the class that are no longer on its list. */
static void drop_absent(struct txtap_kernel *kernel, uint8_t type)
{
    size_t kept = 0;

    for (size_t i = 0; i < kernel->node_count; i++) {
        const struct node *node = &kernel->nodes[i];

        if (node->object.type != type || (node->fresh && node->stage != NODE_BAD && node->stage != NODE_NEW))
            kernel->nodes[kept++] = *node;
    }
    kernel->node_count = kept;
}

/* Forgets the objects that a complete list does not contain. */
static void drop_unlisted(struct txtap_kernel *kernel, uint8_t type)
{
    uint32_t address = kernel->after.lists[type].first, length;
    bool listed[KERNEL_NODES_MAX] = {false};
    size_t kept = 0;

    (void)list_is_closed(kernel, type, &length);
    for (uint32_t i = 0; i < length; i++) {
        struct node *node = node_find(kernel, type, address);

        listed[node - kernel->nodes] = true;
        address = node->object.values[KERNEL_NEXT];
    }
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].object.type != type || listed[i])
            kernel->nodes[kept++] = kernel->nodes[i];
    kernel->node_count = kept;
}

/* Judges the lists of an attempt. */
static void judge(struct txtap_kernel *kernel)
{
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        struct txtap_kernel_list *list = &kernel->lists[type];

        if (!(kernel->pending >> type & 1u))
            continue;
        list->present = kernel->after.lists[type].known;
        list->counted = has_count(kernel);
        list->created = kernel->after.lists[type].count;
        kernel->firsts[type] = kernel->after.lists[type].first;
        list->complete = list_is_complete(kernel, type);
        list->too_long = has_count(kernel) && list->created > KERNEL_NODES_MAX;
        if (list->complete) {
            kernel->pending &= ~(1u << type);
            drop_unlisted(kernel, type);
        } else {
            drop_absent(kernel, type);
        }
    }
}

static void begin_stacks(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].object.type == TXTAP_OBJECT_THREAD)
            stack_follow(kernel, &kernel->nodes[i]);
    kernel->step = STEP_STACKS;
    stacks_begin(kernel);
}

/* ---- commit ---- */

/* Returns true if objects must be read that were not known. */
static bool follow_lists(struct txtap_kernel *kernel)
{
    bool more = false;

    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        if (kernel->pending >> type & 1u)
            more = chase(kernel, type) || more;
    return more;
}

static void commit_main(struct txtap_kernel *kernel)
{
    take_heads(kernel, PHASE_HEADS, &kernel->before);
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]))
            take_object(kernel, &kernel->nodes[i]);
    take_heads(kernel, PHASE_HEADS_AGAIN, &kernel->after);
    judge(kernel);
    kernel->attempt++;
    if (kernel->pending == 0 || kernel->attempt == KERNEL_ATTEMPTS)
        begin_stacks(kernel);
    else if (follow_lists(kernel))
        kernel->step = STEP_CHASE;
    else
        begin_attempt(kernel);
}

static void commit_new(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].stage == NODE_NEW)
            take_new(kernel, &kernel->nodes[i]);
    if (!follow_lists(kernel))
        begin_attempt(kernel);
}

/* Forgets the use of stacks whose threads may have been deleted while the stacks were read. */
static void commit_confirmation(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++) {
        struct node *node = &kernel->nodes[i];
        struct txtap_kernel_object after = {.address = node->object.address, .type = node->object.type};

        if (!node->stack.touched)
            continue;
        node->stack.touched = false;
        if (take_members(kernel, 0, KERNEL_IDENTITY, &after) && has_same_identity(kernel, &after, &node->object)) {
            take_name(kernel, 0, &after, node->object.name);
            if (strcmp(after.name, node->object.name) == 0)
                continue;
        }
        node->stack = (struct stack_scan){0};
    }
    finish(kernel);
}

void txtap_kernel_commit(struct txtap_kernel *kernel, const bool *failed)
{
    reads_take(&kernel->reads, failed);
    switch (kernel->step) {
    case STEP_MAIN:
        commit_main(kernel);
        break;
    case STEP_CHASE:
        commit_new(kernel);
        break;
    case STEP_STACKS:
        stacks_take(kernel);
        break;
    case STEP_CONFIRM:
        commit_confirmation(kernel);
        break;
    case STEP_DONE:
        break;
    }
}

/* ---- questions ---- */

const struct txtap_kernel_object *txtap_kernel_objects(const struct txtap_kernel *kernel, size_t *count)
{
    *count = kernel->object_count;
    return kernel->objects;
}

const struct txtap_kernel_object *txtap_kernel_find(const struct txtap_kernel *kernel, uint32_t address)
{
    for (size_t i = 0; i < kernel->object_count; i++)
        if (kernel->objects[i].address == address)
            return &kernel->objects[i];
    return NULL;
}

struct txtap_kernel_list txtap_kernel_list(const struct txtap_kernel *kernel, uint8_t type)
{
    return kernel->lists[type];
}

bool txtap_kernel_word(const struct txtap_kernel *kernel, uint8_t number, uint32_t *word)
{
    *word = kernel->after.words[number];
    return (kernel->after.words_known >> number & 1u) != 0;
}

bool txtap_kernel_fills_stacks(const struct txtap_kernel *kernel)
{
    return kernel->fills_stacks;
}
