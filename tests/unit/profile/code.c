/* Firmware for test_code_map.c, which names its functions and lines. No licence line: the lines are counted. */
volatile unsigned sink;

static inline __attribute__((always_inline)) unsigned twist(unsigned state)
{
    __asm volatile("twist_at: eor %0, %0, %0, lsl #13" : "+r"(state));
    return state;
}

static inline __attribute__((always_inline)) void repeat(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        sink = twist(sink); /* line 13 */
}

__attribute__((noinline)) void outer(unsigned count);
__attribute__((noinline)) void outer(unsigned count)
{
    repeat(count); /* line 19 */
}

__attribute__((noinline)) void plain(void);
__attribute__((noinline)) void plain(void)
{
    __asm volatile("plain_at: nop"); /* line 25 */
}

__asm(".thumb\n.type assembled, %function\nassembled: nop\nassembled_at: nop\nnop\n");

void _start(void);
void _start(void)
{
    outer(3);
    plain();
}
