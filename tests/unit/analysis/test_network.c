/* SPDX-License-Identifier: MIT */
/* Bytes per network, per socket and per thread, and bytes per second. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/made_trace.h"

#define CLIENT 0x20000100u
#define SERVER 0x20000200u
#define FIRST  0x20001000u
#define SECOND 0x20002000u

#define TCP_SEND     421u
#define STORAGE_READ 786u

Test(network, is_counted_by_socket_and_by_thread)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = 1000});
    made_event(0, CLIENT, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(100, CLIENT, TCP_SEND, FIRST, 0, 1000, 0);
    made_event(200, CLIENT, TCP_SEND, SECOND, 0, 500, 0);
    made_event(300, SERVER, TCP_SEND, SECOND, 0, 100, 0);
    made_event(2000, SERVER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("tcp_bytes_sent", 0, TXTAP_STAT_VALUE), 1600);
    cr_assert_eq(made_stat("tcp_bytes_sent", 0, TXTAP_STAT_RATE), 800);
    cr_assert_eq(made_stat("tcp_bytes_sent", FIRST, TXTAP_STAT_VALUE), 1000);
    cr_assert_eq(made_stat("tcp_bytes_sent", FIRST, TXTAP_STAT_RATE), 500);
    cr_assert_eq(made_stat("tcp_packets_sent", SECOND, TXTAP_STAT_N), 2);
    cr_assert_eq(made_stat("tcp_bytes_sent", SECOND, TXTAP_STAT_VALUE), 600);
    cr_assert_eq(made_stat("tcp_bytes_sent", CLIENT, TXTAP_STAT_VALUE), 1500);
    cr_assert_eq(made_stat("tcp_bytes_sent", SERVER, TXTAP_STAT_VALUE), 100);
}

Test(network, has_the_maximum_of_all_seconds_since_the_first_event)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = 1000});
    made_event(500, CLIENT, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(600, CLIENT, TCP_SEND, FIRST, 0, 30, 0);
    made_event(1499, CLIENT, TCP_SEND, SECOND, 0, 40, 0);
    made_event(1500, CLIENT, TCP_SEND, FIRST, 0, 60, 0); /* in the next second */
    made_event(9000, SERVER, TCP_SEND, FIRST, 0, 20, 0);
    made_event(9400, SERVER, TCP_SEND, FIRST, 0, 45, 0);
    made_event(9500, SERVER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("tcp_bytes_sent", 0, TXTAP_STAT_MAX), 70);
    cr_assert_eq(made_figure("tcp_bytes_sent", 0)->max_at.ticks, 600);
    cr_assert_eq(made_stat("tcp_bytes_sent", FIRST, TXTAP_STAT_MAX), 65);
    cr_assert_eq(made_figure("tcp_bytes_sent", FIRST)->max_at.ticks, 9000);
    cr_assert_eq(made_stat("tcp_bytes_sent", SECOND, TXTAP_STAT_MAX), 40);
    cr_assert_eq(made_stat("tcp_bytes_sent", CLIENT, TXTAP_STAT_MAX), 70);
}

Test(network, includes_usb)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, CLIENT, STORAGE_READ, FIRST, 7, 16, 0);
    made_event(10, CLIENT, STORAGE_READ, FIRST, 23, 4, 0);
    made_event(100, CLIENT, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("usb_storage_reads", FIRST, TXTAP_STAT_N), 2);
    cr_assert_eq(made_stat("usb_sectors_read", FIRST, TXTAP_STAT_VALUE), 20);
    cr_assert(!made_figure("usb_sectors_read", FIRST)->stat[TXTAP_STAT_MAX].known, "a second has no length");
}
