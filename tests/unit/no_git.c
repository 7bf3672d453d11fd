/* SPDX-License-Identifier: MIT */
/*
 * A library in place of libgit2, which Criterion uses only to draw the differences of two texts. Criterion starts a
 * process for each case. Loading libgit2 and the 15 libraries that it needs took a third of the time of a short case.
 */
int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_diff_buffers(void);

int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void)
{
    return 0;
}

/* Reports an error: Criterion then prints no difference. */
int git_diff_buffers(void)
{
    return -1;
}
