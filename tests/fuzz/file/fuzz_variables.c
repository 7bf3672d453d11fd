/* SPDX-License-Identifier: MIT */
/*
 * Finds variables in any debug information, and reads them from a target with any memory. Input: 1 byte (bit 0: big
 * endian; the other bits choose the variables), the lengths of .debug_abbrev and .debug_info in 2 bytes each, these
 * sections, and .debug_str. The bytes of the input are also the memory.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "locate/elf_file.h"
#include "variables/variable_guest.h"

#define RAM         0x20000000u
#define RAM_BYTES   0x1000u
#define FILE_BYTES  16384u
#define SECTIONS    6u
#define HEAD_BYTES  52u
#define TABLE_BYTES (SECTIONS * 40u)

static const char names[] = "\0.shstrtab\0.debug_abbrev\0.debug_info\0.debug_str\0.data";
static uint8_t file[FILE_BYTES];
static bool big;

static void put(size_t at, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        file[at + i] = (uint8_t)(value >> 8 * (big ? bytes - 1 - i : i));
}

static void put_section(size_t number, uint32_t name, uint32_t type, uint32_t address, size_t at, size_t bytes)
{
    const uint32_t words[10] = {
        name, type, type == 8 ? 3 : 0, address, (uint32_t)at, (uint32_t)bytes, 0, 0 /* no info */, 1, 0};

    for (size_t i = 0; i < 10; i++)
        put(HEAD_BYTES + number * 40 + 4 * i, words[i], 4);
}

/* Makes an ELF file of the sections. Returns its length. */
static size_t make_file(const uint8_t *abbrev, size_t abbrev_bytes, const uint8_t *info, size_t info_bytes,
                        const uint8_t *str, size_t str_bytes)
{
    static const uint8_t ident[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    size_t at = HEAD_BYTES + TABLE_BYTES;

    memset(file, 0, HEAD_BYTES + TABLE_BYTES);
    memcpy(file, ident, sizeof ident);
    file[5] = big ? 2 : 1;
    put(16, 2, 2);
    put(18, 40, 2);
    put(20, 1, 4);
    put(32, HEAD_BYTES, 4);
    put(40, HEAD_BYTES, 2);
    put(46, 40, 2);
    put(48, SECTIONS, 2);
    put(50, 1, 2);
    put_section(1, 1, 3, 0, at, sizeof names);
    memcpy(file + at, names, sizeof names);
    at += sizeof names;
    put_section(2, 11, 1, 0, at, abbrev_bytes);
    memcpy(file + at, abbrev, abbrev_bytes);
    at += abbrev_bytes;
    put_section(3, 25, 1, 0, at, info_bytes);
    memcpy(file + at, info, info_bytes);
    at += info_bytes;
    put_section(4, 37, 1, 0, at, str_bytes);
    memcpy(file + at, str, str_bytes);
    at += str_bytes;
    put_section(5, 48, 8, RAM, at, RAM_BYTES);
    return at;
}

/* ---- the target ---- */

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    (void)self;
    return address >= RAM && address - RAM < RAM_BYTES && bytes <= RAM_BYTES - (address - RAM);
}

static enum variables_renewed renew(void *self, struct variable *variables)
{
    (void)self;
    (void)variables;
    return VARIABLES_SAME;
}

static struct variable_guest guest;
static struct sample_queue queue;
static struct txtap_channels channels;

static void exchange(const uint8_t *memory, size_t length, uint64_t now)
{
    struct txtap_read reads[16];
    uint32_t total = 0;
    size_t count = variable_guest_ops.plan(&guest, reads, 16, 256, now);

    REQUIRE(count <= 16);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(permits(NULL, reads[i].address, reads[i].length) && reads[i].length > 0);
        REQUIRE(reads[i].address % 4 == 0 && reads[i].length % 4 == 0);
        total += reads[i].length;
        for (uint32_t at = 0; at < reads[i].length; at++)
            reads[i].buffer[at] = memory[(reads[i].address + at) % length];
    }
    REQUIRE(total <= 256);
    if (count > 0 && memory[now % length] < 16)
        variable_guest_ops.failed(&guest, &queue, now, now + 5);
    else if (count > 0)
        variable_guest_ops.commit(&guest, &queue, now, now + 5);
}

static void read_variables(const struct variable_requests *requests, const struct variable *variables,
                           const uint8_t *memory, size_t length)
{
    struct error error = {0};

    memset(&channels, 0, offsetof(struct txtap_channels, at));
    queue.count = 0;
    if (variable_guest_open(&guest, requests, variables, (struct variable_guest_memory){permits, renew, NULL},
                            &channels, 0, &error) != TXTAP_OK) {
        REQUIRE(error_is_set(&error));
        return;
    }
    for (uint64_t i = 0; i < 6; i++)
        exchange(memory, length, i * 100000);
    for (size_t i = 0; i < queue.count; i++) {
        const struct txtap_sample sample = {
            .channel = queue.waiting[i].channel, .state = queue.waiting[i].state, .bits = queue.waiting[i].bits};
        char text[TXTAP_SAMPLE_VALUE_BYTES];

        REQUIRE(txtap_sample_value_text(&sample, text) < sizeof text);
    }
}

/* ---- all ---- */

static void find(const struct elf_file *elf, const char *list, const uint8_t *memory, size_t length)
{
    static struct variable variables[VARIABLES_MAX];
    static struct variable_requests requests;
    struct error error = {0};
    enum txtap_status status;

    requests.count = 0;
    REQUIRE(variable_requests_add(&requests, list, &error));
    status = variables_find(variables, &requests, elf, &error);
    REQUIRE((status == TXTAP_OK) == !error_is_set(&error) && strchr(error.what, '\n') == NULL);
    for (size_t i = 0; i < requests.count && status == TXTAP_OK; i++) {
        const struct variable *variable = &variables[i];

        REQUIRE(variable->bytes >= 1 && variable->bytes <= 8 && variable->bits >= 1 &&
                variable->shift + variable->bits <= 8 * variable->bytes);
        REQUIRE((uint64_t)variable->address + (variable->follows ? 4 : variable->bytes) <= UINT64_C(1) << 32);
        for (uint32_t j = 1; variable->form == TXTAP_FORM_STATE && j < variable->word_count; j++)
            REQUIRE(variable->words[j - 1].number < variable->words[j].number);
    }
    if (status == TXTAP_OK)
        read_variables(&requests, variables, memory, length);
    variables_free(variables, VARIABLES_MAX);
}

static void find_some(const struct elf_file *elf, unsigned choice, const uint8_t *memory, size_t length)
{
    static const char *const lists[] = {"a.b",     "a.f",        "a.e,p->b", "a.g[1][2]:hex", "*p",   "p[1].w",
                                        "a.n->d",  "a.c.x:bool", "s",        "f::s",          "n::v", "a.u",
                                        "x.c:s@9", "d!V",        "a.l[3]"};

    find(elf, lists[choice % (sizeof lists / sizeof lists[0])], memory, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static int fd = -1;
    size_t abbrev, info;
    unsigned choice;
    struct error error = {0};
    struct elf_file *elf;
    char path[32];

    if (length < 5 || length > 8192)
        return 0;
    big = (data[0] & 1) != 0;
    choice = data[0] >> 1;
    abbrev = data[1] | (size_t)data[2] << 8;
    info = data[3] | (size_t)data[4] << 8;
    if (abbrev > length - 5 || info > length - 5 - abbrev)
        return 0;
    if (fd < 0)
        fd = memfd_create("elf", MFD_CLOEXEC);
    length = make_file(data + 5, abbrev, data + 5 + abbrev, info, data + 5 + abbrev + info, length - 5 - abbrev - info);
    REQUIRE(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, file, length, 0) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    REQUIRE(elf_open(&elf, path, &error) == TXTAP_OK);
    find_some(elf, choice, file, length);
    elf_close(elf);
    return 0;
}
