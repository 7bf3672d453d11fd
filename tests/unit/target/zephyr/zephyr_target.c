/* SPDX-License-Identifier: MIT */
#include "zephyr_target.h"

#include <criterion/criterion.h>
#include <string.h>

#include "txtap_trace.h"

#include "zephyr_macros.h"

#include "txtap_zephyr_hooks.h"

typedef struct {
    int64_t ticks;
} k_timeout_t;

void sys_trace_isr_enter(void);
void sys_trace_isr_exit(void);
void sys_trace_isr_exit_to_scheduler(void);
void sys_trace_idle(void);
void sys_trace_idle_exit(void);

_Alignas(4) uint8_t zephyr_ram[ZEPHYR_RAM_BYTES];
struct zephyr_thing the_thing, other_thing;
const struct zephyr_thing *zephyr_current;
uint32_t zephyr_exception;
bool zephyr_user_mode;
unsigned zephyr_idled;

/* ---- the arguments; their names are those in data/zephyr_hooks.csv ---- */

/* clang-format off */
#define THE_THING(X)                                                                                                   \
    X(thread) X(new_thread) X(work) X(dwork) X(mutex) X(condvar) X(fifo) X(lifo) X(stack) X(msgq) X(mbox) X(pipe)      \
    X(h) X(slab) X(timer) X(event) X(signal)
#define OTHER_THING(X)                                                                                                 \
    X(heap) X(queue) X(sem) X(work_q) X(sync) X(data) X(head) X(tail) X(list) X(rx_msg) X(buffer) X(ptr) X(heap_ref)   \
    X(pkt) X(iface) X(addr) X(dest_addr) X(src_addr) X(msg) X(fds) X(optval) X(sv) X(callback) X(handler) X(sqe)       \
    X(cqe) X(iodev_sqe) X(handle) X(entry) X(dev) X(port) X(rtio)
#define NUMBERS(X)                                                                                                     \
    X(alloc, 1) X(size, 20) X(len, 21) X(bytes, 22) X(usec_to_wait, 23) X(us, 24) X(ms, 25) X(addrlen, 26)             \
    X(max_len, 27) X(nfds, 28) X(pin, 29) X(wait_count, 30) X(end_time, 31) X(state, 32) X(result, -33) X(family, 34)  \
    X(type, 35) X(proto, 36) X(how, 37) X(backlog, 38) X(cmd, 39) X(level, -40) X(optname, 41) X(socket, 42)           \
    X(socket_A, 43) X(socket_B, 44) X(prio, -5) X(ticks, -46) X(flags, 47) X(req, 48) X(map, 49) X(inputs, 50)         \
    X(outputs, 51) X(value, 52) X(mask, 53) X(pins, 54) X(pin_mask, 55) X(options, 1) X(events_mask, 57)               \
    X(events, 57) X(arg0, 59) X(arg1, 60) X(arg2, 61) X(optlen, 62) X(id, 63) X(timeout_ms, -64)
#define TIMES(X)                                                                                                       \
    X(timeout, 70) X(delay, 71) X(duration, 72) X(period, 73)
/* clang-format on */

int ret, rc;
static const char *const name = "a name";

#define DECLARE_THE(name)           static struct zephyr_thing *const name = &the_thing;
#define DECLARE_OTHER(name)         static struct zephyr_thing *const name = &other_thing;
#define DECLARE_NUMBER(name, value) static const int name = value;
#define DECLARE_TIME(name, value)   static const k_timeout_t name = {value};
THE_THING(DECLARE_THE)
OTHER_THING(DECLARE_OTHER)
NUMBERS(DECLARE_NUMBER)
TIMES(DECLARE_TIME)

#include "zephyr_rows.inc"

uint32_t zephyr_address(const void *object)
{
    return txtap_trace_port_address(object);
}

#define ANSWER_THING(known)                                                                                            \
    if (strcmp(wanted, #known) == 0)                                                                                   \
        return zephyr_address(known);
#define ANSWER_NUMBER(known, value)                                                                                    \
    if (strcmp(wanted, #known) == 0)                                                                                   \
        return (uint32_t)known;
#define ANSWER_TIME(known, value)                                                                                      \
    if (strcmp(wanted, #known) == 0)                                                                                   \
        return (uint32_t)known.ticks;

uint32_t zephyr_argument(const char *wanted)
{
    THE_THING(ANSWER_THING)
    OTHER_THING(ANSWER_THING)
    NUMBERS(ANSWER_NUMBER)
    TIMES(ANSWER_TIME)
    ANSWER_THING(name)
    ANSWER_NUMBER(ret, 0)
    ANSWER_NUMBER(rc, 0)
    cr_assert_fail("no argument is called %s", wanted);
    return 0;
}

void zephyr_start(uint32_t objects)
{
    static const struct zephyr_thing thing = {
        .priority = -3, .start = 0x20004000, .bytes = 1024, .count = 2, .size = 6, .count_max = 9, .waited = 1};

    (void)txtap_trace_disable();
    the_thing = thing;
    other_thing = thing;
    the_thing.owner = &other_thing;
    zephyr_current = NULL;
    zephyr_exception = 0;
    zephyr_user_mode = false;
    zephyr_idled = 0;
    ret = rc = 0;
    memset(zephyr_ram, 0, sizeof(zephyr_ram));
    txtap_trace_system_state = TXTAP_TRACE_STATE_INIT;
    cr_assert_eq(txtap_zephyr_start(zephyr_ram, sizeof(zephyr_ram), objects), TXTAP_TRACE_OK);
}
