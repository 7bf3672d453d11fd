/* SPDX-License-Identifier: MIT */
/* Bulk transfers of a probe that echoes its input; faults; halted endpoints. */
#include "kinds.h"
#include "usb_probe.h"

#include <criterion/criterion.h>
#include <string.h>

static struct usb_probe probe;
static unsigned taken, resets;

/* Echoes its input. Exceptions: "x" stalls, "." gets no answer, "d..." gets data without a status. */
static enum usb_result echo(void *self, const uint8_t *bytes, size_t length, struct usb_answer *answer)
{
    (void)self;
    taken++;
    if (*bytes == 'x')
        return USB_STALLED;
    answer->given = *bytes != '.';
    answer->status_first = *bytes != 'd';
    answer->length = length;
    memcpy(answer->bytes, bytes, length);
    return USB_DONE;
}

static void count_reset(void *self)
{
    (void)self;
    resets++;
}

static void begin(unsigned answers_max)
{
    usb_probe_init(&probe, kind_find("cmsis-dap"), &(struct probe_model){NULL, echo, count_reset, answers_max});
}

static enum usb_result out(const char *text)
{
    return usb_probe_out(&probe, 0x04, (const uint8_t *)text, strlen(text));
}

/* Makes a transfer from the probe. Returns the data as text, or a word for the status. */
static const char *in(size_t room)
{
    static const char *const words[] = {"", "WAITS", "STALLED", "OVERFLOW", "GONE"};
    static char text[USB_ANSWER_BYTES_MAX + 1];
    size_t length = 99;
    enum usb_result result = usb_probe_in(&probe, 0x85, (uint8_t *)text, room, &length);
    if (result != USB_DONE) {
        cr_assert_eq(length, 0);
        return words[result];
    }
    cr_assert_leq(length, room);
    text[length] = '\0';
    return text;
}

static void arm(const char *text)
{
    char why[USB_FAULT_WHY_BYTES];
    cr_assert(usb_fault_arm(&probe.faults, text, why), "%s", text);
}

Test(usb_probe, an_answer_is_there_after_the_command)
{
    begin(4);
    cr_assert_str_eq(in(64), "WAITS");
    cr_assert_eq(out("one"), USB_DONE);
    cr_assert_eq(out("two"), USB_DONE);
    cr_assert_eq(out("."), USB_DONE);
    cr_assert_eq(out(""), USB_DONE);
    cr_assert_str_eq(in(64), "one");
    cr_assert_str_eq(in(64), "two");
    cr_assert_str_eq(in(64), "WAITS");
    cr_assert_eq(taken, 3);
}

Test(usb_probe, a_full_queue_takes_no_more_commands)
{
    begin(2);
    for (int round = 0; round < 50; round++) {
        cr_assert_eq(out("a"), USB_DONE);
        cr_assert_eq(out("b"), USB_DONE);
        cr_assert_eq(out("c"), USB_WAITS);
        cr_assert_eq(taken, 3 * round + 2);
        cr_assert_str_eq(in(64), "a");
        cr_assert_eq(out("c"), USB_DONE);
        cr_assert_str_eq(in(64), "b");
        cr_assert_str_eq(in(64), "c");
    }
}

Test(usb_probe, without_a_queue_only_the_last_answer_is_kept)
{
    begin(1);
    out("old");
    out("new");
    cr_assert_str_eq(in(64), "new");
    cr_assert_str_eq(in(64), "WAITS");
}

Test(usb_probe, packets_are_not_cut)
{
    char text[201];
    begin(1);
    memset(text, 'a', 200), text[200] = '\0';
    out(text);
    cr_assert_eq(strlen(in(128)), 128);
    cr_assert_eq(strlen(in(64)), 64);
    cr_assert_eq(strlen(in(64)), 8);
    out(text);
    cr_assert_str_eq(in(100), "OVERFLOW");
    cr_assert_str_eq(in(100), "WAITS", "the rest is dropped");
    out(text);
    cr_assert_str_eq(in(0), "");
    cr_assert_eq(strlen(in(1000)), 200);
}

Test(usb_probe, a_halted_endpoint_stalls_until_it_is_cleared)
{
    begin(1);
    cr_assert_eq(out("x"), USB_STALLED);
    cr_assert_eq(out("a"), USB_STALLED);
    cr_assert_eq(taken, 1);
    cr_assert(usb_probe_clear_halt(&probe, 0x04));
    cr_assert_eq(out("a"), USB_DONE);
    cr_assert_str_eq(in(64), "a");
    arm("stall");
    out("b");
    cr_assert_str_eq(in(64), "STALLED");
    cr_assert_str_eq(in(64), "STALLED");
    cr_assert(usb_probe_clear_halt(&probe, 0x85));
    cr_assert_str_eq(in(64), "WAITS");
    cr_assert_not(usb_probe_clear_halt(&probe, 0x01));
    cr_assert_not(usb_probe_clear_halt(&probe, 0x00), "this probe has no third endpoint");
}

Test(usb_probe, unknown_endpoints_stall_and_the_trace_endpoint_waits)
{
    uint8_t bytes[64];
    size_t length;
    begin(1);
    cr_assert_eq(usb_probe_out(&probe, 0x05, bytes, 1), USB_STALLED);
    cr_assert_eq(usb_probe_in(&probe, 0x81, bytes, 64, &length), USB_STALLED);
    probe.identity = kind_find("stlink-v3");
    cr_assert_eq(usb_probe_in(&probe, 0x82, bytes, 64, &length), USB_WAITS);
    cr_assert(usb_probe_clear_halt(&probe, 0x82));
}

Test(usb_probe, a_fault_affects_the_answers_that_it_is_armed_for)
{
    begin(1);
    arm("short@2:2");
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(out("word"), USB_DONE);
        cr_assert_str_eq(in(64), i == 2 || i == 3 ? "wo" : "word", "answer %d", i);
    }
    arm("timeout");
    out("a");
    cr_assert_str_eq(in(64), "WAITS");
    out("b");
    cr_assert_str_eq(in(64), "b");
    cr_assert_eq(probe.faults.kinds[USB_FAULT_SHORT].hits, 2);
    cr_assert_eq(probe.faults.kinds[USB_FAULT_TIMEOUT].hits, 1);
}

Test(usb_probe, an_answer_arrives_twice)
{
    begin(4);
    arm("twice@1");
    cr_assert_eq(out("one"), USB_DONE);
    cr_assert_eq(out("two"), USB_DONE);
    cr_assert_eq(out("three"), USB_DONE);
    cr_assert_str_eq(in(64), "one");
    cr_assert_str_eq(in(64), "two");
    cr_assert_str_eq(in(64), "two");
    cr_assert_str_eq(in(64), "three");
    cr_assert_str_eq(in(64), "WAITS");
}

Test(usb_probe, two_answers_arrive_in_one_transfer)
{
    begin(4);
    arm("merge@1");
    cr_assert_eq(out("one"), USB_DONE);
    cr_assert_eq(out("two"), USB_DONE);
    cr_assert_str_eq(in(64), "one");
    cr_assert_str_eq(in(64), "WAITS");
    cr_assert_eq(out("three"), USB_DONE);
    cr_assert_str_eq(in(64), "twothree");
    cr_assert_str_eq(in(64), "WAITS");
    arm("merge");
    cr_assert_eq(out("four"), USB_DONE);
    usb_probe_reset(&probe);
    cr_assert_eq(out("five"), USB_DONE);
    cr_assert_str_eq(in(64), "five", "a reset forgets what was held back");
}

Test(usb_probe, the_fault_wrong_waits_for_an_answer_with_a_status)
{
    begin(1);
    arm("wrong");
    out("data");
    cr_assert_str_eq(in(64), "data");
    out("status");
    cr_assert_eq((uint8_t)*in(64), (uint8_t) ~'s');
    out("status");
    cr_assert_str_eq(in(64), "status");
}

Test(usb_probe, an_unplugged_probe_is_gone_until_it_is_reset)
{
    static const char *const kinds[] = {"unplug@1", "replug@1"};
    for (size_t i = 0; i < 2; i++) {
        begin(1);
        arm(kinds[i]);
        out("a");
        cr_assert_str_eq(in(64), "a");
        cr_assert_eq(out("b"), USB_DONE);
        cr_assert_str_eq(in(64), "GONE");
        cr_assert_eq(out("c"), USB_GONE);
        cr_assert_eq(probe.plug, i ? PROBE_REPLUGGED : PROBE_UNPLUGGED);
        unsigned before = resets;
        usb_probe_reset(&probe);
        cr_assert_eq(resets, before + 1);
        cr_assert_str_eq(in(64), "WAITS");
        out("d");
        cr_assert_str_eq(in(64), "d");
    }
}

Test(usb_probe, invalid_faults_are_refused_and_change_nothing)
{
    static const char *const wrong[] = {"",
                                        "stal",
                                        "stall ",
                                        "stalls",
                                        "stall@",
                                        "stall:",
                                        "stall:0",
                                        "stall@x",
                                        "stall@1:",
                                        "stall:1@1",
                                        "stall@1:2x",
                                        "stall:-1",
                                        "stall@99999999999",
                                        "unplug:1000000001"};
    struct usb_faults before;
    char why[USB_FAULT_WHY_BYTES];
    begin(1);
    arm("stall@1000000000:7");
    before = probe.faults;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        *why = '\0';
        cr_assert_not(usb_fault_arm(&probe.faults, wrong[i], why), "'%s'", wrong[i]);
        cr_assert_gt(strlen(why), 0);
        cr_assert_eq(memcmp(&before, &probe.faults, sizeof before), 0);
    }
    for (unsigned kind = 0; kind < USB_FAULT_KINDS; kind++)
        cr_assert(usb_fault_arm(&probe.faults, usb_fault_name(kind), why));
}
