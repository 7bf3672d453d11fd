/* SPDX-License-Identifier: MIT */
/* Opens any bytes as an ELF file, looks up functions and lines at many addresses, and writes the profile of these
 * addresses in each format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "locate/elf_file.h"
#include "profile/code_map.h"

#define ADDRESSES 24u

static enum txtap_status take(void *self, const char *bytes, size_t length)
{
    uint64_t *sum = self;

    for (size_t i = 0; i < length; i++)
        *sum += (uint8_t)bytes[i];
    return TXTAP_OK;
}

static void check_frames(struct code_map *map, uint32_t pc)
{
    struct txtap_profile_frame frames[TXTAP_PROFILE_FRAMES_MAX];
    size_t count = code_map_frames(map, pc, frames);

    REQUIRE(count <= TXTAP_PROFILE_FRAMES_MAX);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(frames[i].function == NULL || strlen(frames[i].function) < ELF_FILE_BYTES_MAX);
        REQUIRE(frames[i].file == NULL || strlen(frames[i].file) < ELF_FILE_BYTES_MAX);
    }
}

static void check_profile(struct code_map *map)
{
    static struct txtap_profile profile;
    uint64_t sum = 0, samples = 0;
    const struct txtap_writer writer = {.write = take, .self = &sum};

    txtap_profile_init(&profile, (struct txtap_profile_names){.frames = code_map_frames, .self = map});
    for (uint32_t i = 0; i < ADDRESSES; i++)
        txtap_profile_add(&profile, 0x8000 + 2 * i, i % 3 == 0 ? TXTAP_PROFILE_INTERRUPT(15) : 0x20000000);
    for (size_t i = 0; i < profile.row_count; i++)
        samples += profile.rows[i].level == TXTAP_PROFILE_BY_LINE ? profile.rows[i].samples : 0;
    REQUIRE(samples == ADDRESSES);
    REQUIRE(txtap_profile_folded(&profile, writer) == TXTAP_OK && txtap_profile_json(&profile, writer) == TXTAP_OK &&
            txtap_profile_pprof(&profile, writer) == TXTAP_OK && sum > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static int fd = -1;
    char path[32];
    struct error error = {0};
    struct elf_file *elf;
    struct code_map *map;

    if (fd < 0)
        fd = memfd_create("elf", MFD_CLOEXEC);
    REQUIRE(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, length, 0) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (elf_open(&elf, path, &error) != TXTAP_OK)
        return 0;
    map = code_map_open(elf);
    REQUIRE(map != NULL);
    for (uint32_t i = 0; i < ADDRESSES; i++)
        check_frames(map, 0x8000 + 2 * i);
    check_frames(map, length > 60 ? data[60] * 0x01010101u : 0);
    check_profile(map);
    code_map_close(map);
    elf_close(elf);
    return 0;
}
