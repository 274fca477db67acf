/* SPDX-License-Identifier: MIT */
/* Data right before functions, as GHC has it, in which bytes of instructions are that are patched. They are known for
 * data by the function behind them, which they would lead into the middle of. */
#include <stdio.h>

extern const unsigned char tables[], first[];

__asm__(".pushsection .text\n"
        "	ret\n"
        "	.p2align 3, 0x90\n"
        "tables:\n"
        "	.byte 0x0f, 0, 0, 0, 0x00, 0x0f, 0x31, 0x02\n" /* rdtsc; add -0x73(%rax), %cl */
        "	.type first, @function\n"
        "first:	lea 8(%rbx), %rax\n"
        "	ret\n"
        "	.size first, . - first\n"
        "	.p2align 3, 0x90\n"
        "	.byte 0x0f, 0, 0, 0, 0x00, 0x0f, 0xa2, 0x02\n" /* cpuid; the same */
        "	.type second, @function\n"
        "second:	lea 8(%rbx), %rax\n"
        "	ret\n"
        "	.size second, . - second\n"
        "	.popsection\n");

int main(void)
{
	for (const unsigned char *at = tables; at < first; at++)
		printf("%02x ", *at);
	for (const unsigned char *at = first + 8; at < first + 16; at++)
		printf("%02x ", *at);
	putchar('\n');
	return 0;
}
