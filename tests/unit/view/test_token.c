/* SPDX-License-Identifier: MIT */
/* Files that store a token, in a directory that only this test uses. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_line.h"
#include "view/token.h"

#define PATH_BYTES 128

static char root[] = "/tmp/txtap-token-XXXXXX";
static char folder[PATH_BYTES], file[2 * PATH_BYTES];
static char token[REQUEST_TOKEN_BYTES], second[REQUEST_TOKEN_BYTES];
static struct error error;

static void begin(void)
{
    cr_assert(mkdtemp(root) != NULL);
    setenv("XDG_RUNTIME_DIR", root, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    snprintf(folder, sizeof folder, "%s/txtap", root);
    snprintf(file, sizeof file, "%s/view-8080.token", folder);
    memset(&error, 0, sizeof error);
}

static void end(void)
{
    char command[PATH_BYTES + 16];

    snprintf(command, sizeof command, "rm -rf '%s'", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(token, .init = begin, .fini = end);

static void put_file(const char *text, size_t length, mode_t mode)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    cr_assert(fd >= 0 && write(fd, text, length) == (ssize_t)length && fchmod(fd, mode) == 0 && close(fd) == 0);
}

static mode_t mode_of(const char *path)
{
    struct stat about;

    cr_assert_eq(lstat(path, &about), 0, "%s", path);
    return about.st_mode & 07777;
}

static void refuses(const char *what)
{
    cr_assert_eq(token_keep(8080, second, &error), TXTAP_ERROR_SYSTEM);
    cr_assert(strstr(error_line(&error), what) != NULL, "%s", error_line(&error));
    cr_assert(strstr(error_line(&error), "another one at each start") != NULL, "%s", error_line(&error));
}

Test(token, is_the_same_at_the_next_start)
{
    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    cr_assert(strlen(token) == 32 && strspn(token, "0123456789abcdef") == 32);
    cr_assert_eq(token_keep(8080, second, &error), TXTAP_OK);
    cr_assert_str_eq(second, token);
    cr_assert(!error_is_set(&error));
}

Test(token, differs_for_another_port)
{
    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    cr_assert_eq(token_keep(808, second, &error), TXTAP_OK);
    cr_assert_str_neq(second, token);
}

Test(token, no_other_user_may_read_the_file_whatever_the_umask)
{
    umask(0);
    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    cr_assert_eq(mode_of(folder), 0700);
    cr_assert_eq(mode_of(file), 0600);
}

Test(token, without_a_runtime_directory_it_is_in_the_state_directory)
{
    snprintf(folder, sizeof folder, "%s/not/yet", root);
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_RUNTIME_DIR", "/nobody/made/this", 1);
    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    snprintf(file, sizeof file, "%s/txtap/view-8080.token", folder);
    cr_assert_eq(mode_of(file), 0600);

    setenv("HOME", root, 1);
    setenv("XDG_STATE_HOME", "relative", 1);
    unsetenv("XDG_RUNTIME_DIR");
    cr_assert_eq(token_keep(8080, second, &error), TXTAP_OK);
    snprintf(file, sizeof file, "%s/.local/state/txtap/view-8080.token", root);
    cr_assert_eq(mode_of(file), 0600);
    cr_assert_str_neq(second, token);
}

Test(token, is_not_kept_where_no_directory_can_be_made)
{
    unsetenv("XDG_RUNTIME_DIR");
    refuses("neither XDG_STATE_HOME nor HOME");
    setenv("XDG_STATE_HOME", "/dev/null/state", 1);
    refuses("Not a directory");
}

Test(token, a_damaged_file_is_replaced_with_a_message)
{
    static const char *const damaged[] = {"",
                                          "\n",
                                          "0123456789abcdef0123456789abcdef",
                                          "0123456789abcdef0123456789abcde\n",
                                          "0123456789abcdef0123456789abcdef0\n",
                                          "0123456789ABCDEF0123456789ABCDEF\n",
                                          "0123456789abcdef0123456789abcdef\n\n",
                                          "../../../../../../../../../../..\n"};
    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        put_file(damaged[i], strlen(damaged[i]), 0600);
        cr_assert_eq(token_keep(8080, second, &error), TXTAP_OK, "%s", damaged[i]);
        cr_assert(strstr(error_line(&error), "damaged, and replaced") != NULL, "%s", error_line(&error));
        cr_assert_str_neq(second, token);
        memset(&error, 0, sizeof error);
        cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
        cr_assert_str_eq(token, second);
        cr_assert(!error_is_set(&error));
    }
}

Test(token, a_file_that_others_may_read_is_refused)
{
    static const mode_t modes[] = {0640, 0604, 0620, 0666};
    static const char text[] = "0123456789abcdef0123456789abcdef\n";

    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put_file(text, sizeof text - 1, modes[i]);
        refuses("others may read it");
        cr_assert_eq(mode_of(file), modes[i], "it stays as it is");
    }
}

Test(token, a_directory_that_others_may_read_is_refused)
{
    cr_assert(mkdir(folder, 0700) == 0 && chmod(folder, 0750) == 0);
    refuses("others may read it");
    cr_assert_eq(mode_of(folder), 0750);
}

Test(token, a_link_is_not_followed)
{
    char target[PATH_BYTES];

    snprintf(target, sizeof target, "%s/target", root);
    cr_assert(mkdir(folder, 0700) == 0 && symlink(target, file) == 0);
    refuses("symbolic links");
    cr_assert_neq(access(target, F_OK), 0, "nothing is made where it points to");
    cr_assert(unlink(file) == 0 && rmdir(folder) == 0 && mkdir(target, 0700) == 0 && symlink(target, folder) == 0);
    refuses("Not a directory");
}

Test(token, a_directory_entry_that_is_no_file_is_refused)
{
    cr_assert(mkdir(folder, 0700) == 0 && mkfifo(file, 0600) == 0);
    refuses("not yours");
    cr_assert(unlink(file) == 0 && mkdir(file, 0700) == 0);
    refuses("not yours");
}

Test(token, a_file_of_another_user_is_refused)
{
    if (geteuid() != 0)
        cr_skip("only root can give a file away");
    cr_assert_eq(token_keep(8080, token, &error), TXTAP_OK);
    cr_assert_eq(chown(file, 1, (gid_t)-1), 0);
    refuses("not yours");
    cr_assert_eq(chown(folder, 1, (gid_t)-1), 0);
    refuses("not yours");
    cr_assert_eq(chown(root, 1, (gid_t)-1), 0);
    refuses("neither XDG_STATE_HOME nor HOME");
}
