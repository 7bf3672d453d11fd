/* SPDX-License-Identifier: MIT */
/*
 * These rules apply to every function of libtxtap, unless its header says otherwise:
 *   - The caller passes no NULL, memory of the documented size, and numbers in the documented range. Bytes that came
 *     from a target or a file may have any content.
 *   - The caller owns all memory. A struct is undefined until its init or open function fills it, and nothing has to be
 *     freed afterwards. Borrowed memory must stay valid as long as the struct is in use. A struct may be moved if no
 *     pointer to it is in use. A caller only reads fields, unless a comment allows the caller to write a field.
 *   - A function never allocates, opens, prints or waits, and does not depend on the locale.
 *   - These structs contain all state. Threads may use different structs at the same time. They may share a struct if
 *     all functions that they call take this struct as const.
 *
 * The macros below surround the functions of every public header: they give these functions C linkage in C++, and
 * export them. The library is compiled with -fvisibility=hidden, so it exports no other functions. Headers in
 * txtap/inner are not public: they are not installed.
 */
#ifndef TXTAP_API_H
#define TXTAP_API_H

#if defined(__GNUC__)
#define TXTAP_API_SHOW _Pragma("GCC visibility push(default)")
#define TXTAP_API_DONE _Pragma("GCC visibility pop")
#else
#define TXTAP_API_SHOW
#define TXTAP_API_DONE
#endif

#ifdef __cplusplus
#define TXTAP_API_BEGIN                                                                                                \
    TXTAP_API_SHOW extern "C"                                                                                          \
    {
#define TXTAP_API_END                                                                                                  \
    }                                                                                                                  \
    TXTAP_API_DONE
#else
#define TXTAP_API_BEGIN TXTAP_API_SHOW
#define TXTAP_API_END   TXTAP_API_DONE
#endif

#endif
