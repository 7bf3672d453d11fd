/* SPDX-License-Identifier: MIT */
/* All names of figures, by section. A test compares them with the figures of sample traces. */
#include "analysis/check_names.h"

#include <string.h>

/* A name, its dimension, the statistic without one (VALUE or N), what it is of. MANY: of two parties. */
#define ONE(name, dimension, stat, about)                                                                              \
    {                                                                                                                  \
        name, dimension, TXTAP_STAT_##stat, TXTAP_SUBJECT_##about, false                                               \
    }
#define MANY(name, dimension, stat, about)                                                                             \
    {                                                                                                                  \
        name, dimension, TXTAP_STAT_##stat, TXTAP_SUBJECT_##about, true                                                \
    }

static const struct check_name names[] = {
    /* trace */
    ONE("window", CHECK_TIME, VALUE, SYSTEM),
    ONE("observed", CHECK_TIME, VALUE, SYSTEM),
    ONE("gaps", CHECK_COUNT, VALUE, SYSTEM),
    ONE("lost", CHECK_COUNT, N, SYSTEM),
    /* cpu */
    ONE("cpu", CHECK_SHARE, VALUE, THREAD),
    ONE("cpu_ticks", CHECK_TIME, VALUE, THREAD),
    ONE("load", CHECK_SHARE, VALUE, SYSTEM),
    ONE("idle", CHECK_SHARE, VALUE, SYSTEM),
    ONE("interrupts", CHECK_SHARE, VALUE, SYSTEM),
    ONE("init", CHECK_SHARE, VALUE, SYSTEM),
    ONE("load_ticks", CHECK_TIME, VALUE, SYSTEM),
    ONE("idle_ticks", CHECK_TIME, VALUE, SYSTEM),
    ONE("interrupts_ticks", CHECK_TIME, VALUE, SYSTEM),
    ONE("init_ticks", CHECK_TIME, VALUE, SYSTEM),
    /* buckets */
    ONE("bucket_load", CHECK_SHARE, VALUE, SYSTEM),
    ONE("bucket_interrupts", CHECK_SHARE, VALUE, SYSTEM),
    MANY("bucket_cpu", CHECK_SHARE, VALUE, THREAD),
    /* wake */
    ONE("wake", CHECK_TIME, VALUE, THREAD),
    ONE("first_run", CHECK_TIME, VALUE, THREAD),
    ONE("ready", CHECK_TIME, VALUE, THREAD),
    MANY("woken_by", CHECK_COUNT, N, THREAD),
    /* jobs */
    ONE("run", CHECK_TIME, VALUE, THREAD),
    ONE("response", CHECK_TIME, VALUE, THREAD),
    ONE("response_ready", CHECK_TIME, VALUE, THREAD),
    ONE("response_interrupted", CHECK_TIME, VALUE, THREAD),
    ONE("response_mutex", CHECK_TIME, VALUE, THREAD),
    ONE("turns", CHECK_COUNT, VALUE, THREAD),
    /* period */
    ONE("period", CHECK_TIME, VALUE, THREAD),
    ONE("jitter", CHECK_TIME, VALUE, THREAD),
    ONE("deviation", CHECK_TIME, VALUE, THREAD),
    ONE("dispatch_period", CHECK_TIME, VALUE, THREAD),
    ONE("dispatch_jitter", CHECK_TIME, VALUE, THREAD),
    ONE("dispatch_deviation", CHECK_TIME, VALUE, THREAD),
    /* nominal */
    ONE("nominal", CHECK_TIME, VALUE, THREAD),
    ONE("period_error", CHECK_TIME, VALUE, THREAD),
    ONE("lateness", CHECK_TIME, VALUE, THREAD),
    ONE("drift", CHECK_TIME, VALUE, THREAD),
    ONE("missed", CHECK_COUNT, N, THREAD),
    ONE("extra", CHECK_COUNT, N, THREAD),
    /* blocking */
    MANY("block", CHECK_TIME, VALUE, THREAD),
    MANY("waits", CHECK_TIME, VALUE, OBJECT),
    MANY("time", CHECK_SHARE, VALUE, THREAD),
    MANY("time_ticks", CHECK_TIME, VALUE, THREAD),
    /* stack */
    ONE("stack", CHECK_SHARE, VALUE, THREAD),
    ONE("stack_bytes", CHECK_BYTES, VALUE, THREAD),
    ONE("stack_size", CHECK_BYTES, VALUE, THREAD),
    ONE("stack_outside", CHECK_COUNT, N, THREAD),
    /* queues */
    ONE("depth", CHECK_COUNT, VALUE, OBJECT),
    ONE("depth_mean", CHECK_COUNT, VALUE, OBJECT),
    ONE("capacity", CHECK_COUNT, VALUE, OBJECT),
    ONE("full", CHECK_TIME, VALUE, OBJECT),
    ONE("empty", CHECK_TIME, VALUE, OBJECT),
    ONE("sends", CHECK_COUNT, N, OBJECT),
    ONE("receives", CHECK_COUNT, N, OBJECT),
    ONE("send_blocked", CHECK_COUNT, N, OBJECT),
    ONE("receive_blocked", CHECK_COUNT, N, OBJECT),
    ONE("handed_over", CHECK_COUNT, N, OBJECT),
    ONE("send_failed", CHECK_COUNT, N, OBJECT),
    ONE("receive_failed", CHECK_COUNT, N, OBJECT),
    /* mutexes */
    ONE("hold", CHECK_TIME, VALUE, OBJECT),
    ONE("wait", CHECK_TIME, VALUE, OBJECT),
    ONE("gets", CHECK_COUNT, N, OBJECT),
    ONE("puts", CHECK_COUNT, N, OBJECT),
    ONE("contended", CHECK_COUNT, N, OBJECT),
    ONE("recursive", CHECK_COUNT, N, OBJECT),
    ONE("failed_gets", CHECK_COUNT, N, OBJECT),
    ONE("timeouts", CHECK_COUNT, N, OBJECT),
    ONE("above_one", CHECK_COUNT, N, OBJECT),
    MANY("waits_for", CHECK_TIME, VALUE, THREAD),
    /* inversion */
    MANY("inversion", CHECK_TIME, N, THREAD),
    ONE("inversions", CHECK_COUNT, N, SYSTEM),
    ONE("unbounded", CHECK_COUNT, N, SYSTEM),
    ONE("inversion_ticks", CHECK_TIME, VALUE, SYSTEM),
    ONE("unbounded_ticks", CHECK_TIME, VALUE, SYSTEM),
    MANY("unbounded_by", CHECK_TIME, VALUE, THREAD),
    /* interrupts */
    ONE("isr", CHECK_TIME, VALUE, INTERRUPT),
    ONE("isr_self", CHECK_TIME, VALUE, INTERRUPT),
    ONE("isr_interval", CHECK_TIME, VALUE, INTERRUPT),
    ONE("isr_load", CHECK_SHARE, VALUE, INTERRUPT),
    ONE("isr_load_ticks", CHECK_TIME, VALUE, INTERRUPT),
    ONE("isr_entered", CHECK_COUNT, N, SYSTEM),
    ONE("isr_nested", CHECK_COUNT, N, SYSTEM),
    ONE("isr_bursts", CHECK_COUNT, N, SYSTEM),
    ONE("isr_without_exit", CHECK_COUNT, N, SYSTEM),
    ONE("isr_depth", CHECK_COUNT, VALUE, SYSTEM),
    /* semaphores */
    ONE("count", CHECK_COUNT, VALUE, OBJECT),
    ONE("sets", CHECK_COUNT, N, OBJECT),
    ONE("get_blocked", CHECK_COUNT, N, OBJECT),
    ONE("get_at_once", CHECK_COUNT, N, OBJECT),
    ONE("get_failed", CHECK_COUNT, N, OBJECT),
    ONE("get_failed_or_polled", CHECK_COUNT, N, OBJECT),
    ONE("put_woke", CHECK_COUNT, N, OBJECT),
    ONE("set_woke", CHECK_COUNT, N, OBJECT),
    ONE("put_failed", CHECK_COUNT, N, OBJECT),
    ONE("set_unheard", CHECK_COUNT, N, OBJECT),
    ONE("woken", CHECK_COUNT, N, OBJECT),
    ONE("timeout_wait", CHECK_TIME, VALUE, OBJECT),
    /* deadlock */
    ONE("deadlock", CHECK_TIME, N, SYSTEM),
    ONE("deadlock_for_ever", CHECK_COUNT, N, SYSTEM),
    MANY("deadlock_member", CHECK_COUNT, N, THREAD),
    /* pools */
    ONE("available", CHECK_COUNT, VALUE, OBJECT),
    ONE("outstanding", CHECK_COUNT, VALUE, OBJECT),
    ONE("allocations", CHECK_COUNT, N, OBJECT),
    ONE("releases", CHECK_COUNT, N, OBJECT),
    ONE("alloc_failed", CHECK_COUNT, N, OBJECT),
    ONE("alloc_blocked", CHECK_COUNT, N, OBJECT),
    ONE("leak", CHECK_COUNT, N, OBJECT),
    ONE("lifetime", CHECK_TIME, VALUE, OBJECT),
    /* switches */
    ONE("switches", CHECK_COUNT, N, SYSTEM),
    ONE("switches_to_thread", CHECK_COUNT, N, SYSTEM),
    ONE("switches_to_idle", CHECK_COUNT, N, SYSTEM),
    ONE("preemptions", CHECK_COUNT, N, SYSTEM),
    ONE("time_slices", CHECK_COUNT, N, SYSTEM),
    ONE("time_slice_switches", CHECK_COUNT, N, SYSTEM),
    ONE("relinquish_switches", CHECK_COUNT, N, SYSTEM),
    ONE("events", CHECK_COUNT, N, THREAD),
    ONE("suspended", CHECK_COUNT, N, THREAD),
    ONE("resumed", CHECK_COUNT, N, THREAD),
    ONE("suspends_done", CHECK_COUNT, N, THREAD),
    ONE("resumes_done", CHECK_COUNT, N, THREAD),
    ONE("preempted", CHECK_COUNT, N, THREAD),
    MANY("displaced", CHECK_COUNT, N, THREAD),
    /* between */
    ONE("between", CHECK_TIME, VALUE, EVENT),
    ONE("between_unfinished", CHECK_COUNT, N, EVENT),
    /* network */
    ONE("media_opens", CHECK_COUNT, N, SYSTEM),
    ONE("media_closes", CHECK_COUNT, N, SYSTEM),
    ONE("media_aborts", CHECK_COUNT, N, SYSTEM),
    ONE("media_flushes", CHECK_COUNT, N, SYSTEM),
    ONE("directory_reads", CHECK_COUNT, N, SYSTEM),
    ONE("directory_writes", CHECK_COUNT, N, SYSTEM),
    ONE("directory_cache_misses", CHECK_COUNT, N, SYSTEM),
    ONE("file_opens", CHECK_COUNT, N, SYSTEM),
    ONE("file_closes", CHECK_COUNT, N, SYSTEM),
    ONE("file_reads", CHECK_COUNT, N, SYSTEM),
    ONE("file_writes", CHECK_COUNT, N, SYSTEM),
    ONE("driver_reads", CHECK_COUNT, N, SYSTEM),
    ONE("driver_writes", CHECK_COUNT, N, SYSTEM),
    ONE("logical_sector_cache_misses", CHECK_COUNT, N, SYSTEM),
    ONE("arp_requests_sent", CHECK_COUNT, N, SYSTEM),
    ONE("arp_requests_received", CHECK_COUNT, N, SYSTEM),
    ONE("arp_responses_sent", CHECK_COUNT, N, SYSTEM),
    ONE("arp_responses_received", CHECK_COUNT, N, SYSTEM),
    ONE("packet_allocations", CHECK_COUNT, N, SYSTEM),
    ONE("packet_releases", CHECK_COUNT, N, SYSTEM),
    ONE("transmit_releases", CHECK_COUNT, N, SYSTEM),
    ONE("ip_packets_sent", CHECK_COUNT, N, SYSTEM),
    ONE("ip_packets_received", CHECK_COUNT, N, SYSTEM),
    ONE("pings_sent", CHECK_COUNT, N, SYSTEM),
    ONE("pings6_sent", CHECK_COUNT, N, SYSTEM),
    ONE("icmp_received", CHECK_COUNT, N, SYSTEM),
    ONE("tcp_client_connections", CHECK_COUNT, N, SYSTEM),
    ONE("tcp_server_connections", CHECK_COUNT, N, SYSTEM),
    ONE("tcp_packets_sent", CHECK_COUNT, N, SYSTEM),
    ONE("tcp_packets_received", CHECK_COUNT, N, SYSTEM),
    ONE("udp_packets_sent", CHECK_COUNT, N, SYSTEM),
    ONE("udp_packets_received", CHECK_COUNT, N, SYSTEM),
    ONE("empty_allocations", CHECK_COUNT, N, SYSTEM),
    ONE("invalid_releases", CHECK_COUNT, N, SYSTEM),
    ONE("logical_sector_reads", CHECK_COUNT, VALUE, SYSTEM),
    ONE("logical_sector_writes", CHECK_COUNT, VALUE, SYSTEM),
    ONE("file_bytes_read", CHECK_BYTES, VALUE, SYSTEM),
    ONE("file_bytes_written", CHECK_BYTES, VALUE, SYSTEM),
    ONE("ip_bytes_sent", CHECK_BYTES, VALUE, SYSTEM),
    ONE("ip_bytes_received", CHECK_BYTES, VALUE, SYSTEM),
    ONE("tcp_bytes_sent", CHECK_BYTES, VALUE, SYSTEM),
    ONE("tcp_bytes_received", CHECK_BYTES, VALUE, SYSTEM),
    ONE("udp_bytes_sent", CHECK_BYTES, VALUE, SYSTEM),
    ONE("udp_bytes_received", CHECK_BYTES, VALUE, SYSTEM),
    ONE("packets_available", CHECK_COUNT, VALUE, OBJECT),
    /* calls */
    ONE("failed", CHECK_COUNT, N, OBJECT),
    ONE("calls", CHECK_COUNT, N, EVENT),
    MANY("thread_calls", CHECK_COUNT, N, THREAD),
    /* cores */
    ONE("core_busy", CHECK_SHARE, VALUE, CORE),
    ONE("core_idle", CHECK_SHARE, VALUE, CORE),
    ONE("cores_busy", CHECK_SHARE, VALUE, CORE),
    ONE("core_busy_ticks", CHECK_TIME, VALUE, CORE),
    ONE("core_idle_ticks", CHECK_TIME, VALUE, CORE),
    ONE("cores_busy_ticks", CHECK_TIME, VALUE, CORE),
    ONE("moves", CHECK_COUNT, N, THREAD),
    /* priorities */
    ONE("priority", CHECK_COUNT, VALUE, THREAD),
    ONE("priority_changes", CHECK_COUNT, N, THREAD),
};

const struct check_name *check_name_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
            return &names[i];
    return NULL;
}
