/* SPDX-License-Identifier: MIT */
/* The folders of boards, and files that txtap keeps for itself. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own_file.h"
#include "error_line.h"
#include "store/board_folders.h"

static char root[] = "/tmp/txtap-folders-XXXXXX";
static struct error error;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(root));
}

/* The test runs in its own process, so that the folder's name can be used in a command. */
static void end(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", root);
    cr_assert_eq(system(command), 0);
}

static const char *below(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void expect_name(const char *lab, const char *folder, const char *name)
{
    char *found = board_folder_name(lab, folder);

    cr_expect_str_eq(found, name);
    free(found);
}

Test(board_folders, a_board_has_the_path_below_the_lab, .init = begin, .fini = end)
{
    expect_name("lab", "lab/b1", "b1");
    expect_name("lab/", "lab/b1", "b1");
    expect_name("lab", "lab/host/b1", "host/b1");
}

Test(board_folders, the_lab_itself_has_its_own_name, .init = begin, .fini = end)
{
    cr_assert_eq(mkdir(below("alone"), 0777), 0);
    expect_name(below("alone"), below("alone"), "alone");
    expect_name(below("alone/."), below("alone/."), "alone");
}

Test(board_folders, folders_without_recordings_are_no_boards, .init = begin, .fini = end)
{
    struct board_folders folders;
    const struct board_folder *board = NULL;

    cr_assert_eq(mkdir(below("empty"), 0777), 0);
    cr_assert_eq(own_file_write(below("empty/a.rec"), "text", 4, &error), TXTAP_OK);
    cr_assert_eq(board_folders_open(&folders, root, &error), TXTAP_OK);
    cr_expect_eq(folders.count, 0);
    cr_expect_null(board_folders_find(&folders, below("empty/a.rec"), &board));
    board_folders_close(&folders);
}

Test(board_folders, an_absent_folder_is_an_error, .init = begin, .fini = end)
{
    struct board_folders folders;

    cr_expect_eq(board_folders_open(&folders, below("absent"), &error), TXTAP_ERROR_SYSTEM);
    cr_expect(error_is_set(&error));
}

/* ---- own files ---- */

static void expect_text(const char *path, const char *text)
{
    size_t length = 0;
    char *read = own_file_read(path, 100, &length);

    cr_expect_str_eq(read != NULL ? read : "(none)", text);
    free(read);
}

Test(own_file, a_file_is_replaced, .init = begin, .fini = end)
{
    cr_assert_eq(own_file_write(below("file"), "first", 5, &error), TXTAP_OK);
    cr_assert_eq(own_file_write(below("file"), "next", 4, &error), TXTAP_OK);
    expect_text(below("file"), "next");
}

Test(own_file, a_link_is_replaced_and_not_followed, .init = begin, .fini = end)
{
    cr_assert_eq(own_file_write(below("victim"), "victim", 6, &error), TXTAP_OK);
    cr_assert_eq(symlink("victim", below("link")), 0);
    cr_assert_eq(own_file_write(below("link"), "own", 3, &error), TXTAP_OK);
    expect_text(below("victim"), "victim");
    expect_text(below("link"), "own");
}

Test(own_file, a_folder_in_its_place_is_an_error_that_leaves_no_file, .init = begin, .fini = end)
{
    cr_assert_eq(mkdir(below("folder"), 0777), 0);
    cr_expect_eq(own_file_write(below("folder"), "own", 3, &error), TXTAP_ERROR_SYSTEM);
    cr_expect(error_is_set(&error));
    cr_expect_eq(rmdir(below("folder")), 0);
    cr_expect_eq(rmdir(root), 0, "nothing else is in it");
    cr_assert_eq(mkdir(root, 0777), 0);
}
