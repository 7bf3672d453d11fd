/* SPDX-License-Identifier: MIT */
/*
 * Criterion uses libgit2 to compare strings. When libgit2 is loaded, it reads all certificates of the system.
 * Criterion starts a process for each case, so this happened in each case and took longer than all cases together.
 * In tests libgit2 calls this function instead of Mbed TLS's function, and finds no certificates. Another libgit2,
 * which does not call it, works as before.
 */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
    (void)chain;
    (void)path;
    return 0;
}
