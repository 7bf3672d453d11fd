/* SPDX-License-Identifier: MIT */
/* Anyone who can read a token file can see the trace. So txtap uses a token file only if no other user can have read or
 * written the file. */
#include "view/token.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_DIGITS (REQUEST_TOKEN_BYTES - 1)
#define FILE_BYTES   (TOKEN_DIGITS + 1) /* plus a line feed */
#define NAME_BYTES   sizeof "view-65535.token"
#define FOR_OTHERS   (S_IRWXG | S_IRWXO)
#define HINT         "the address is another one at each start"

bool token_new(char token[static REQUEST_TOKEN_BYTES])
{
    uint8_t bytes[TOKEN_DIGITS / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* ---- the directory ---- */

static bool is_absolute(const char *path)
{
    return path != NULL && path[0] == '/';
}

/* Reports whether the directory belongs to the user. Under sudo, the environment variable may name another user's
 * directory. */
static bool is_own_directory(const char *path)
{
    struct stat about;

    return is_absolute(path) && stat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid();
}

/* Returns false if no environment variable names a directory. */
static bool choose_directory(char path[static PATH_MAX])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    if (is_own_directory(runtime))
        length = snprintf(path, PATH_MAX, "%s/txtap", runtime);
    else if (is_absolute(state))
        length = snprintf(path, PATH_MAX, "%s/txtap", state);
    else if (is_absolute(home))
        length = snprintf(path, PATH_MAX, "%s/.local/state/txtap", home);
    else
        return false;
    return length < PATH_MAX;
}

/* Makes missing directories. Errors are ignored, because opening the directory will fail then. */
static void make_directories(char path[static PATH_MAX])
{
    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)mkdir(path, S_IRWXU);
        *at = '/';
    }
    (void)mkdir(path, S_IRWXU);
}

static enum txtap_status refuse(struct error *error, const char *path, const char *name)
{
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.180s/%s: others may read it, or it is not yours: not used\ndelete it: until then " HINT, path,
                   name);
}

static enum txtap_status refuse_system(struct error *error, const char *path, const char *name)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "%.180s/%s: the page's address cannot be kept: %s\n" HINT, path, name,
                   strerror(errno));
}

static bool is_private(int fd, mode_t type)
{
    struct stat about;

    return fstat(fd, &about) == 0 && (about.st_mode & S_IFMT) == type && about.st_uid == geteuid() &&
           (about.st_mode & FOR_OTHERS) == 0;
}

static enum txtap_status open_directory(int *fd, char path[static PATH_MAX], struct error *error)
{
    if (!choose_directory(path))
        return failure(error, TXTAP_ERROR_SYSTEM,
                       "neither XDG_STATE_HOME nor HOME says where to keep the page's "
                       "address\n" HINT);
    make_directories(path);
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*fd < 0)
        return refuse_system(error, path, "");
    if (is_private(*fd, S_IFDIR))
        return TXTAP_OK;
    close(*fd);
    return refuse(error, path, "");
}

/* ---- the file ---- */

/* Reads the token from a file that was written completely by one write. */
static bool read_token(int fd, char token[static REQUEST_TOKEN_BYTES])
{
    char text[FILE_BYTES + 1];

    if (read(fd, text, sizeof text) != FILE_BYTES || text[TOKEN_DIGITS] != '\n')
        return false;
    text[TOKEN_DIGITS] = '\0';
    if (strspn(text, "0123456789abcdef") != TOKEN_DIGITS)
        return false;
    memcpy(token, text, REQUEST_TOKEN_BYTES);
    return true;
}

/* Makes the file. Returns false on failure: errno has the cause; EEXIST: another txtap made the file first. */
static bool make_file(int directory, const char *name, char token[static REQUEST_TOKEN_BYTES])
{
    char text[FILE_BYTES + 1];
    int fd, cause;
    bool whole;

    if (!token_new(token))
        return false;
    fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return false;
    snprintf(text, sizeof text, "%s\n", token);
    errno = ENOSPC; /* for a short write */
    whole = write(fd, text, FILE_BYTES) == FILE_BYTES;
    cause = errno;
    close(fd);
    if (!whole)
        (void)unlinkat(directory, name, 0);
    errno = cause;
    return whole;
}

/* Returns TXTAP_AGAIN if the file does not exist. *damaged: true if the file contains no token. */
static enum txtap_status read_file(int directory, const char *path, const char *name,
                                   char token[static REQUEST_TOKEN_BYTES], bool *damaged, struct error *error)
{
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    enum txtap_status status = TXTAP_OK;

    if (fd < 0)
        return errno == ENOENT ? TXTAP_AGAIN : refuse_system(error, path, name);
    if (!is_private(fd, S_IFREG))
        status = refuse(error, path, name);
    else
        *damaged = !read_token(fd, token);
    close(fd);
    return status;
}

static enum txtap_status keep_in(int directory, const char *path, const char *name,
                                 char token[static REQUEST_TOKEN_BYTES], struct error *error)
{
    bool damaged = false;
    enum txtap_status status = read_file(directory, path, name, token, &damaged, error);

    if (status == TXTAP_OK && damaged && unlinkat(directory, name, 0) != 0)
        return refuse_system(error, path, name);
    if (status == TXTAP_AGAIN || damaged)
        status = make_file(directory, name, token) ? TXTAP_OK : refuse_system(error, path, name);
    if (status == TXTAP_OK && damaged)
        (void)failure(error, TXTAP_ERROR_SYSTEM, "%.180s/%s: damaged, and replaced\nthe page has another address now",
                      path, name);
    return status;
}

enum txtap_status token_keep(uint16_t port, char token[static REQUEST_TOKEN_BYTES], struct error *error)
{
    char path[PATH_MAX], name[NAME_BYTES];
    int directory = -1;
    enum txtap_status status = open_directory(&directory, path, error);

    if (status != TXTAP_OK)
        return status;
    snprintf(name, sizeof name, "view-%u.token", (unsigned)port);
    status = keep_in(directory, path, name, token, error);
    close(directory);
    return status;
}
