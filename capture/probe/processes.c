/* SPDX-License-Identifier: MIT */
/* Reads /proc. A process that ends meanwhile, or that belongs to another user, is skipped. */
#include "probe/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define PATH_BYTES 64

static pid_t pid_of(const char *name)
{
    long pid = 0;

    for (; *name >= '0' && *name <= '9' && pid < INT32_MAX / 10; name++)
        pid = pid * 10 + (*name - '0');
    return *name == '\0' ? (pid_t)pid : 0;
}

static bool visit_files(pid_t pid, process_file *visitor, void *self)
{
    char path[PATH_BYTES];
    const struct dirent *entry;
    bool goes_on = true;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    folder = opendir(path);
    while (goes_on && folder != NULL && (entry = readdir(folder)) != NULL) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%.32s", (long)pid, entry->d_name);
        goes_on = entry->d_name[0] == '.' || visitor(self, pid, path);
    }
    if (folder != NULL)
        closedir(folder);
    return goes_on;
}

void processes_visit(process_file *visitor, void *self)
{
    const struct dirent *entry;
    bool goes_on = true;
    DIR *processes = opendir("/proc");

    while (goes_on && processes != NULL && (entry = readdir(processes)) != NULL) {
        pid_t pid = pid_of(entry->d_name);

        if (pid != 0 && pid != getpid())
            goes_on = visit_files(pid, visitor, self);
    }
    if (processes != NULL)
        closedir(processes);
}

size_t process_read(pid_t pid, const char *name, char *text, size_t size)
{
    char path[PATH_BYTES];
    size_t used = 0;
    ssize_t got = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%ld/%.32s", (long)pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    if (fd >= 0)
        close(fd);
    text[used] = '\0';
    return used;
}
