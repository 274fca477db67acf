/* SPDX-License-Identifier: MIT */
/* From the top down: a null word, the executed name, the strings of the environment and of the arguments, the
 * platform's name, 16 random bytes; then, aligned, the words at the initial stack pointer. */
#include "kernel/linux/process/initial_stack.h"

#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux_mman.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/mm/vm.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/process.h"
#include "kernel/sys/limits.h"

#define AT_NULL 0
#define AT_PHDR 3
#define AT_PHENT 4
#define AT_PHNUM 5
#define AT_PAGESZ 6
#define AT_BASE 7
#define AT_FLAGS 8
#define AT_ENTRY 9
#define AT_UID 11
#define AT_EUID 12
#define AT_GID 13
#define AT_EGID 14
#define AT_PLATFORM 15
#define AT_HWCAP 16
#define AT_CLKTCK 17
#define AT_SECURE 23
#define AT_RANDOM 25
#define AT_HWCAP2 26
#define AT_EXECFN 31
#define AT_SYSINFO_EHDR 33
#define AT_MINSIGSTKSZ 51

#define STACK_BEGIN_BYTES 0x10000UL /* populated at once: more than most programs touch */

/* Linux, fs/exec.c: what a stack has below its strings at first; bounds of the strings. */
#define STACK_ROOM_BYTES 0x20000UL
#define STRINGS_LEAST 0x20000UL
#define STRINGS_MOST (LINUX_STACK_BYTES / 4 * 3)

#define PROGRAM_HEADER_BYTES 56
#define TICKS_PER_SECOND 100

/* The end of the stack, its pointer, and the first error; after an error pushing continues without effect. */
struct builder {
	uint64_t top, at;
	int error;
};

static uint64_t push_bytes(struct builder *to, const void *from, size_t bytes)
{
	if (to->error)
		return 0;
	to->at -= bytes;
	to->error = copy_to_user((void *)to->at, from, bytes);
	return to->at;
}

static void push_word(struct builder *to, uint64_t word)
{
	push_bytes(to, &word, sizeof(word));
}

static uint64_t push_string(struct builder *to, const char *string)
{
	return push_bytes(to, string, strlen(string) + 1);
}

/* The last string is pushed first, so that they are in order. */
static uint64_t push_strings(struct builder *to, struct strings strings)
{
	for (unsigned i = strings.count; i-- > 0;)
		push_string(to, strings.at[i]);
	return to->at;
}

/* Pushes pointers to consecutive strings from `first` on, and a null pointer. */
static void push_pointers(struct builder *to, struct strings strings, uint64_t first)
{
	push_word(to, 0);
	uint64_t at = first;
	for (unsigned i = 0; i < strings.count; i++)
		at += strlen(strings.at[i]) + 1;
	for (unsigned i = strings.count; i-- > 0;) {
		at -= strlen(strings.at[i]) + 1;
		push_word(to, at);
	}
}

uint64_t initial_stack_most(void)
{
	uint64_t most = limits_get(LINUX_RLIMIT_STACK) / 4;
	most = most < STRINGS_MOST ? most : STRINGS_MOST;
	return most > STRINGS_LEAST ? most : STRINGS_LEAST;
}

static uint64_t string_bytes(struct strings strings)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < strings.count; i++)
		bytes += strlen(strings.at[i]) + 1;
	return bytes;
}

/* Bytes at the stack's end before its pointers, in whole pages. */
static uint64_t string_pages(uint64_t bytes)
{
	return (sizeof(uint64_t) + bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

int initial_stack_check(const char *name, struct strings arguments, struct strings environment)
{
	uint64_t pointers = (arguments.count + environment.count + 0UL) * sizeof(uint64_t);
	uint64_t bytes = strlen(name) + 1 + string_bytes(arguments) + string_bytes(environment);
	bool fits = bytes + pointers <= initial_stack_most() && string_pages(bytes) <= limits_get(LINUX_RLIMIT_STACK);
	return fits ? 0 : -E2BIG;
}

/* Maps the stack with the bytes that its strings take (Linux, setup_arg_pages). Returns 0 or -ENOMEM. */
static int map_stack(uint64_t top, uint64_t strings, int rights)
{
	uint64_t bytes = string_pages(strings), limit = limits_get(LINUX_RLIMIT_STACK) & ~(PAGE_SIZE - 1);
	if (bytes + STACK_ROOM_BYTES <= limit)
		bytes += STACK_ROOM_BYTES;
	else if (bytes < limit)
		bytes = limit;
	uint64_t begin = bytes < STACK_BEGIN_BYTES ? bytes : STACK_BEGIN_BYTES;
	if (vm_map(top - bytes, bytes, rights) || vm_set_hints(top - bytes, bytes, VM_GROWS_DOWN, 0))
		return -ENOMEM;
	return vm_populate(top - begin, begin, VM_WRITE) == VM_FAULT_DONE ? 0 : -ENOMEM;
}

int initial_stack_build(const struct elf_program *program, const char *name, struct strings arguments,
                        struct strings environment, struct text *copy, uint64_t *top)
{
	struct builder to = {.top = linux_space_self()->layout.stack_top, .at = linux_space_self()->layout.stack_top};
	uint8_t seed[16];
	int error = map_stack(to.top, strlen(name) + 1 + string_bytes(arguments) + string_bytes(environment),
	                      VM_READ | VM_WRITE | (program->executable_stack ? VM_EXEC : 0));
	if (error)
		return error;
	push_word(&to, 0);
	uint64_t executed = push_string(&to, name);
	uint64_t environment_at = push_strings(&to, environment), arguments_at = push_strings(&to, arguments);
	uint64_t platform = push_string(&to, "x86_64");
	entropy_draw(&process_current->entropy, ENTROPY_PROGRAM, seed, sizeof(seed));
	to.at &= ~15UL;
	uint64_t random = push_bytes(&to, seed, sizeof(seed));
	const uint64_t vector[][2] = {
		{AT_SYSINFO_EHDR, linux_space_self()->layout.vdso},
		{AT_HWCAP, CPU_MODEL_LEAF1_EDX},
		{AT_PAGESZ, PAGE_SIZE},
		{AT_CLKTCK, TICKS_PER_SECOND},
		{AT_PHDR, program->headers},
		{AT_PHENT, PROGRAM_HEADER_BYTES},
		{AT_PHNUM, program->header_count},
		{AT_BASE, program->interpreter},
		{AT_FLAGS, 0},
		{AT_ENTRY, program->entry},
		{AT_UID, 0},
		{AT_EUID, 0},
		{AT_GID, 0},
		{AT_EGID, 0},
		{AT_SECURE, 0},
		{AT_RANDOM, random},
		{AT_HWCAP2, 0},
		{AT_EXECFN, executed},
		{AT_PLATFORM, platform},
		{AT_MINSIGSTKSZ, LINUX_MINSIGSTKSZ + cpu_xsave_bytes()},
		{AT_NULL, 0},
	};
	/* The words end at a multiple of 16, and therefore start at one if their number is even. */
	uint64_t words = 1 + arguments.count + 1 + environment.count + 1;
	if (words % 2)
		push_word(&to, 0);
	push_bytes(&to, vector, sizeof(vector));
	text_add(copy, vector, sizeof(vector));
	push_pointers(&to, environment, environment_at);
	push_pointers(&to, arguments, arguments_at);
	push_word(&to, arguments.count);
	*top = to.at;
	return to.error ? to.error : copy->error;
}
