/* SPDX-License-Identifier: MIT */
/* Plans the reads of variables, and takes samples from the answers. */
#include "variables/variable_guest.h"

#include <inttypes.h>
#include <string.h>

#include "probe/source_base.h"

#define GAP_BYTES     16u /* neighbours with at most this gap share a read, because a read costs about as much */
#define SHARED_BYTES  256u
#define FAILURES_SURE 2u /* another guest may be the reason for a single failure */
#define RETRY_US      1000000u
#define RETRIES_MAX   5u /* the pause before a retry doubles at most this many times */
#define RETRIES_SOON  3u

static uint32_t words_start(uint32_t address)
{
    return address & ~UINT32_C(3);
}

/* Returns the bytes of all words that contain the value at the address. */
static uint32_t words_bytes(uint32_t address, uint32_t bytes)
{
    return (uint32_t)(((uint64_t)address + bytes + 3) / 4 * 4 - words_start(address));
}

static bool is_single_word(const struct variable *variable, uint32_t address)
{
    return words_bytes(address, variable->bytes) == 4;
}

/* A plain variable needs a single read of a single word. */
static bool is_plain(const struct read_variable *read)
{
    return !read->variable.follows && is_single_word(&read->variable, read->variable.address);
}

/* Returns the address of the value. The pointer must be known. */
static uint32_t value_address(const struct read_variable *read)
{
    return read->variable.follows ? read->pointer + read->variable.offset : read->variable.address;
}

/* ---- opening ---- */

static void sort(struct variable_guest *guest)
{
    for (size_t i = 0; i < guest->count; i++) {
        size_t at = i;

        while (at > 0 && guest->at[guest->order[at - 1]].variable.address > guest->at[i].variable.address) {
            guest->order[at] = guest->order[at - 1];
            at--;
        }
        guest->order[at] = (uint8_t)i;
    }
}

static enum txtap_status add(struct variable_guest *guest, const struct variable_request *request,
                             const struct variable *variable, struct txtap_channels *channels, uint64_t now_us,
                             struct error *error)
{
    struct txtap_channel channel = {.number = (uint32_t)channels->count,
                                    .kind = TXTAP_CHANNEL_VALUE,
                                    .form = variable->form,
                                    .words = variable->words,
                                    .word_count = variable->form == TXTAP_FORM_STATE ? variable->word_count : 0};
    struct read_variable read = {
        .variable = *variable, .period_us = request->period_us, .due_us = now_us, .usable = true};

    strcpy(channel.name, request->expression);
    strcpy(channel.unit, request->unit);
    if (!guest->memory.permits(guest->memory.self, words_start(variable->address),
                               words_bytes(variable->address, variable->follows ? 4 : variable->bytes)))
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%.100s' is at 0x%08" PRIx32
                       ", which may be a register: reading it could change the target\nif "
                       "RAM is there, say so with --ram START:SIZE",
                       request->expression, variable->address);
    read.variable.words = NULL; /* the channel has a copy */
    read.channel = txtap_channels_add(channels, &channel);
    if (read.channel == NULL)
        return failure(error, TXTAP_ERROR_USAGE, "'%.100s': no room for this variable or its words",
                       request->expression);
    guest->at[guest->count++] = read;
    return TXTAP_OK;
}

enum txtap_status variable_guest_open(struct variable_guest *guest, const struct variable_requests *requests,
                                      const struct variable *variables, struct variable_guest_memory memory,
                                      struct txtap_channels *channels, uint64_t now_us, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    memset(guest, 0, sizeof *guest);
    guest->memory = memory;
    for (size_t i = 0; i < requests->count && status == TXTAP_OK; i++)
        status = add(guest, &requests->at[i], &variables[i], channels, now_us, error);
    guest->most = guest->count;
    sort(guest);
    return status;
}

/* ---- planning ---- */

/* The reads of an exchange, while they are planned. */
struct plan {
    struct variable_guest *guest;
    struct txtap_read *reads;
    size_t count, room;
    uint32_t bytes, bytes_max;
    bool shares; /* plain variables may be added to the last read */
};

static bool fits(const struct plan *plan, size_t pieces, uint32_t bytes)
{
    return plan->count + pieces <= plan->room && plan->bytes + bytes <= plan->bytes_max;
}

/* Adds a read. Returns the offset of its bytes. */
static uint16_t add_read(struct plan *plan, uint32_t address, uint32_t bytes)
{
    uint32_t at = plan->bytes;

    plan->reads[plan->count++] = (struct txtap_read){address, bytes, plan->guest->bytes + at};
    plan->bytes += bytes;
    plan->shares = false;
    return (uint16_t)at;
}

/* Adds a plain variable to the last read, if that read is near. */
static bool share_read(struct plan *plan, uint32_t address, uint16_t *offset)
{
    struct txtap_read *last = plan->count > 0 && plan->shares ? &plan->reads[plan->count - 1] : NULL;
    const struct variable_guest_memory *memory = &plan->guest->memory;
    uint32_t end = last != NULL ? last->address + last->length : 0, more = address + 4 > end ? address + 4 - end : 0;

    if (last == NULL || address < last->address || (address > end && address - end > GAP_BYTES) ||
        last->length + more > SHARED_BYTES || !fits(plan, 0, more))
        return false;
    if (address > end && !memory->permits(memory->self, end, address - end))
        return false;
    *offset = (uint16_t)((uint32_t)(last->buffer - plan->guest->bytes) + (address - last->address));
    last->length += more;
    plan->bytes += more;
    return true;
}

/* Adds the reads of a variable. False: there is no room. */
static bool add_variable(struct plan *plan, struct read_variable *read, struct planned *planned)
{
    bool knows_place = !read->variable.follows || read->pointer_known;
    uint32_t value = knows_place ? value_address(read) : 0;
    uint32_t start = words_start(value), bytes = knows_place ? words_bytes(value, read->variable.bytes) : 0;
    unsigned values = !knows_place ? 0 : is_single_word(&read->variable, value) ? 1 : 2;
    unsigned pointers = !read->variable.follows ? 0 : knows_place ? 2 : 1;

    if (is_plain(read) && share_read(plan, start, &planned->value[0]))
        return true;
    if (!fits(plan, values + pointers, values * bytes + pointers * 4))
        return false;
    if (pointers > 0)
        planned->pointer[0] = add_read(plan, read->variable.address, 4);
    for (unsigned i = 0; i < values; i++)
        planned->value[i] = add_read(plan, start, bytes);
    if (pointers > 1)
        planned->pointer[1] = add_read(plan, read->variable.address, 4);
    plan->shares = is_plain(read);
    return true;
}

/* After a failure, a variable is read alone, because it would make other reads fail, too. */
static bool must_be_alone(const struct read_variable *read)
{
    return read->failures >= FAILURES_SURE;
}

/* Returns the index in `order` of a variable that must be read alone now; guest->count: no such variable. */
static size_t find_alone(const struct variable_guest *guest, uint64_t now_us)
{
    for (size_t at = 0; at < guest->count; at++) {
        const struct read_variable *read = &guest->at[guest->order[at]];

        if (must_be_alone(read) && read->usable && read->due_us <= now_us)
            return at;
    }
    return guest->count;
}

/* Plans the variable at an index in `order`, if it is due. False: there is no room. */
static bool plan_variable(struct plan *plan, size_t at, uint64_t now_us)
{
    struct variable_guest *guest = plan->guest;
    struct planned *planned = &guest->planned[guest->planned_count];
    struct read_variable *read = &guest->at[guest->order[at]];

    if (!read->usable || read->due_us > now_us)
        return true;
    planned->variable = guest->order[at];
    if (!add_variable(plan, read, planned))
        return false;
    if (guest->planned_count++ == 0)
        guest->plan_first = at;
    guest->plan_last = at;
    return true;
}

static size_t plan_reads(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us)
{
    struct variable_guest *guest = self;
    struct plan plan = {.guest = guest, .reads = reads, .room = room};
    size_t alone = find_alone(guest, now_us);

    plan.bytes_max = bytes < sizeof guest->bytes ? bytes : (uint32_t)sizeof guest->bytes;
    guest->planned_count = 0;
    if (alone < guest->count)
        (void)plan_variable(&plan, alone, now_us);
    for (size_t i = 0; i < guest->count && guest->planned_count < guest->most && alone == guest->count; i++)
        if (!plan_variable(&plan, (guest->first + i) % guest->count, now_us))
            break;
    return plan.count;
}

/* ---- taking answers ---- */

static void give(struct read_variable *read, struct sample_queue *queue, enum txtap_sample_state state, uint64_t bits,
                 uint64_t begin_us, uint64_t end_us)
{
    if (state == TXTAP_SAMPLE_UNREADABLE && read->reported)
        return;
    read->reported = state == TXTAP_SAMPLE_UNREADABLE;
    sample_queue_add(queue,
                     &(struct taken_sample){
                         .channel = read->channel, .state = state, .bits = bits, .from_us = begin_us, .to_us = end_us});
}

/* Sets the time of the next read. After a delay, the next interval is shorter, but not shorter than half a period. */
static void set_due(struct read_variable *read, uint64_t begin_us)
{
    uint64_t due = read->due_us + read->period_us, least = begin_us + read->period_us / 2;

    read->due_us = due > least ? due : least;
}

static void set_unreadable(struct read_variable *read, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    uint32_t doublings = read->failures < RETRIES_MAX ? read->failures : RETRIES_MAX;

    read->unreadable++;
    read->pointer_known = false;
    read->due_us = end_us + ((uint64_t)RETRY_US << doublings) / 4;
    give(read, queue, TXTAP_SAMPLE_UNREADABLE, 0, begin_us, end_us);
}

/* Reads a variable again soon, because the target wrote it during the read. If this happens several times in a row,
 * waits for the next regular read. */
static void read_again(struct read_variable *read, uint64_t end_us)
{
    read->torn++;
    if (read->retries++ < RETRIES_SOON)
        read->due_us = end_us;
    else
        read->retries = 0;
}

/* Takes the pointer. Returns true if the value was read from its target. */
static bool take_pointer(struct variable_guest *guest, struct read_variable *read, const struct planned *planned,
                         struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    const uint8_t *at = guest->bytes + planned->pointer[read->pointer_known];
    uint32_t before = memory_word(guest->bytes + planned->pointer[0], read->variable.endian);
    uint32_t after = memory_word(at, read->variable.endian), value = after + read->variable.offset;

    if (read->pointer_known && before == read->pointer && after == read->pointer)
        return true;
    if (read->pointer_known)
        read_again(read, end_us);
    else
        read->due_us = end_us;
    read->pointer = after;
    read->pointer_known =
        after != 0 && value >= after && value <= UINT32_MAX - read->variable.bytes &&
        guest->memory.permits(guest->memory.self, words_start(value), words_bytes(value, read->variable.bytes));
    if (!read->pointer_known) {
        read->due_us = begin_us + read->period_us;
        give(read, queue, TXTAP_SAMPLE_UNREADABLE, 0, begin_us, end_us);
    }
    return false;
}

static void take_value(struct variable_guest *guest, const struct planned *planned, struct sample_queue *queue,
                       uint64_t begin_us, uint64_t end_us)
{
    struct read_variable *read = &guest->at[planned->variable];
    const struct variable *variable = &read->variable;
    uint32_t address, bytes, inside;

    set_due(read, begin_us);
    if (variable->follows && !take_pointer(guest, read, planned, queue, begin_us, end_us))
        return;
    read->failures = 0;
    address = value_address(read);
    inside = address - words_start(address);
    bytes = words_bytes(address, variable->bytes);
    if (bytes > 4 && memcmp(guest->bytes + planned->value[0], guest->bytes + planned->value[1], bytes) != 0) {
        read_again(read, end_us);
        return;
    }
    read->retries = 0;
    read->samples++;
    give(read, queue, TXTAP_SAMPLE_VALID, variable_value(variable, guest->bytes + planned->value[0] + inside), begin_us,
         end_us);
}

/* Continues the search for the variable that makes exchanges fail, after the planned variables were read. */
static void clear_suspects(struct variable_guest *guest)
{
    guest->suspects -= guest->planned_count < guest->suspects ? guest->planned_count : guest->suspects;
    guest->most = guest->suspects > 0 ? (guest->suspects + 1) / 2 : guest->count;
}

static void commit(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    struct variable_guest *guest = self;

    if (guest->end_us == 0)
        guest->begin_us = begin_us;
    guest->end_us = end_us;
    for (size_t i = 0; i < guest->planned_count; i++)
        take_value(guest, &guest->planned[i], queue, begin_us, end_us);
    guest->first = (guest->plan_last + 1) % guest->count;
    clear_suspects(guest);
}

static void fail(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    struct variable_guest *guest = self;
    struct read_variable *read = &guest->at[guest->planned[0].variable];

    if (guest->planned_count > 1) {
        guest->first = guest->plan_first;
        guest->suspects = guest->planned_count;
        guest->most = guest->planned_count / 2;
        return;
    }
    if (++read->failures < FAILURES_SURE)
        return;
    set_unreadable(read, queue, begin_us, end_us);
    guest->suspects = 0;
    guest->most = guest->count;
}

static uint64_t due_us(const void *self)
{
    const struct variable_guest *guest = self;
    uint64_t first = UINT64_MAX;

    for (size_t i = 0; i < guest->count; i++)
        if (guest->at[i].usable && guest->at[i].due_us < first)
            first = guest->at[i].due_us;
    return first;
}

/* ---- another firmware ---- */

/* Returns true if samples of the new variable have the same meaning in the variable's channel. */
static bool is_same(const struct read_variable *read, const struct variable *new)
{
    const struct variable *old = &read->variable;
    uint32_t words = new->form == TXTAP_FORM_STATE ? new->word_count : 0;

    if (new->form != old->form || new->type != old->type || new->bits != old->bits ||
        words != read->channel->word_count)
        return false;
    for (uint32_t i = 0; i < words; i++)
        if (new->words[i].number != read->channel->words[i].number ||
            strcmp(new->words[i].text, read->channel->words[i].text) != 0)
            return false;
    return true;
}

static void restart(void *self, uint64_t now_us)
{
    struct variable_guest *guest = self;
    enum variables_renewed renewed;

    memset(guest->fresh, 0, sizeof guest->fresh);
    renewed = guest->memory.renew(guest->memory.self, guest->fresh);
    for (size_t i = 0; i < guest->count; i++) {
        struct read_variable *read = &guest->at[i];

        read->usable = renewed == VARIABLES_SAME || (renewed == VARIABLES_FOUND && is_same(read, &guest->fresh[i]));
        if (read->usable && renewed == VARIABLES_FOUND) {
            read->variable = guest->fresh[i];
            read->variable.words = NULL;
        }
        read->pointer_known = false;
        read->failures = read->retries = 0;
        read->due_us = now_us;
    }
    variables_free(guest->fresh, VARIABLES_MAX);
    guest->first = guest->suspects = 0;
    guest->most = guest->count;
    sort(guest);
}

const struct guest_ops variable_guest_ops = {plan_reads, commit, fail, due_us, restart};

const struct variable_guest *variable_guest_of(const struct guests *guests)
{
    for (size_t i = 0; i < guests->count; i++)
        if (guests->at[i].ops == &variable_guest_ops)
            return guests->at[i].self;
    return NULL;
}

struct variable_guest_cost variable_guest_cost(const struct variable_guest *guest)
{
    static struct txtap_read reads[VARIABLES_MAX * VARIABLE_PIECES_MAX];
    static struct variable_guest copy;
    struct variable_guest_cost cost = {0, 0};

    copy = *guest;
    for (size_t i = 0; i < copy.count; i++) {
        struct read_variable *read = &copy.at[i];

        read->due_us = 0;
        read->failures = 0;
        if (read->variable.follows && !read->pointer_known) {
            read->pointer = read->variable.address; /* any address: it is not read */
            read->pointer_known = true;
        }
    }
    copy.most = copy.count;
    cost.reads = plan_reads(&copy, reads, sizeof reads / sizeof reads[0], sizeof copy.bytes, 0);
    for (size_t i = 0; i < cost.reads; i++)
        cost.bytes += reads[i].length;
    return cost;
}
