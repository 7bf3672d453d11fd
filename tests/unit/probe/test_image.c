/* SPDX-License-Identifier: MIT */
#include "probe/image.h"
#include "error_line.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <criterion/criterion.h>

#ifdef __SANITIZE_ADDRESS__ /* the sanitizer needs memory, too */
#define MEMORY_LIMIT RLIM_INFINITY
#else
#define MEMORY_LIMIT (IMAGE_BYTES_MAX / 4 * 7)
#endif

/* Makes a file in memory. Returns its descriptor, and its path in `path`. */
static int file_of(char path[static 32], const void *bytes, size_t length)
{
    int fd = memfd_create("image", MFD_CLOEXEC);

    cr_assert(fd >= 0);
    cr_assert(write(fd, bytes, length) == (ssize_t)length);
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

static enum txtap_status read_one(struct txtap_source source, uint32_t address, uint8_t *bytes, uint32_t length)
{
    struct txtap_read read = {address, length, bytes};

    return source.ops->read(source.self, &read, 1);
}

static void open_fails(const char *path, uint32_t base, enum txtap_status expected, const char *words)
{
    struct error error = {0};
    struct image_source *image;
    enum txtap_status status = image_open(&image, path, base, &error);

    cr_assert(status == expected, "%d: %s", status, error_line(&error));
    cr_assert(image == NULL);
    cr_assert(strstr(error_line(&error), words) != NULL, "%s", error_line(&error));
}

Test(image, reads_ranges_inside_and_refuses_all_others)
{
    uint8_t bytes[256], copy[256];
    char path[32];
    struct error error;
    struct image_source *image;
    struct txtap_source source;

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    int fd = file_of(path, bytes, 254); /* not a whole number of words; some dumps are like this */

    cr_assert(image_open(&image, path, 0x20000000, &error) == TXTAP_OK, "%s", error_line(&error));
    close(fd); /* the image must not need the file any more */
    source = image_source_of(image);
    cr_assert(read_one(source, 0x20000000, copy, 252) == TXTAP_OK);
    cr_assert(memcmp(copy, bytes, 252) == 0);
    cr_assert(read_one(source, 0x20000010, copy, 4) == TXTAP_OK);
    cr_assert_eq(copy[0], 16);
    cr_assert(read_one(source, 0x200000fc, copy, 4) == ERROR_FAULT);
    cr_assert(strstr(source.ops->error_text(source.self), "0x200000fc to 0x20000100") != NULL);
    cr_assert(strstr(source.ops->error_text(source.self), "0x20000000 to 0x200000fe") != NULL);
    cr_assert(read_one(source, 0x1ffffffc, copy, 4) == ERROR_FAULT);
    cr_assert(read_one(source, 0xfffffffc, copy, 4) == ERROR_FAULT);
    cr_assert(read_one(source, 0x20000000, copy, 0xfffffffc) == ERROR_FAULT);
    cr_assert_eq(image_region(image).start, 0x20000000);
    cr_assert_eq(image_region(image).size, 254);
    source.ops->close(source.self);
}

Test(image, may_end_at_the_last_address_but_not_past_it)
{
    static const uint8_t bytes[256];
    uint8_t copy[16];
    char path[32];
    struct error error;
    struct image_source *image;
    int fd = file_of(path, bytes, sizeof bytes);

    cr_assert(image_open(&image, path, 0xffffff00, &error) == TXTAP_OK, "%s", error_line(&error));
    struct txtap_source source = image_source_of(image);

    cr_assert(read_one(source, 0xfffffff0, copy, 16) == TXTAP_OK);
    source.ops->close(source.self);
    open_fails(path, 0xffffff04, TXTAP_ERROR_USAGE, "beyond the last address");
    close(fd);
}

Test(image, reads_standard_input)
{
    char text[] = "0123456789abcdef";
    uint8_t copy[16];
    struct error error;
    struct image_source *image;
    int ends[2];

    cr_assert(pipe(ends) == 0);
    cr_assert(write(ends[1], text, 16) == 16);
    close(ends[1]);
    cr_assert(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    cr_assert(image_open(&image, "-", 0, &error) == TXTAP_OK, "%s", error_line(&error));
    cr_assert_eq(image_region(image).size, 16);
    cr_assert(read_one(image_source_of(image), 0, copy, 16) == TXTAP_OK);
    cr_assert(memcmp(copy, text, 16) == 0);
    image_source_of(image).ops->close(image);
}

Test(image, limits_its_memory_for_an_endless_stream)
{
    struct rlimit limit = {MEMORY_LIMIT, MEMORY_LIMIT};

    cr_assert(setrlimit(RLIMIT_AS, &limit) == 0);
    open_fails("/dev/zero", 0, TXTAP_ERROR_SPACE, "larger than 256 MiB");
}

Test(image, says_why_a_file_cannot_be_an_image)
{
    char path[32];
    int fd = file_of(path, "", 0);

    open_fails(path, 0, TXTAP_ERROR_TRUNCATED, "empty");
    cr_assert(ftruncate(fd, (off_t)IMAGE_BYTES_MAX + 1) == 0); /* a hole in the file, which takes no disk space */
    open_fails(path, 0, TXTAP_ERROR_SPACE, "larger than 256 MiB");
    close(fd);
    open_fails("/nonexistent/image", 0, TXTAP_ERROR_SYSTEM, "No such file");
    open_fails("/", 0, TXTAP_ERROR_SYSTEM, "Is a directory");
}
