/* SPDX-License-Identifier: MIT */
/*
 * main() of each test program, and the functions that Criterion's headers declare and these tests call: libcriterion is
 * not linked. Criterion executes the program again for each case, which loads thirty libraries and maps the sanitizer's
 * memory: that took longer than most cases. Here each case is a fork.
 */
#include <criterion/criterion.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of a case's process. A case that expects a status expects another one. */
#define STATUS_FAILED  98
#define STATUS_SKIPPED 99

#define USAGE                                                                                                          \
    "Usage: %s [--list] [--fail-fast] [TEST | 'SUITE/CASE']...\n"                                                      \
    "Runs the cases of this program: all, those of TEST (test_TEST.c), or those whose names match.\n"

/* Pointers that Test() and TestSuite() put into sections; the linker knows where those begin and end. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[] __attribute__((weak)), *__stop_cr_sts[] __attribute__((weak));

static struct criterion_test *current;
static jmp_buf aborted;
static bool in_main;
static bool failed;

/* ---- what the headers declare ---- */

void cri_asserts_passed_incr(void)
{
}

char *cr_translate_assert_msg(int kind, ...)
{
    static const char *const formats[] = {
        [CRITERION_ASSERT_MSG_FAIL] = "failed%.0s",
        [CRITERION_ASSERT_MSG_EXPR_AS_STRINGS_FALSE] = "false, as strings: %s",
        [CRITERION_ASSERT_MSG_IS_NULL] = "null: %s",
        [CRITERION_ASSERT_MSG_IS_NOT_NULL] = "not null: %s",
        [CRITERION_ASSERT_MSG_IS_EMPTY] = "empty: %s",
        [CRITERION_ASSERT_MSG_IS_NOT_EMPTY] = "not empty: %s",
    };
    bool known = (size_t)kind < sizeof formats / sizeof *formats && formats[kind];
    va_list values;
    va_start(values, kind);
    const char *expression = va_arg(values, const char *);
    va_end(values);

    char *message = NULL;
    return asprintf(&message, known ? formats[kind] : "false: %s", expression) < 0 ? NULL : message;
}

void cr_asprintf_free(char *text)
{
    free(text);
}

void criterion_send_assert(struct criterion_assert_stats *assertion)
{
    failed = true;
    printf("%s:%u: %s: %s\n", assertion->file, assertion->line, current->data->identifier_, assertion->message);
}

void criterion_continue_test(void)
{
}

void criterion_abort_test(void)
{
    if (in_main)
        longjmp(aborted, 1);
    exit(STATUS_FAILED);
}

void criterion_skip_test(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("%s: skipped: ", current->data->identifier_);
    vprintf(format, values);
    puts("");
    va_end(values);
    exit(STATUS_SKIPPED);
}

static const struct criterion_test_extra_data *suite_data(void)
{
    static const struct criterion_test_extra_data nothing;

    for (struct criterion_suite **suite = __start_cr_sts; suite < __stop_cr_sts; suite++) {
        if (*suite && strcmp((*suite)->name, current->category) == 0)
            return (*suite)->data;
    }
    return &nothing;
}

static void call(void (*function)(void))
{
    if (function)
        function();
}

void criterion_internal_test_setup(void)
{
    call(suite_data()->init);
    call(current->data->init);
}

void criterion_internal_test_main(void (*function)(void))
{
    in_main = true;
    if (setjmp(aborted) == 0)
        function();
    in_main = false;
}

void criterion_internal_test_teardown(void)
{
    call(current->data->fini);
    call(suite_data()->fini);
}

/* ---- cases ---- */

enum verdict { PASSED, FAILED, CRASHED, SKIPPED, VERDICTS };

static pid_t child;

static void run_here(void)
{
    signal(SIGALRM, SIG_DFL);
    current->test();
    exit(failed ? STATUS_FAILED : EXIT_SUCCESS);
}

static void end_child(int number)
{
    (void)number;
    kill(child, SIGKILL);
}

static enum verdict run(struct criterion_test *test)
{
    int status;

    current = test;
    fflush(NULL);
    child = fork();
    if (child == 0)
        run_here();
    alarm((unsigned)(test->data->timeout > 0 ? test->data->timeout : suite_data()->timeout));
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("run_cases");
        exit(EXIT_FAILURE);
    }
    alarm(0);
    if (WIFSIGNALED(status)) {
        printf("%s: %s\n", test->data->identifier_, strsignal(WTERMSIG(status)));
        return CRASHED;
    }
    if (WEXITSTATUS(status) == STATUS_SKIPPED)
        return SKIPPED;
    if (WEXITSTATUS(status) == test->data->exit_code)
        return PASSED;
    printf("%s: exit status %d\n", test->data->identifier_, WEXITSTATUS(status));
    return FAILED;
}

/* Is the case of this test, test_TEST.c, or does its name match the pattern? */
static bool is_of(const struct criterion_test *test, const char *word)
{
    const char *file = strrchr(test->data->file_, '/');
    const char prefix[] = "/test_";

    if (strchr(word, '/'))
        return fnmatch(word, test->data->identifier_, 0) == 0;
    if (!file || strncmp(file, prefix, strlen(prefix)) != 0)
        return false;
    file += strlen(prefix);
    return strncmp(file, word, strlen(word)) == 0 && strcmp(file + strlen(word), ".c") == 0;
}

static bool is_chosen(const struct criterion_test *test, char *const *words)
{
    bool chosen = !*words;

    for (; *words; words++)
        chosen = chosen || is_of(test, *words);
    return chosen;
}

int main(int argc, char **argv)
{
    bool list = false;
    bool fail_fast = false;
    unsigned counts[VERDICTS] = {0};
    unsigned tested = 0;
    char **words = argv + (argc > 0);

    signal(SIGALRM, end_child); /* which restarts waitpid() */
    for (; *words && strncmp(*words, "--", 2) == 0; words++) {
        list = list || strcmp(*words, "--list") == 0;
        fail_fast = fail_fast || strcmp(*words, "--fail-fast") == 0;
        if (strcmp(*words, "--list") != 0 && strcmp(*words, "--fail-fast") != 0) {
            fprintf(stderr, USAGE, argv[0]);
            return EXIT_FAILURE;
        }
    }
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        if (!*test || !is_chosen(*test, words))
            continue;
        tested++;
        if (list)
            puts((*test)->data->identifier_);
        else
            counts[run(*test)]++;
        if (fail_fast && counts[FAILED] + counts[CRASHED] > 0)
            break;
    }
    if (!list)
        printf("%u cases: %u passed, %u failed, %u crashed, %u skipped\n", tested, counts[PASSED], counts[FAILED],
               counts[CRASHED], counts[SKIPPED]);
    return tested > 0 && counts[FAILED] + counts[CRASHED] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
