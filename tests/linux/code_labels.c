/* SPDX-License-Identifier: MIT */
/* Assembly without unwind tables and sizes of symbols, with data before its code: what labels, calls and jumps lead to
 * is code, and its constants stay what they are. */
#include <stdint.h>
#include <stdio.h>

#define TICKS " rdtsc\n shl $32, %rdx\n or %rdx, %rax\n ret\n"

__asm__(".text\n"
        ".balign 16\n"
        ".quad 0x428a2f98d728ae22, 0x7137449123ef65cd\n"
        ".ascii \"ticks of the processor\\0\"\n"
        ".globl behind_text\n"
        "behind_text:" TICKS ".asciz \"some text that nobody prints\"\n"
        ".type without_size, @function\n"
        "without_size:" TICKS ".byte 0xb8\n"
        "called: " TICKS "over_data: jmp 1f\n .byte 0xb8\n"
        "1: " TICKS "to_section: jmp in_section\n"
        ".section .apart, \"ax\"\n"
        ".quad 0x428a2f98d728ae22, 0x7137449123ef65cd\n"
        "in_section:" TICKS ".text\n"
        ".byte 0xc3, 0x90, 0x90, 0x90, 0x81, 0x09\n"
        "constant: movabs $0x24734d4d310ffba1, %r9\n mov %r9, %rax\n ret\n"
        ".byte 0xc3, 0x90, 0x90, 0x90, 0x81, 0x09\n"
        "pauses: mov $0x4bc890f3, %eax\n ret\n"
        ".byte 0xc3, 0x90, 0x90, 0x90, 0x81, 0x09\n"
        "calls: mov $0x4bc8050f, %eax\n ret\n");

uint64_t behind_text(void), without_size(void), called(void), over_data(void), to_section(void), constant(void),
	pauses(void), calls(void);

static uint64_t rdtsc(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static void tell(const char *name, uint64_t before, uint64_t here, uint64_t after)
{
	printf("%s: %s\n", name, before <= here && here <= after ? "in between" : "another clock");
}

int main(void)
{
	uint64_t before, here;
	before = rdtsc(), here = behind_text(), tell("behind text", before, here, rdtsc());
	before = rdtsc(), here = without_size(), tell("without a size", before, here, rdtsc());
	before = rdtsc(), here = called(), tell("called", before, here, rdtsc());
	before = rdtsc(), here = over_data(), tell("over data", before, here, rdtsc());
	before = rdtsc(), here = to_section(), tell("in a section", before, here, rdtsc());
	printf("constants: %lx %lx %lx\n", constant(), pauses(), calls());
	return 0;
}
