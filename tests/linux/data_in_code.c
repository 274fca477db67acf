/* SPDX-License-Identifier: MIT */
/* Data between the instructions of a function, as hand-written assembly has them: the cpuid, rdtsc and rdrand behind
 * them give what others give, and the data are what they were. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

/* What stands before an instruction that jumps or calls over it. The last two are skipped by flags, and by an address
 * that is taken. */
#define SKIPPED(each) \
	each(movabs, "jmp 1f\n .byte 0x48, 0xb8\n1:") each(opcode, "jmp 1f\n .byte 0x0f\n1:") each( \
		text, "jmp 1f\n .asciz \"a\"\n .balign 8, 0\n1:") \
		each(number, "movsd 2f(%%rip), %%xmm0\n jmp 1f\n2: .double 3.14159\n1:") each( \
			zeros, "jmp 1f\n .balign 16, 0\n .quad 0, 0\n1:") each(traps, \
	                                                                       "jmp 1f\n .byte 0xcc, 0xcc, 0xc7\n1:") \
			each(called, \
	                     "sub $128, %%rsp\n call 1f\n .asciz \"format %%d\"\n1: pop %%rax\n add $128, %%rsp") \
				each(flags, "xor %%eax, %%eax\n jz 1f\n .byte 0x48, 0xb8\n1:") \
					each(taken, "lea 1f(%%rip), %%rax\n jmp *%%rax\n .byte 0x48, 0xb8\n1:")

#define FUNCTIONS(name, skipped) \
	__attribute__((noinline)) static uint64_t rdtsc_##name(void) \
	{ \
		uint32_t low, high; \
		__asm__ volatile(skipped "\n rdtsc" : "=a"(low), "=d"(high) : : "xmm0", "cc", "memory"); \
		return (uint64_t)high << 32 | low; \
	} \
	__attribute__((noinline)) static uint32_t cpuid_##name(void) \
	{ \
		uint32_t eax, ebx, ecx, edx; \
		__asm__ volatile(skipped "\n mov $1, %%eax\n xor %%ecx, %%ecx\n cpuid" \
		                 : "=a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx) \
		                 : \
		                 : "xmm0", "cc", "memory"); \
		return eax; \
	}

SKIPPED(FUNCTIONS)

static const struct {
	const char *name;
	uint64_t (*rdtsc)(void);
	uint32_t (*cpuid)(void);
} all[] = {
#define ENTRY(name, skipped) {#name, rdtsc_##name, cpuid_##name},
	SKIPPED(ENTRY)};

static uint64_t rdtsc(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static uint32_t cpuid(void)
{
	uint32_t eax = 1, ebx, ecx = 0, edx;
	__asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
	return eax;
}

/* Data that look like instructions: cpuid; rdtsc; mov of a number and syscall; a locked addition; pause. */
#define LITERAL(name, bytes) \
	__attribute__((noinline)) static uint64_t name(void) \
	{ \
		uint64_t value; \
		__asm__ volatile("jmp 1f\n2: .byte " bytes "\n1: movq 2b(%%rip), %0" : "=r"(value)); \
		return value; \
	}

LITERAL(traps, "0x0f, 0xa2, 0x0f, 0x31, 0x0f, 0xa2, 0x90, 0x90")
LITERAL(system_call, "0xb8, 0x27, 0, 0, 0, 0x0f, 0x05, 0x90")
LITERAL(locked, "0xf0, 0x83, 0x04, 0x24, 0, 0x90, 0x90, 0x90")
LITERAL(pauses, "0xf3, 0x90, 0xf3, 0x90, 0x90, 0x90, 0x90, 0x90")

int main(void)
{
	uint32_t processor = cpuid();
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		uint64_t before = rdtsc(), here = all[i].rdtsc(), after = rdtsc();
		printf("%s: rdtsc %s, cpuid %s\n", all[i].name, before <= here && here <= after ? "good" : "bad",
		       all[i].cpuid() == processor ? "good" : "bad");
	}
	printf("%lx %lx %lx %lx\n", traps(), system_call(), locked(), pauses());
	return 0;
}
