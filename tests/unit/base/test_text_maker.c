/* SPDX-License-Identifier: MIT */
#include "base/text_maker.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct text_maker maker;

Test(text_maker, has_the_whole_written_text)
{
    cr_assert(text_maker_begin(&maker));
    for (unsigned i = 0; i < 100000; i++)
        fprintf(maker.out, "%u\n", i);
    cr_assert(text_maker_end(&maker));
    cr_assert_eq(maker.length, 588890);
    for (unsigned i = 0; i < 100000; i++) {
        static const char *at;
        char *end;

        at = i == 0 ? maker.text : at;
        cr_assert_eq(strtoul(at, &end, 10), i);
        at = end + 1;
    }
    free(maker.text);
}

Test(text_maker, nothing_written_is_an_empty_text)
{
    cr_assert(text_maker_begin(&maker));
    cr_assert(text_maker_end(&maker));
    cr_assert(maker.text != NULL && maker.length == 0);
    free(maker.text);
}

static rlim_t address_space_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages;

    cr_assert(file != NULL && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* If only one allocation fails, the text must still have no hole. */
Test(text_maker, says_that_memory_ended)
{
    static char piece[1 << 20];
    struct rlimit limit, before;
    unsigned refused = 0;

#ifdef __SANITIZE_ADDRESS__
    cr_skip("a sanitizer needs all addresses");
#endif
    memset(piece, 'x', sizeof piece);
    cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
    cr_assert(text_maker_begin(&maker));
    limit = (struct rlimit){address_space_bytes() + 32 * sizeof piece, before.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    for (unsigned i = 0; i < 64 && refused == 0; i++)
        refused += fwrite(piece, 1, sizeof piece, maker.out) != sizeof piece;
    cr_assert_eq(refused, 1);
    cr_assert_eq(setrlimit(RLIMIT_AS, &before), 0);
    (void)fwrite(piece, 1, sizeof piece, maker.out);
    cr_assert_not(text_maker_end(&maker));
    cr_assert(maker.text == NULL && maker.length == 0);
}
