/* SPDX-License-Identifier: MIT */
/* Which system calls of a Linux program become jumps, by which rule, and which do not, for each reason; and what else
 * is found in its code. */
#include "tests/unit/fakes/tap.h"

#include <stddef.h>
#include <stdlib.h>

#include "abi/boot.h"
#include "tests/unit/fakes/scan_maker.h"

static void test_rule_a(void **state)
{
	(void)state;
	scan_function(CODE("\xb8\x27\x00\x00\x00\x0f\x05\xc3")); /* mov $39, %eax; syscall; ret */
	expect_jump(0, 5, 0, CODE_REASON_A);
	scan_function(CODE("\x90\x48\xc7\xc0\x27\x00\x00\x00\x0f\x05\xc3")); /* mov $39, %rax, of 7 bytes */
	expect_jump(1, 7, 0, CODE_REASON_A);
	/* The syscall stays, and so may be jumped to: je to it; mov; syscall; ret */
	scan_function(CODE("\x74\x05\xb8\x27\x00\x00\x00\x0f\x05\xc3"));
	expect_jump(2, 5, 0, CODE_REASON_A);
	/* Also when other jumps lead anywhere: jmp *%rax; mov; syscall; ret */
	scan_function(CODE("\xff\xe0\xb8\x27\x00\x00\x00\x0f\x05\xc3"));
	expect_jump(2, 5, 0, CODE_REASON_A);
	/* A jump into the midst of the mov: je there; mov; syscall; ret */
	scan_function(CODE("\x74\x01\xb8\x27\x00\x00\x00\x0f\x05\xc3"));
	expect_trap(7, CODE_REASON_ENTERED);
}

static void test_rule_a2(void **state)
{
	(void)state;
	scan_function(CODE("\x48\x8d\x74\x24\x10\x0f\x05\xc3")); /* lea 16(%rsp), %rsi */
	expect_jump(0, 5, 0, CODE_REASON_A2);
	scan_function(CODE("\xb9\x27\x00\x00\x00\x0f\x05\xc3")); /* mov $39, %ecx */
	expect_jump(0, 5, 0, CODE_REASON_A2);
	scan_function(CODE("\x41\xb8\x27\x00\x00\x00\x0f\x05\xc3")); /* mov $39, %r8d */
	expect_jump(0, 6, 0, CODE_REASON_A2);
	/* With another displacement: lea x(%rip), %rsi; mov x(%rip), %rsi */
	scan_function(CODE("\x48\x8d\x35\x10\x00\x00\x00\x0f\x05\xc3"));
	expect_jump(0, 7, 0, CODE_REASON_A2);
	assert_memory_equal(scan.patches[0].operand, "\3\4\0", 3);
	scan_function(CODE("\x48\x8b\x35\x10\x00\x00\x00\x0f\x05\xc3"));
	expect_jump(0, 7, 0, CODE_REASON_A2);
	assert_memory_equal(scan.patches[0].operand, "\3\4\0", 3);
	/* Other instructions that depend on where they are cannot be moved: call; je */
	scan_function(CODE("\xe8\x10\x00\x00\x00\x0f\x05\xc3"));
	expect_trap(5, CODE_REASON_NO_ROOM);
	scan_function(CODE("\x0f\x84\x10\x00\x00\x00\x0f\x05\xc3"));
	expect_trap(6, CODE_REASON_NO_ROOM);
	scan_function(CODE("\xff\x14\x25\x00\x10\x00\x00\x0f\x05\xc3")); /* call *0x1000 */
	expect_trap(7, CODE_REASON_NO_ROOM);
}

static void test_rule_b(void **state)
{
	(void)state;
	scan_function(CODE("\x0f\x05\x48\x3d\x01\xf0\xff\xff\x72\x01\x90\xc3")); /* syscall; cmp $-4095, %rax; jb; .. */
	expect_jump(0, 0, 6, CODE_REASON_B);
	scan_function(CODE("\x0f\x05\x90\x90\x90\x90\xc3")); /* just as many as are needed */
	expect_jump(0, 0, 3, CODE_REASON_B);
	scan_function(CODE("\x0f\x05\x90\x90\xc3"));
	expect_trap(0, CODE_REASON_NO_ROOM);
	/* A jump behind the syscall: syscall; cmp; jb to the cmp; ret */
	scan_function(CODE("\x0f\x05\x48\x3d\x01\xf0\xff\xff\x72\xf8\xc3"));
	expect_trap(0, CODE_REASON_ENTERED);
	/* A jump to the syscall itself is none into the midst. */
	scan_function(CODE("\x0f\x05\x48\x3d\x01\xf0\xff\xff\x72\xf6\xc3"));
	expect_jump(0, 0, 6, CODE_REASON_B);
	/* endbr64 is where anybody may come. */
	scan_function(CODE("\x0f\x05\x90\xf3\x0f\x1e\xfa\xc3"));
	expect_trap(0, CODE_REASON_NO_ROOM);
	/* What follows has a patch of its own: rdtsc, pause. */
	scan_function(CODE("\x0f\x05\x0f\x31\x90\x90\x90\xc3"));
	assert_int_equal(scan.count, 2);
	expect_patch(0, 0, CODE_SYSCALL_TRAP, 0, 0, CODE_REASON_NO_ROOM);
	expect_patch(1, 2, CODE_RDTSC, 0, 3, CODE_REASON_B);
	/* The function ends before there is room. */
	scan_functions(CODE("\x0f\x05\x90\x90\x90\x90\x90\x90\xc3"), 4, 5);
	expect_trap(0, CODE_REASON_NO_ROOM);
	/* The address behind the syscall is taken: lea there; call; syscall; nop... */
	scan_function(CODE("\x48\x8d\x0d\x07\x00\x00\x00\xe8\x10\x00\x00\x00\x0f\x05\x90\x90\x90\x90\xc3"));
	expect_trap(12, CODE_REASON_ENTERED);
}

static void test_rule_c(void **state)
{
	(void)state;
	scan_function(CODE("\x48\x89\xfe\x0f\x05\xc3")); /* mov %rdi, %rsi; syscall; ret */
	expect_jump(0, 3, 0, CODE_REASON_C);
	scan_function(CODE("\x58\x58\x58\x0f\x05\xc3")); /* pop %rax, three times */
	expect_jump(0, 3, 0, CODE_REASON_C);
	scan_function(CODE("\x58\x5f\x0f\x05\x90\xc3")); /* some of both sides */
	expect_jump(0, 2, 1, CODE_REASON_C);
}

static void test_rule_c_entered(void **state)
{
	(void)state;
	/* A jump to the syscall: with more before it, it stays. je; mov %rdi, %rsi; mov %rax, %rdx; syscall; ret */
	scan_function(CODE("\x74\x06\x48\x89\xfe\x48\x89\xc2\x0f\x05\xc3"));
	expect_jump(2, 6, 0, CODE_REASON_C);
	scan_function(CODE("\x74\x03\x48\x89\xfe\x0f\x05\xc3"));
	expect_trap(5, CODE_REASON_ENTERED);
	/* A jump between the two. */
	scan_function(CODE("\x74\x03\x48\x89\xfe\x48\x89\xc2\x0f\x05\xc3"));
	expect_jump(5, 3, 0, CODE_REASON_C);
	/* The function begins too late. */
	scan_functions(CODE("\x48\x89\xfe\x48\x89\xc2\x0f\x05\xc3"), 6, 3);
	expect_trap(6, CODE_REASON_NO_ROOM);
	/* Two system calls do not share bytes: the second's only room is the first's. */
	scan_function(CODE("\x48\x89\xfe\x0f\x05\x0f\x05\xc3"));
	assert_int_equal(scan.count, 2);
	expect_patch(0, 0, CODE_SYSCALL, 3, 0, CODE_REASON_C);
	expect_patch(1, 5, CODE_SYSCALL_TRAP, 0, 0, CODE_REASON_NO_ROOM);
	scan_function(CODE("\x0f\x05\x48\x89\xfe\x0f\x05\xc3"));
	assert_int_equal(scan.count, 2);
	expect_patch(0, 0, CODE_SYSCALL, 0, 3, CODE_REASON_B);
	expect_patch(1, 5, CODE_SYSCALL_TRAP, 0, 0, CODE_REASON_NO_ROOM);
}

/* Who comes from outside of the function: a far part of it, a neighbour. */
static void test_entered_by_others(void **state)
{
	uint8_t code[300];
	int32_t distance = 2 - 295;
	(void)state;
	memset(code, 0x90, sizeof(code));
	memcpy(code, "\x0f\x05\x48\x89\xc2\xc3", 6);
	code[290] = 0xe9;
	memcpy(code + 291, &distance, sizeof(distance));
	scan_functions(code, sizeof(code), 6, 200);
	expect_trap(0, CODE_REASON_ENTERED);
	distance = 0 - 295; /* to its first byte */
	memcpy(code + 291, &distance, sizeof(distance));
	scan_functions(code, sizeof(code), 6, 200);
	expect_jump(0, 0, 3, CODE_REASON_B);
	code[290] = 0x90;
	memset(code + 291, 0x90, 4);
	memcpy(code + 20, "\x74\xec", 2); /* a short jump of a neighbour, to 2 */
	scan_functions(code, sizeof(code), 6, 200);
	expect_trap(0, CODE_REASON_ENTERED);
	memcpy(code + 20, "\x74\xea", 2); /* to 0 */
	scan_functions(code, sizeof(code), 6, 200);
	expect_jump(0, 0, 3, CODE_REASON_B);
}

static void test_indirect_jumps(void **state)
{
	/* lea table(%rip), %rdx; movslq (%rdx,%rax,4), %rax; add %rdx, %rax; jmp *%rax; syscall; mov %rax, %rdx; ret */
	uint8_t code[] = "\x48\x8d\x15\xf9\x1f\x00\x00\x48\x63\x04\x82\x48\x01\xd0\xff\xe0"
			 "\x0f\x05\x48\x89\xc2\xc3\x90\x90";
	const struct code_range function = {MADE_CODE, sizeof(code) - 1};
	(void)state;
	/* The table is at MADE_TABLE + 0x100; its entries lead to 16 and 21. */
	int32_t distance = (int32_t)(MADE_TABLE + 0x100 - (MADE_CODE + 7));
	memcpy(code + 3, &distance, sizeof(distance));
	int32_t entries[3] = {(int32_t)(MADE_CODE + 16 - (MADE_TABLE + 0x100)),
	                      (int32_t)(MADE_CODE + 21 - (MADE_TABLE + 0x100)), 0x7fffffff};
	made_elf_init(&elf, code, sizeof(code) - 1, &function, 1, MADE_PLAIN);
	run(false);
	expect_trap(16, CODE_REASON_INDIRECT); /* there is no table */
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x100, entries, sizeof(entries));
	run(false);
	expect_jump(16, 0, 3, CODE_REASON_B);
	entries[1] -= 3; /* behind the syscall */
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x100, entries, sizeof(entries));
	run(false);
	expect_trap(16, CODE_REASON_ENTERED);
	/* Another base than the table's. */
	entries[1] += 3;
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x100, entries, sizeof(entries));
	elf.bytes[MADE_CODE_OFFSET + 13] = 0xd8; /* add %rbx, %rax */
	run(false);
	expect_trap(16, CODE_REASON_INDIRECT);
	/* A jump to another function that is known by its address in memory leads nowhere in here; je over it. */
	scan_function(CODE("\x74\x06\xff\x25\x00\x10\x00\x00\x0f\x05\x48\x89\xc2\xc3"));
	expect_jump(8, 0, 3, CODE_REASON_B);
	/* A call comes back. */
	scan_function(CODE("\xff\xd0\x0f\x05\x48\x89\xc2\xc3"));
	expect_jump(2, 0, 3, CODE_REASON_B);
}

static void test_landing_pads(void **state)
{
	static const uint8_t code[] = "\x90\x90\x0f\x05\x48\x89\xc2\xc3";
	/* From the function's start, no types, ULEB128, 8 bytes of calls: [0, 1) to none; [1, 2) to 4. */
	static const uint8_t data[] = {0xff, 0xff, 0x01, 8, 0, 1, 0, 0, 1, 1, 4, 0};
	const struct code_range function = {MADE_CODE, sizeof(code) - 1};
	uint8_t *lsda = elf.bytes + MADE_TABLE_OFFSET + (MADE_LSDA - MADE_TABLE);
	(void)state;
	made_elf_init(&elf, code, sizeof(code) - 1, &function, 1, MADE_PADS);
	memcpy(lsda, data, sizeof(data));
	run(false);
	expect_trap(2, CODE_REASON_ENTERED);
	lsda[10] = 2; /* the syscall itself */
	run(false);
	expect_jump(2, 0, 3, CODE_REASON_B);
	lsda[3] = 7; /* ends within a record */
	run(false);
	expect_trap(2, CODE_REASON_INDIRECT);
}

static void test_signal_return(void **state)
{
	/* What its unwind table says begins at the last byte of a nop: nop; mov $39, %rax; syscall; hlt */
	uint8_t code[64];
	const struct code_range function = {MADE_CODE + 47, 10};
	(void)state;
	memset(code, 0x90, sizeof(code));
	memcpy(code + 40, "\x0f\x1f\x84\x00\x00\x00\x00\x00", 8);
	memcpy(code + 48, "\x48\xc7\xc0\x27\x00\x00\x00\x0f\x05\xf4", 10);
	made_elf_init(&elf, code, sizeof(code), &function, 1, MADE_SIGNAL);
	run(false);
	expect_jump(48, 7, 0, CODE_REASON_A);
	elf.bytes[MADE_CODE_OFFSET + 51] = 15; /* rt_sigreturn is left as it is, wherever it is */
	run(false);
	expect_trap(55, CODE_REASON_SIGRETURN);
	scan_function(CODE("\xb8\x0f\x00\x00\x00\x0f\x05\xc3"));
	expect_trap(5, CODE_REASON_SIGRETURN);
}

static void test_kinds(void **state)
{
	(void)state;
	const struct code_range function = {MADE_CODE, 31};
	static const uint8_t code[31] = {
		0x0f, 0xa2,                   /* 0 cpuid */
		0xf3, 0x90,                   /* 2 pause */
		0xf3, 0x41, 0x90,             /* 4 xchg %r8d, %eax, which is none */
		0x0f, 0x01, 0xd0,             /* 7 xgetbv */
		0xf0, 0x48, 0xff, 0x00,       /* 10 lock incq (%rax) */
		0x48, 0x87, 0x03,             /* 14 xchg %rax, (%rbx) */
		0x48, 0x87, 0xc3,             /* 17 xchg %rax, %rbx, which is not atomic */
		0xf0, 0x0f, 0xb1, 0x0a,       /* 20 lock cmpxchg %ecx, (%rdx) */
		0x66, 0x0f, 0xc7, 0xf8, 0x90, /* 24 rdseed %ax; nop */
		0xf2, 0xc3,                   /* 29 bnd ret */
	};
	for (unsigned flags = 0; flags <= 1; flags++) {
		made_elf_init(&elf, code, sizeof(code), &function, 1, MADE_PLAIN);
		run(flags);
		unsigned next = 0;
		expect_patch(next++, 0, TRAP_CPUID, 0, 0, 0);
		expect_patch(next++, 2, CODE_PAUSE, 0, 0, 0);
		if (flags) /* what is atomic has a patch of its own */
			expect_patch(next++, 4, CODE_XGETBV, 3, 0, CODE_REASON_C);
		else
			expect_patch(next++, 7, CODE_XGETBV, 0, 4, CODE_REASON_B);
		if (flags) {
			expect_patch(next++, 10, CODE_ATOMIC, 0, 0, CODE_REASON_NO_ROOM);
			expect_patch(next++, 14, CODE_ATOMIC, 0, 3, CODE_REASON_B);
			expect_patch(next++, 20, CODE_ATOMIC, 0, 0, CODE_REASON_NO_ROOM);
		}
		expect_patch(next++, 24, TRAP_RDSEED, 0, 0, 0);
		assert_int_equal(scan.count, next);
	}
	/* What is atomic is no part of a stub when it has a patch of its own: lock incq (%rax); syscall; ret */
	static const uint8_t locked[] = "\xf0\x48\xff\x00\x0f\x05\xc3";
	const struct code_range small = {MADE_CODE, sizeof(locked) - 1};
	made_elf_init(&elf, locked, sizeof(locked) - 1, &small, 1, MADE_PLAIN);
	run(false);
	expect_jump(0, 4, 0, CODE_REASON_C);
	run(true);
	assert_int_equal(scan.count, 2);
	expect_patch(1, 4, CODE_SYSCALL_TRAP, 0, 0, CODE_REASON_NO_ROOM);
}

/* cpuid is replaced itself, so that nobody who jumps to it finds it. */
static void test_cpuid(void **state)
{
	(void)state;
	scan_function(CODE("\x0f\xa2\x89\xc7\x31\xdb\xc3")); /* cpuid; mov %eax, %edi; xor %ebx, %ebx; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_CPUID, 0, 4, CODE_REASON_B);
	scan_function(CODE("\xb8\x01\x00\x00\x00\x0f\xa2\xc3")); /* mov $1, %eax; cpuid; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_CPUID, 5, 0, CODE_REASON_C);
	scan_function(CODE("\xb8\x01\x00\x00\x00\x0f\xa2\x74\xfc\xc3")); /* mov; 1: cpuid; je 1b; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 5, TRAP_CPUID, 0, 0, 0);
	scan_function(CODE("\x31\xc0\x0f\xa2\xc3")); /* xor %eax, %eax; cpuid; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 2, TRAP_CPUID, 0, 0, 0);
	/* Two of them, of which neither can be moved: cpuid; cpuid; mov %eax, %edi; xor %ebx, %ebx; ret */
	scan_function(CODE("\x0f\xa2\x0f\xa2\x89\xc7\x31\xdb\xc3"));
	assert_int_equal(scan.count, 2);
	expect_patch(0, 0, TRAP_CPUID, 0, 0, 0);
	expect_patch(1, 2, CODE_CPUID, 0, 4, CODE_REASON_B);
}

/* Time stamps and xgetbv as compilers and libraries write them. */
static void test_time_stamps(void **state)
{
	(void)state;
	scan_function(CODE("\x0f\x31\x48\xc1\xe2\x20\x48\x09\xd0\xc3")); /* rdtsc; shl $32, %rdx; or %rdx, %rax; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_RDTSC, 0, 4, CODE_REASON_B);
	scan_function(CODE("\x0f\xae\xe8\x0f\x31\xc3")); /* lfence; rdtsc; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_RDTSC, 3, 0, CODE_REASON_C);
	scan_function(CODE("\x0f\x01\xf9\x89\x0e\xc3")); /* rdtscp; mov %ecx, (%rsi); ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_RDTSCP, 0, 2, CODE_REASON_B);
	scan_function(CODE("\x31\xc9\x0f\x01\xd0\xc3")); /* xor %ecx, %ecx; xgetbv; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_XGETBV, 2, 0, CODE_REASON_C);
	scan_function(CODE("\x0f\x31\x75\xfc\xc3")); /* 1: rdtsc; jne 1b; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, TRAP_RDTSC, 0, 0, 0);
	/* What is relative to its address moves with another displacement, but only one such instruction does. */
	scan_function(CODE("\x0f\x31\x4c\x8d\x2d\x55\x7e\x01\x00\xc3")); /* rdtsc; lea x(%rip), %r13; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_RDTSC, 0, 7, CODE_REASON_B);
	assert_memory_equal(scan.patches[0].operand, "\5\4\0", 3);
	scan_function(CODE("\x80\x25\x6f\x54\x01\x00\xf7\x0f\x31\xc3")); /* andb $0xf7, x(%rip); rdtsc; ret */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, CODE_RDTSC, 7, 0, CODE_REASON_C);
	assert_memory_equal(scan.patches[0].operand, "\2\5\0", 3);
	scan_function(CODE("\x66\x0f\x31\x48\xc1\xe2\x20\xc3")); /* with a prefix */
	assert_int_equal(scan.count, 1);
	expect_patch(0, 0, TRAP_RDTSC, 0, 0, 0);
}

static void set_entry(uint64_t address)
{
	memcpy(elf.bytes + offsetof(Elf64_Ehdr, e_entry), &address, sizeof(address));
}

/* Code of which nothing is known. */
static void test_without_tables(void **state)
{
	uint8_t code[512];
	(void)state;
	for (unsigned i = 0; i < sizeof(code); i += 4)
		memcpy(code + i, "\x48\x89\xfe\x90", 4);
	memcpy(code + 200, "\x0f\x05\x90\x90", 4);
	memcpy(code + 300, "\x0f\xa2\x90\x90", 4);
	memcpy(code + 400, "\xb8\x27\x00\x00\x00\x0f\x05\x90", 8);
	made_elf_init(&elf, code, sizeof(code), NULL, 0, MADE_PLAIN);
	run(false);
	assert_int_equal(scan.count, 3);
	expect_patch(0, 200, CODE_SYSCALL_TRAP, 0, 0, CODE_REASON_OUTSIDE);
	expect_patch(1, 300, TRAP_CPUID, 0, 0, 0);
	expect_patch(2, 400, CODE_SYSCALL, 5, 0, CODE_REASON_A);
	code_scan_fini(&scan);
	assert_int_equal(code_scan_raw(code, sizeof(code), UINT64_MAX, &scan, &error), 0);
	expect_sound(sizeof(code));
	assert_int_equal(scan.count, 3);
	assert_int_equal(scan.patches[2].kind, CODE_SYSCALL_TRAP);
	assert_int_equal(scan.patches[2].offset, 405);
	/* Ways that never meet, of which one comes by an instruction: `add $0x05050505, %eax` begins at each byte. */
	memset(code, 0x05, sizeof(code));
	memcpy(code + 300, "\x0f\xa2", 2);
	code_scan_fini(&scan);
	assert_int_equal(code_scan_raw(code, sizeof(code), UINT64_MAX, &scan, &error), 0);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].kind, CODE_UNDECIDED);
	assert_int_equal(scan.patches[0].offset, 300);
	code_scan_fini(&scan); /* unless it is known which of them is executed */
	assert_int_equal(code_scan_raw(code, sizeof(code), 300, &scan, &error), 0);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].kind, TRAP_CPUID);
	code_scan_fini(&scan);
	assert_int_equal(code_scan_raw(code, sizeof(code), 299, &scan, &error), 0);
	assert_int_equal(scan.count, 0);
	/* A pointer among zeros, as OpenJDK has it beside code. */
	memset(code, 0, sizeof(code));
	memcpy(code + 300, "\x0f\xa2\x46\xd9\xff\x7f", 6);
	assert_int_equal(code_scan_raw(code, sizeof(code), UINT64_MAX, &scan, &error), 0);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].kind, CODE_UNLIKELY);
	memset(code, 0x05, sizeof(code));
	memcpy(code + 300, "\x0f\xa2", 2);
	code[400] = 0xc3; /* ret */
	made_elf_init(&elf, code, sizeof(code), NULL, 0, MADE_PLAIN);
	set_entry(0);
	run(false);
	assert_int_equal(scan.count, 0);
	assert_int_equal(scan.undecided_count, 1);
	set_entry(MADE_CODE); /* unless that is where the program is entered */
	run(false);
	assert_int_equal(scan.count, 1);
	expect_patch(0, 300, TRAP_CPUID, 0, 0, 0);
	set_entry(MADE_CODE + 1);
	run(false);
	assert_int_equal(scan.count, 0);
	assert_int_equal(scan.undecided_count, 0);
	/* Data: what is around it is no code. */
	memset(code, 0x06, sizeof(code));
	memcpy(code + 300, "\x0f\xa2", 2);
	made_elf_init(&elf, code, sizeof(code), NULL, 0, MADE_PLAIN);
	run(false);
	assert_int_equal(scan.count, 0);
	assert_int_equal(scan.undecided_count, 0);
}

/* A section header, at the end of the tables' page. */
static void put_section(unsigned index, const Elf64_Shdr *section)
{
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0xc00 + index * sizeof(*section), section, sizeof(*section));
	Elf64_Ehdr header;
	memcpy(&header, elf.bytes, sizeof(header));
	header.e_shoff = MADE_TABLE_OFFSET + 0xc00;
	header.e_shentsize = sizeof(*section);
	if (header.e_shnum <= index)
		header.e_shnum = (Elf64_Half)(index + 1);
	memcpy(elf.bytes, &header, sizeof(header));
}

static void test_symbols(void **state)
{
	static const uint8_t code[] = "\xc3\x0f\x05\x48\x89\xc2\xc3\x90\x90";
	static const char names[] = "\0f";
	const Elf64_Sym symbols[] = {
		{0}, {.st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = MADE_CODE + 1, .st_size = 6}};
	(void)state;
	made_elf_init(&elf, code, sizeof(code) - 1, NULL, 0, MADE_PLAIN);
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x100, symbols, sizeof(symbols));
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x200, names, sizeof(names));
	put_section(1, &(Elf64_Shdr){.sh_type = SHT_SYMTAB,
	                             .sh_link = 2,
	                             .sh_offset = MADE_TABLE_OFFSET + 0x100,
	                             .sh_size = sizeof(symbols)});
	put_section(
		2,
		&(Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = MADE_TABLE_OFFSET + 0x200, .sh_size = sizeof(names)});
	run(false);
	expect_jump(1, 0, 3, CODE_REASON_B);
}

static void test_go(void **state)
{
	static const uint8_t code[] = "\xc3\x0f\x05\x48\x89\xc2\xc3\x90\x90";
	uint8_t *table = elf.bytes + MADE_TABLE_OFFSET + 0x100;
	const uint64_t words[] = {2, 0, MADE_CODE, 0, 0, 0, 0, 80};
	const uint32_t functions[] = {0, 0, 1, 0, 9, 0};
	(void)state;
	made_elf_init(&elf, code, sizeof(code) - 1, NULL, 0, MADE_PLAIN);
	memcpy(table, "\xf1\xff\xff\xff\x00\x00\x01\x08", 8);
	memcpy(table + 8, words, sizeof(words));
	memcpy(table + 80, functions, sizeof(functions));
	run(false);
	expect_jump(1, 0, 3, CODE_REASON_B);
	/* A list that is not ascending is not believed. */
	table[80 + 8] = 0;
	run(false);
	expect_trap(1, CODE_REASON_OUTSIDE);
}

/* Whatever the bytes are, there is an end, and what is found is possible. The file is in memory of its exact size, so
 * that the sanitizer sees each step over an end. */
static void test_broken_files(void **state)
{
	static const uint8_t code[] =
		"\x48\x8d\x15\xf9\x20\x00\x00\x48\x63\x04\x82\x48\x01\xd0\xff\xe0\x0f\x05\x48\x89\xc2"
		"\xb8\x27\x00\x00\x00\x0f\x05\x0f\xa2\xf3\x90\xf0\x48\xff\x00\xe9\x00\x00\x00\x00\xc3";
	const struct code_range functions[] = {{MADE_CODE, 30}, {MADE_CODE + 30, sizeof(code) - 31}};
	static const uint64_t hot[][2] = {{0, 64 + 3 * 56},
	                                  {MADE_TABLE_OFFSET, 16},
	                                  {MADE_TABLE_OFFSET + 0x800, 120},
	                                  {MADE_TABLE_OFFSET + 0x400, 16},
	                                  {MADE_TABLE_OFFSET + 0xc00, 3 * 64},
	                                  {MADE_CODE_OFFSET, sizeof(code)}};
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff, 0x0f};
	unsigned good = 0;
	(void)state;
	made_elf_init(&elf, code, sizeof(code) - 1, functions, 2, MADE_PADS);
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x400, "\xff\xff\x01\x04\x00\x01\x04\x00", 8);
	put_section(
		1, &(Elf64_Shdr){
			   .sh_type = SHT_SYMTAB, .sh_link = 2, .sh_offset = MADE_TABLE_OFFSET + 0x100, .sh_size = 48});
	put_section(2, &(Elf64_Shdr){.sh_type = SHT_STRTAB,
	                             .sh_offset = MADE_TABLE_OFFSET + 0x200,
	                             .sh_size = 16,
	                             .sh_flags = SHF_EXECINSTR});
	srand(3);
	for (unsigned round = 0; round < 12000; round++) {
		uint64_t bytes = round % 8 ? MADE_BYTES : (uint64_t)rand() % (MADE_BYTES + 1);
		uint8_t *broken = malloc(bytes ? bytes : 1);
		memcpy(broken, elf.bytes, bytes);
		for (int changes = rand() % 4; changes >= 0; changes--) {
			const uint64_t *place = hot[rand() % 6];
			uint64_t at = place[0] + (uint64_t)rand() % place[1];
			if (at < bytes)
				broken[at] = rand() % 2 ? values[rand() % 6] : (uint8_t)rand();
		}
		const struct code_points points = {.atomics = round % 2,
		                                   .stores = round % 3 ? 0 : 1 + (uint32_t)round % 40,
		                                   .seed = round,
		                                   .own = round % 5 == 0};
		code_scan_fini(&scan);
		error.text[0] = 0;
		int result = code_scan_elf(broken, bytes, &points, &scan, &error);
		assert_true(result == 0 ? !error.text[0] : error.text[0] && !scan.count);
		expect_sound(bytes);
		good += result == 0;
		free(broken);
	}
	assert_true(good > 3000 && good < 12000);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_rule_a),
	cmocka_unit_test(test_rule_a2),
	cmocka_unit_test(test_rule_b),
	cmocka_unit_test(test_rule_c),
	cmocka_unit_test(test_rule_c_entered),
	cmocka_unit_test(test_entered_by_others),
	cmocka_unit_test(test_indirect_jumps),
	cmocka_unit_test(test_landing_pads),
	cmocka_unit_test(test_signal_return),
	cmocka_unit_test(test_kinds),
	cmocka_unit_test(test_cpuid),
	cmocka_unit_test(test_time_stamps),
	cmocka_unit_test(test_without_tables),
	cmocka_unit_test(test_symbols),
	cmocka_unit_test(test_go),
	cmocka_unit_test(test_broken_files),
};

TAP_MAIN(tests)
