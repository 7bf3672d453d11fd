/* SPDX-License-Identifier: MIT */
/* Gives any bytes to the parser of a lab's file. A board has a valid name and only options of the list, and an error
 * names the file and a line. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lab/lab_file.h"

static void check_name(const char *name)
{
    REQUIRE(*name != '\0' && *name != '.' && *name != '-' && strlen(name) < LAB_NAME_BYTES);
    for (; *name != '\0'; name++)
        REQUIRE(isalnum((unsigned char)*name) || strchr("._-", *name) != NULL);
}

static void check_word(const char *word)
{
    size_t length = strcspn(word, "=");
    const char *name;
    bool known = false;

    REQUIRE(strncmp(word, "--", 2) == 0 && length > 2);
    for (size_t i = 0; (name = lab_file_option(i)) != NULL; i++)
        known = known || (strlen(name) == length - 2 && strncmp(name, word + 2, length - 2) == 0);
    REQUIRE(known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct lab_file file;
    struct error error = {0};
    char *text = malloc(length + 1);

    REQUIRE(text != NULL);
    memcpy(text, data, length);
    if (lab_file_parse(&file, "L", "/f", text, length, &error) != TXTAP_OK) {
        REQUIRE(error.status == TXTAP_ERROR_USAGE && strncmp(error.what, "L:", 2) == 0 &&
                isdigit((unsigned char)error.what[2]));
        REQUIRE(file.boards == NULL && file.store == NULL);
        free(text);
        return 0;
    }
    REQUIRE(file.board_count >= 1 && file.board_count <= LAB_BOARDS_MAX && file.store[0] == '/');
    for (size_t i = 0; i < file.board_count; i++) {
        const struct board_setup *board = &file.boards[i];

        check_name(board->name);
        REQUIRE(board->store[0] == '/' && board->word_count <= LAB_WORDS_MAX && board_setup_equal(board, board));
        for (size_t word = 0; word < board->word_count; word++)
            check_word(board->words[word]);
    }
    lab_file_free(&file);
    free(text);
    return 0;
}
