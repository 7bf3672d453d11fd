/* SPDX-License-Identifier: MIT */
/* The work of FileX, NetX and USBX: opens, sectors, packets, and bytes, as their events record them. The figures are
 * totals by object (media, file, socket, ...) and by thread. */
#include "analysis/analyses.h"

#include "txtap/registry.h"

/* The figures that an event adds to: how often the event was recorded, and the sum of one of its words. */
static const struct {
    uint16_t id;
    enum txtap_figure_id count, sum; /* NONE: no such figure */
    enum txtap_unit unit;
    uint8_t word;
} kinds[] = {
    {261, TXTAP_FIGURE_MEDIA_OPENS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {258, TXTAP_FIGURE_MEDIA_CLOSES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {255, TXTAP_FIGURE_MEDIA_ABORTS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {203, TXTAP_FIGURE_MEDIA_FLUSHES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {204, TXTAP_FIGURE_DIRECTORY_READS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {205, TXTAP_FIGURE_DIRECTORY_WRITES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {202, TXTAP_FIGURE_DIRECTORY_CACHE_MISSES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {247, TXTAP_FIGURE_FILE_OPENS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {243, TXTAP_FIGURE_FILE_CLOSES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {248, TXTAP_FIGURE_FILE_READS, TXTAP_FIGURE_FILE_BYTES_READ, TXTAP_UNIT_BYTES, 3},
    {254, TXTAP_FIGURE_FILE_WRITES, TXTAP_FIGURE_FILE_BYTES_WRITTEN, TXTAP_UNIT_BYTES, 3},
    {206, TXTAP_FIGURE_DRIVER_READS, TXTAP_FIGURE_LOGICAL_SECTOR_READS, TXTAP_UNIT_COUNT, 2},
    {207, TXTAP_FIGURE_DRIVER_WRITES, TXTAP_FIGURE_LOGICAL_SECTOR_WRITES, TXTAP_UNIT_COUNT, 2},
    {201, TXTAP_FIGURE_LOGICAL_SECTOR_CACHE_MISSES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {301, TXTAP_FIGURE_ARP_REQUESTS_SENT, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {300, TXTAP_FIGURE_ARP_REQUESTS_RECEIVED, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {303, TXTAP_FIGURE_ARP_RESPONSES_SENT, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {302, TXTAP_FIGURE_ARP_RESPONSES_RECEIVED, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {386, TXTAP_FIGURE_PACKET_ALLOCATIONS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {394, TXTAP_FIGURE_PACKET_RELEASES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {395, TXTAP_FIGURE_TRANSMIT_RELEASES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {309, TXTAP_FIGURE_IP_PACKETS_SENT, TXTAP_FIGURE_IP_BYTES_SENT, TXTAP_UNIT_BYTES, 3},
    {308, TXTAP_FIGURE_IP_PACKETS_RECEIVED, TXTAP_FIGURE_IP_BYTES_RECEIVED, TXTAP_UNIT_BYTES, 3},
    {362, TXTAP_FIGURE_PINGS_SENT, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {471, TXTAP_FIGURE_PINGS6_SENT, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {304, TXTAP_FIGURE_ICMP_RECEIVED, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {401, TXTAP_FIGURE_TCP_CLIENT_CONNECTIONS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {407, TXTAP_FIGURE_TCP_SERVER_CONNECTIONS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {421, TXTAP_FIGURE_TCP_PACKETS_SENT, TXTAP_FIGURE_TCP_BYTES_SENT, TXTAP_UNIT_BYTES, 2},
    {419, TXTAP_FIGURE_TCP_PACKETS_RECEIVED, TXTAP_FIGURE_TCP_BYTES_RECEIVED, TXTAP_UNIT_BYTES, 2},
    {436, TXTAP_FIGURE_UDP_PACKETS_SENT, TXTAP_FIGURE_UDP_BYTES_SENT, TXTAP_UNIT_BYTES, 2},
    {434, TXTAP_FIGURE_UDP_PACKETS_RECEIVED, TXTAP_FIGURE_UDP_BYTES_RECEIVED, TXTAP_UNIT_BYTES, 3},
    {632, TXTAP_FIGURE_USB_HOST_TRANSFERS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {870, TXTAP_FIGURE_USB_DEVICE_TRANSFERS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {786, TXTAP_FIGURE_USB_STORAGE_READS, TXTAP_FIGURE_USB_SECTORS_READ, TXTAP_UNIT_COUNT, 2},
    {787, TXTAP_FIGURE_USB_STORAGE_WRITES, TXTAP_FIGURE_USB_SECTORS_WRITTEN, TXTAP_UNIT_COUNT, 2},
    {977, TXTAP_FIGURE_USB_DISK_READS, TXTAP_FIGURE_USB_DISK_SECTORS_READ, TXTAP_UNIT_COUNT, 3},
    {985, TXTAP_FIGURE_USB_DISK_WRITES, TXTAP_FIGURE_USB_DISK_SECTORS_WRITTEN, TXTAP_UNIT_COUNT, 3},
    {680, TXTAP_FIGURE_USB_ACM_READS, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {683, TXTAP_FIGURE_USB_ACM_WRITES, TXTAP_FIGURE_NONE, TXTAP_UNIT_COUNT, 0},
    {912, TXTAP_FIGURE_USB_DEVICE_ACM_READS, TXTAP_FIGURE_USB_DEVICE_ACM_BYTES_ASKED, TXTAP_UNIT_BYTES, 2},
    {913, TXTAP_FIGURE_USB_DEVICE_ACM_WRITES, TXTAP_FIGURE_USB_DEVICE_ACM_BYTES_WRITTEN, TXTAP_UNIT_BYTES, 2},
};

#define KINDS           (sizeof(kinds) / sizeof(*kinds))
#define ID_FIRST        200u
#define IDS             800u
#define PACKET_RELEASED 394u
#define PACKET_ALLOCATE 386u
#define ALLOCATED       0xAAAAAAAAu /* the status of an allocated packet: nx_packet.h */

struct packet_pool {
    bool seen;
    uint32_t least;
    struct moment at;
};

/* The counters of one kind of event: for all events, for one object, or for one thread. */
struct share {
    uint64_t count, sum;
    uint64_t second;      /* second of the last event, counted from the first event of the trace */
    uint64_t in_second;   /* sum of the words in that second */
    struct moment begins; /* the first event in that second */
    uint64_t most;        /* the largest sum in any second */
    struct moment most_at;
};

struct shares {
    struct table keys; /* keys: kind, and the object's address or the thread's number */
    struct share *of;
};

struct network {
    struct base base;
    uint8_t kind[IDS]; /* index: id - ID_FIRST; value: 1 + index in kinds; 0: no kind */
    struct share all[KINDS];
    uint64_t empty_allocations, invalid_releases;
    struct shares by_object, by_thread;
    struct table pools; /* keys: addresses */
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

/* Returns the ticks per second; 0: unknown. */
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
    sum = kinds[kind].sum != TXTAP_FIGURE_NONE ? event->info[kinds[kind].word] : 0;
    add(network, &network->all[kind], sum, change->now);
    if (kinds[kind].sum != TXTAP_FIGURE_NONE && event->info[0] != 0)
        add_share(network, &network->by_object, kind, event->info[0], sum, change->now);
    if (kinds[kind].sum != TXTAP_FIGURE_NONE && change->thread != NONE)
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
        subject.kind == TXTAP_SUBJECT_THREAD ? "(thread)" : NULL; /* some objects and threads have the same name */
    const struct moment *most_at = second_ticks(network) > 0 ? &share->most_at : NULL;

    list_count(list, (struct heading){.id = kinds[kind].count, .subject = subject, .detail = detail}, share->count);
    if (kinds[kind].sum != TXTAP_FIGURE_NONE)
        list_amount(list, (struct heading){.id = kinds[kind].sum, .subject = subject, .detail = detail},
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
        list_count(list, (struct heading){.id = TXTAP_FIGURE_EMPTY_ALLOCATIONS}, network->empty_allocations);
    if (network->invalid_releases > 0)
        list_count(list, (struct heading){.id = TXTAP_FIGURE_INVALID_RELEASES}, network->invalid_releases);
    for (uint32_t i = 0; i < network->pools.count; i++)
        list_at_most_at(
            list,
            (struct heading){.id = TXTAP_FIGURE_PACKETS_AVAILABLE,
                             .subject = list_number(TXTAP_SUBJECT_OBJECT, (uint32_t)network->pools.keys[i])},
            TXTAP_UNIT_COUNT, network->pool[i].least, network->pool[i].at);
}

static const struct check_name names[] = {
    FIGURE(MEDIA_OPENS, "media_opens", CHECK_COUNT, N, OBJECT),
    FIGURE(MEDIA_CLOSES, "media_closes", CHECK_COUNT, N, OBJECT),
    FIGURE(MEDIA_ABORTS, "media_aborts", CHECK_COUNT, N, OBJECT),
    FIGURE(MEDIA_FLUSHES, "media_flushes", CHECK_COUNT, N, OBJECT),
    FIGURE(DIRECTORY_READS, "directory_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(DIRECTORY_WRITES, "directory_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(DIRECTORY_CACHE_MISSES, "directory_cache_misses", CHECK_COUNT, N, OBJECT),
    FIGURE(FILE_OPENS, "file_opens", CHECK_COUNT, N, OBJECT),
    FIGURE(FILE_CLOSES, "file_closes", CHECK_COUNT, N, OBJECT),
    FIGURE(FILE_READS, "file_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(FILE_WRITES, "file_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(DRIVER_READS, "driver_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(DRIVER_WRITES, "driver_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(LOGICAL_SECTOR_CACHE_MISSES, "logical_sector_cache_misses", CHECK_COUNT, N, OBJECT),
    FIGURE(ARP_REQUESTS_SENT, "arp_requests_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(ARP_REQUESTS_RECEIVED, "arp_requests_received", CHECK_COUNT, N, OBJECT),
    FIGURE(ARP_RESPONSES_SENT, "arp_responses_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(ARP_RESPONSES_RECEIVED, "arp_responses_received", CHECK_COUNT, N, OBJECT),
    FIGURE(PACKET_ALLOCATIONS, "packet_allocations", CHECK_COUNT, N, OBJECT),
    FIGURE(PACKET_RELEASES, "packet_releases", CHECK_COUNT, N, OBJECT),
    FIGURE(TRANSMIT_RELEASES, "transmit_releases", CHECK_COUNT, N, OBJECT),
    FIGURE(IP_PACKETS_SENT, "ip_packets_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(IP_PACKETS_RECEIVED, "ip_packets_received", CHECK_COUNT, N, OBJECT),
    FIGURE(PINGS_SENT, "pings_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(PINGS6_SENT, "pings6_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(ICMP_RECEIVED, "icmp_received", CHECK_COUNT, N, OBJECT),
    FIGURE(TCP_CLIENT_CONNECTIONS, "tcp_client_connections", CHECK_COUNT, N, OBJECT),
    FIGURE(TCP_SERVER_CONNECTIONS, "tcp_server_connections", CHECK_COUNT, N, OBJECT),
    FIGURE(TCP_PACKETS_SENT, "tcp_packets_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(TCP_PACKETS_RECEIVED, "tcp_packets_received", CHECK_COUNT, N, OBJECT),
    FIGURE(UDP_PACKETS_SENT, "udp_packets_sent", CHECK_COUNT, N, OBJECT),
    FIGURE(UDP_PACKETS_RECEIVED, "udp_packets_received", CHECK_COUNT, N, OBJECT),
    FIGURE(EMPTY_ALLOCATIONS, "empty_allocations", CHECK_COUNT, N, SYSTEM),
    FIGURE(INVALID_RELEASES, "invalid_releases", CHECK_COUNT, N, SYSTEM),
    FIGURE(LOGICAL_SECTOR_READS, "logical_sector_reads", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(LOGICAL_SECTOR_WRITES, "logical_sector_writes", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(FILE_BYTES_READ, "file_bytes_read", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(FILE_BYTES_WRITTEN, "file_bytes_written", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(IP_BYTES_SENT, "ip_bytes_sent", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(IP_BYTES_RECEIVED, "ip_bytes_received", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(TCP_BYTES_SENT, "tcp_bytes_sent", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(TCP_BYTES_RECEIVED, "tcp_bytes_received", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(UDP_BYTES_SENT, "udp_bytes_sent", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(UDP_BYTES_RECEIVED, "udp_bytes_received", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(PACKETS_AVAILABLE, "packets_available", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(USB_HOST_TRANSFERS, "usb_host_transfers", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_DEVICE_TRANSFERS, "usb_device_transfers", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_STORAGE_READS, "usb_storage_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_STORAGE_WRITES, "usb_storage_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_DISK_READS, "usb_disk_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_DISK_WRITES, "usb_disk_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_ACM_READS, "usb_acm_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_ACM_WRITES, "usb_acm_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_DEVICE_ACM_READS, "usb_device_acm_reads", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_DEVICE_ACM_WRITES, "usb_device_acm_writes", CHECK_COUNT, N, OBJECT),
    FIGURE(USB_SECTORS_READ, "usb_sectors_read", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(USB_SECTORS_WRITTEN, "usb_sectors_written", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(USB_DISK_SECTORS_READ, "usb_disk_sectors_read", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(USB_DISK_SECTORS_WRITTEN, "usb_disk_sectors_written", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(USB_DEVICE_ACM_BYTES_ASKED, "usb_device_acm_bytes_asked", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(USB_DEVICE_ACM_BYTES_WRITTEN, "usb_device_acm_bytes_written", CHECK_BYTES, VALUE, OBJECT),
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
