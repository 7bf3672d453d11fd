/* SPDX-License-Identifier: MIT */
/* Files of the build as arrays: the assembler reads them, which no compiler of C17 can. */
#include "view/embedded.h"

#define EMBED(symbol, file)                                                                                            \
    __asm__(".pushsection .rodata\n" #symbol ":\n.incbin \"" file "\"\n" #symbol "_end:\n.popsection\n")

EMBED(txtap_embedded_page, PAGE_FILE);
EMBED(txtap_embedded_policy, POLICY_FILE);
EMBED(txtap_embedded_decoder, WASM_FILE);

extern const char txtap_embedded_page[], txtap_embedded_page_end[];
extern const char txtap_embedded_policy[], txtap_embedded_policy_end[];
extern const char txtap_embedded_decoder[], txtap_embedded_decoder_end[];

struct embedded embedded_page(void)
{
    return (struct embedded){txtap_embedded_page, (size_t)(txtap_embedded_page_end - txtap_embedded_page)};
}

struct embedded embedded_policy(void)
{
    return (struct embedded){txtap_embedded_policy, (size_t)(txtap_embedded_policy_end - txtap_embedded_policy)};
}

struct embedded embedded_decoder(void)
{
    return (struct embedded){txtap_embedded_decoder, (size_t)(txtap_embedded_decoder_end - txtap_embedded_decoder)};
}
