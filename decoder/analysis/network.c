/* SPDX-License-Identifier: MIT */
/* What FileX, NetX and USBX did: opens, sectors, packets, and the bytes that their events count; of all of it, of each
 * media, file, socket, ... and by each thread. */
#include "analysis/analyses.h"

#include "txtap/registry.h"

/* An event's figures: how often it was recorded, and the sum of one of its words. */
static const struct {
    uint16_t id;
    const char *count; /* NULL: none */
    const char *sum;   /* NULL: none */
    enum txtap_unit unit;
    uint8_t word;
} kinds[] = {
    {261, "media_opens", NULL, TXTAP_UNIT_COUNT, 0},
    {258, "media_closes", NULL, TXTAP_UNIT_COUNT, 0},
    {255, "media_aborts", NULL, TXTAP_UNIT_COUNT, 0},
    {203, "media_flushes", NULL, TXTAP_UNIT_COUNT, 0},
    {204, "directory_reads", NULL, TXTAP_UNIT_COUNT, 0},
    {205, "directory_writes", NULL, TXTAP_UNIT_COUNT, 0},
    {202, "directory_cache_misses", NULL, TXTAP_UNIT_COUNT, 0},
    {247, "file_opens", NULL, TXTAP_UNIT_COUNT, 0},
    {243, "file_closes", NULL, TXTAP_UNIT_COUNT, 0},
    {248, "file_reads", "file_bytes_read", TXTAP_UNIT_BYTES, 3},
    {254, "file_writes", "file_bytes_written", TXTAP_UNIT_BYTES, 3},
    {206, "driver_reads", "logical_sector_reads", TXTAP_UNIT_COUNT, 2},
    {207, "driver_writes", "logical_sector_writes", TXTAP_UNIT_COUNT, 2},
    {201, "logical_sector_cache_misses", NULL, TXTAP_UNIT_COUNT, 0},
    {301, "arp_requests_sent", NULL, TXTAP_UNIT_COUNT, 0},
    {300, "arp_requests_received", NULL, TXTAP_UNIT_COUNT, 0},
    {303, "arp_responses_sent", NULL, TXTAP_UNIT_COUNT, 0},
    {302, "arp_responses_received", NULL, TXTAP_UNIT_COUNT, 0},
    {386, "packet_allocations", NULL, TXTAP_UNIT_COUNT, 0},
    {394, "packet_releases", NULL, TXTAP_UNIT_COUNT, 0},
    {395, "transmit_releases", NULL, TXTAP_UNIT_COUNT, 0},
    {309, "ip_packets_sent", "ip_bytes_sent", TXTAP_UNIT_BYTES, 3},
    {308, "ip_packets_received", "ip_bytes_received", TXTAP_UNIT_BYTES, 3},
    {362, "pings_sent", NULL, TXTAP_UNIT_COUNT, 0},
    {471, "pings6_sent", NULL, TXTAP_UNIT_COUNT, 0},
    {304, "icmp_received", NULL, TXTAP_UNIT_COUNT, 0},
    {401, "tcp_client_connections", NULL, TXTAP_UNIT_COUNT, 0},
    {407, "tcp_server_connections", NULL, TXTAP_UNIT_COUNT, 0},
    {421, "tcp_packets_sent", "tcp_bytes_sent", TXTAP_UNIT_BYTES, 2},
    {419, "tcp_packets_received", "tcp_bytes_received", TXTAP_UNIT_BYTES, 2},
    {436, "udp_packets_sent", "udp_bytes_sent", TXTAP_UNIT_BYTES, 2},
    {434, "udp_packets_received", "udp_bytes_received", TXTAP_UNIT_BYTES, 3},
    {632, "usb_host_transfers", NULL, TXTAP_UNIT_COUNT, 0},
    {870, "usb_device_transfers", NULL, TXTAP_UNIT_COUNT, 0},
    {786, "usb_storage_reads", "usb_sectors_read", TXTAP_UNIT_COUNT, 2},
    {787, "usb_storage_writes", "usb_sectors_written", TXTAP_UNIT_COUNT, 2},
    {977, "usb_disk_reads", "usb_disk_sectors_read", TXTAP_UNIT_COUNT, 3},
    {985, "usb_disk_writes", "usb_disk_sectors_written", TXTAP_UNIT_COUNT, 3},
    {680, "usb_acm_reads", NULL, TXTAP_UNIT_COUNT, 0},
    {683, "usb_acm_writes", NULL, TXTAP_UNIT_COUNT, 0},
    {912, "usb_device_acm_reads", "usb_device_acm_bytes_asked", TXTAP_UNIT_BYTES, 2},
    {913, "usb_device_acm_writes", "usb_device_acm_bytes_written", TXTAP_UNIT_BYTES, 2},
};

#define KINDS           (sizeof(kinds) / sizeof(*kinds))
#define ID_FIRST        200u
#define IDS             800u
#define PACKET_RELEASED 394u
#define PACKET_ALLOCATE 386u
#define ALLOCATED       0xAAAAAAAAu /* what an allocated packet's status is: nx_packet.h */

struct packet_pool {
    bool seen;
    uint32_t least;
    struct moment at;
};

/* Of one kind: as a whole, of one object, or by one thread. */
struct share {
    uint64_t count, sum;
    uint64_t second;      /* of the last event, counted from the first event of the trace */
    uint64_t in_second;   /* the sum of that second, */
    struct moment begins; /* and its first event */
    uint64_t most;        /* in a second */
    struct moment most_at;
};

struct shares {
    struct table keys; /* of a kind and the object's address or the thread's number */
    struct share *of;
};

struct network {
    struct base base;
    uint8_t kind[IDS]; /* of an id, from ID_FIRST on: 1 + its index in kinds; 0: none */
    struct share all[KINDS];
    uint64_t empty_allocations, invalid_releases;
    struct shares by_object, by_thread;
    struct table pools; /* of addresses */
    struct packet_pool *pool;
};

static void layout_shares(struct shares *shares, struct arena *arena, uint32_t count)
{
    table_layout(&shares->keys, arena, count);
    shares->of = arena_take(arena, count, sizeof(*shares->of));
}

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct network *network = state;

    table_layout(&network->pools, arena, limits->threads);
    network->pool = arena_take(arena, limits->threads, sizeof(*network->pool));
    layout_shares(&network->by_object, arena, limits->objects);
    layout_shares(&network->by_thread, arena, limits->objects);
}

static void allocate_packet(struct network *network, const struct change *change)
{
    uint32_t available = change->event->info[3], number;
    struct packet_pool *pool;
    bool added;

    network->empty_allocations += available == 0;
    number = table_add(&network->pools, change->event->info[0], &added);
    if (number == NONE) {
        network->base.left_out++;
        return;
    }
    pool = &network->pool[number];
    if (!pool->seen || available < pool->least)
        *pool = (struct packet_pool){true, available, change->now};
}

/* Ticks of a second; 0: not known. */
static uint64_t second_ticks(const struct network *network)
{
    double tick_hz = network->base.options->tick_hz;

    return tick_hz >= 1 && tick_hz < 1e18 ? (uint64_t)tick_hz : 0;
}

static void add(const struct network *network, struct share *share, uint64_t sum, struct moment now)
{
    uint64_t ticks = second_ticks(network);
    uint64_t second = ticks > 0 ? (now.ticks - network->base.model->first.ticks) / ticks : 0;

    if (share->count == 0 || second != share->second) {
        share->second = second;
        share->in_second = 0;
        share->begins = now;
    }
    share->count++;
    share->sum += sum;
    share->in_second += sum;
    if (share->in_second <= share->most)
        return;
    share->most = share->in_second;
    share->most_at = share->begins;
}

static void add_share(struct network *network, struct shares *shares, uint8_t kind, uint32_t whose, uint64_t sum,
                      struct moment now)
{
    bool added;
    uint32_t number = table_add(&shares->keys, table_pair(kind, whose), &added);

    if (number == NONE) {
        network->base.left_out++;
        return;
    }
    add(network, &shares->of[number], sum, now);
}

static void take_event(void *self, const struct change *change)
{
    struct network *network = self;
    const struct txtap_event *event = change->event;
    uint64_t sum;
    uint8_t kind;

    kind = (uint8_t)(network->kind[event->id - ID_FIRST] - 1);
    sum = kinds[kind].sum != NULL ? event->info[kinds[kind].word] : 0;
    add(network, &network->all[kind], sum, change->now);
    if (kinds[kind].sum != NULL && event->info[0] != 0)
        add_share(network, &network->by_object, kind, event->info[0], sum, change->now);
    if (kinds[kind].sum != NULL && change->thread != NONE)
        add_share(network, &network->by_thread, kind, change->thread, sum, change->now);
    if (event->id == PACKET_ALLOCATE)
        allocate_packet(network, change);
    network->invalid_releases += event->id == PACKET_RELEASED && event->info[1] != ALLOCATED;
}

static void open(void *state, struct model *model)
{
    struct network *network = state;

    for (uint8_t i = 0; i < KINDS; i++) {
        network->kind[kinds[i].id - ID_FIRST] = (uint8_t)(i + 1);
        model_tell_event(model, kinds[i].id, (struct change_sink){take_event, state});
    }
}

static void list_kind(struct list *list, const struct network *network, size_t kind, struct txtap_subject subject,
                      const struct share *share)
{
    const char *detail =
        subject.kind == TXTAP_SUBJECT_THREAD ? "(thread)" : NULL; /* some objects have a thread's name */
    const struct moment *most_at = second_ticks(network) > 0 ? &share->most_at : NULL;

    list_count(list, (struct heading){.name = kinds[kind].count, .subject = subject, .detail = detail}, share->count);
    if (kinds[kind].sum != NULL)
        list_amount(list, (struct heading){.name = kinds[kind].sum, .subject = subject, .detail = detail},
                    kinds[kind].unit, share->sum, share->most, most_at);
}

static void list_shares(struct list *list, const struct network *network, const struct shares *shares, bool of_threads)
{
    for (uint32_t i = 0; i < shares->keys.count; i++) {
        uint32_t whose = (uint32_t)shares->keys.keys[i];

        list_kind(list, network, shares->keys.keys[i] >> 32,
                  of_threads ? list_thread(list->model, whose) : list_number(TXTAP_SUBJECT_OBJECT, whose),
                  &shares->of[i]);
    }
}

static void figures(const void *state, struct list *list)
{
    const struct network *network = state;

    for (size_t i = 0; i < KINDS; i++) {
        if (network->all[i].count > 0)
            list_kind(list, network, i, list_system(), &network->all[i]);
    }
    list_shares(list, network, &network->by_object, false);
    list_shares(list, network, &network->by_thread, true);
    if (network->empty_allocations > 0)
        list_count(list, (struct heading){.name = "empty_allocations"}, network->empty_allocations);
    if (network->invalid_releases > 0)
        list_count(list, (struct heading){.name = "invalid_releases"}, network->invalid_releases);
    for (uint32_t i = 0; i < network->pools.count; i++)
        list_at_most_at(
            list,
            (struct heading){.name = "packets_available",
                             .subject = list_number(TXTAP_SUBJECT_OBJECT, (uint32_t)network->pools.keys[i])},
            TXTAP_UNIT_COUNT, network->pool[i].least, network->pool[i].at);
}

static const struct check_name names[] = {
    FIGURE("media_opens", CHECK_COUNT, N, OBJECT),
    FIGURE("media_closes", CHECK_COUNT, N, OBJECT),
    FIGURE("media_aborts", CHECK_COUNT, N, OBJECT),
    FIGURE("media_flushes", CHECK_COUNT, N, OBJECT),
    FIGURE("directory_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("directory_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("directory_cache_misses", CHECK_COUNT, N, OBJECT),
    FIGURE("file_opens", CHECK_COUNT, N, OBJECT),
    FIGURE("file_closes", CHECK_COUNT, N, OBJECT),
    FIGURE("file_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("file_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("driver_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("driver_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("logical_sector_cache_misses", CHECK_COUNT, N, OBJECT),
    FIGURE("arp_requests_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("arp_requests_received", CHECK_COUNT, N, OBJECT),
    FIGURE("arp_responses_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("arp_responses_received", CHECK_COUNT, N, OBJECT),
    FIGURE("packet_allocations", CHECK_COUNT, N, OBJECT),
    FIGURE("packet_releases", CHECK_COUNT, N, OBJECT),
    FIGURE("transmit_releases", CHECK_COUNT, N, OBJECT),
    FIGURE("ip_packets_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("ip_packets_received", CHECK_COUNT, N, OBJECT),
    FIGURE("pings_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("pings6_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("icmp_received", CHECK_COUNT, N, OBJECT),
    FIGURE("tcp_client_connections", CHECK_COUNT, N, OBJECT),
    FIGURE("tcp_server_connections", CHECK_COUNT, N, OBJECT),
    FIGURE("tcp_packets_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("tcp_packets_received", CHECK_COUNT, N, OBJECT),
    FIGURE("udp_packets_sent", CHECK_COUNT, N, OBJECT),
    FIGURE("udp_packets_received", CHECK_COUNT, N, OBJECT),
    FIGURE("empty_allocations", CHECK_COUNT, N, SYSTEM),
    FIGURE("invalid_releases", CHECK_COUNT, N, SYSTEM),
    FIGURE("logical_sector_reads", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("logical_sector_writes", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("file_bytes_read", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("file_bytes_written", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("ip_bytes_sent", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("ip_bytes_received", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("tcp_bytes_sent", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("tcp_bytes_received", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("udp_bytes_sent", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("udp_bytes_received", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("packets_available", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("usb_host_transfers", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_device_transfers", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_storage_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_storage_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_disk_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_disk_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_acm_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_acm_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_device_acm_reads", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_device_acm_writes", CHECK_COUNT, N, OBJECT),
    FIGURE("usb_sectors_read", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("usb_sectors_written", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("usb_disk_sectors_read", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("usb_disk_sectors_written", CHECK_COUNT, VALUE, OBJECT),
    FIGURE("usb_device_acm_bytes_asked", CHECK_BYTES, VALUE, OBJECT),
    FIGURE("usb_device_acm_bytes_written", CHECK_BYTES, VALUE, OBJECT),
    {0},
};

const struct analysis_row network_analysis = {
    .section = {"network", "FileX, NetX and USBX"},
    .names = names,
    .state_bytes = sizeof(struct network),
    .layout = layout,
    .open = open,
    .figures = figures,
};
