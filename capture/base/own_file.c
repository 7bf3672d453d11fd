/* SPDX-License-Identifier: MIT */
/* Opens a file without following a link, and reads it only if it belongs to the user. */
#include "base/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"

char *own_file_read(const char *path, size_t most, size_t *length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat about;
    char *text = NULL;
    ssize_t got = -1;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() && about.st_size > 0 &&
        about.st_size <= (off_t)most)
        text = malloc((size_t)about.st_size + 1);
    if (text != NULL)
        got = read(fd, text, (size_t)about.st_size);
    close(fd);
    if (got <= 0 || got != about.st_size) {
        free(text);
        return NULL;
    }
    text[got] = '\0';
    *length = (size_t)got;
    return text;
}

enum txtap_status own_file_write(const char *path, const void *bytes, size_t length, struct error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t room = strlen(path) + sizeof "..XXXXXX";
    char *temporary = malloc(room);
    mode_t mask = umask(0);
    bool good;
    int fd;

    umask(mask);
    if (temporary == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to write it", path);
    snprintf(temporary, room, "%.*s.%s.XXXXXX", (int)(name - path), path, name + (*name == '.'));
    fd = mkostemp(temporary, O_CLOEXEC);
    good = fd >= 0 && write_bytes(fd, bytes, length) == length && fchmod(fd, 0666 & ~mask) == 0;
    if (fd >= 0)
        good = close(fd) == 0 && good;
    good = good && rename(temporary, path) == 0;
    if (!good) {
        (void)failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", path, strerror(errno));
        if (fd >= 0)
            (void)unlink(temporary);
    }
    free(temporary);
    return good ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}
