/* SPDX-License-Identifier: MIT */
/* Instructions that must not run as they are, in code that the program makes: each gives what it gives in the program's
 * own code. It begins the code, which the search then follows from there, or it is in a function behind another one,
 * called when the page was searched already. */
#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "absent_instructions.h"

#define PAGE 4096UL
#define SECOND 256UL /* offset of the second function */

/* Instructions that are emulated, or refused as a kernel's. Memory operands are (%rdi). */
#define EMULATED(X) \
	X(cpuid, "0x0f, 0xa2") \
	X(sgdt, "0x0f, 0x01, 0x07") \
	X(sidt, "0x0f, 0x01, 0x0f") \
	X(smsw, "0x0f, 0x01, 0xe0") \
	X(smsw_memory, "0x0f, 0x01, 0x27") \
	X(sldt, "0x0f, 0x00, 0xc0") \
	X(str, "0x0f, 0x00, 0xc8") \
	X(str_memory, "0x0f, 0x00, 0x0f") \
	X(verr, "0x0f, 0x00, 0xe0, 0x9c, 0x58") /* pushf; pop %rax */ \
	X(verw, "0x0f, 0x00, 0xe8, 0x9c, 0x58") \
	X(lar, "0x0f, 0x02, 0xc1") \
	X(lsl, "0x0f, 0x03, 0xc1") \
	X(rdfsbase, "0xf3, 0x48, 0x0f, 0xae, 0xc0") \
	X(rdgsbase, "0xf3, 0x48, 0x0f, 0xae, 0xc8") \
	X(wrgsbase, "0xf3, 0x48, 0x0f, 0xae, 0xd8") \
	X(xgetbv, "0x0f, 0x01, 0xd0") \
	X(xsave, "0x48, 0x0f, 0xae, 0x27") \
	X(xrstor, "0x48, 0x0f, 0xae, 0x2f") \
	X(fxsave, "0x0f, 0xae, 0x07") \
	X(fxsave64, "0x48, 0x0f, 0xae, 0x07") \
	X(fnstenv, "0xd9, 0xe8, 0xd9, 0x37") /* fld1 before it */ \
	X(fnsave, "0xd9, 0xe8, 0xdd, 0x37") \
	X(sysenter, "0x0f, 0x34") \
	X(sysexit, "0x0f, 0x35") \
	X(rdtscp_of_a_constant, "0x0f, 0x01, 0xf9, 0x31, 0xc0, 0x31, 0xd2") /* xor %eax, %eax; xor %edx, %edx */ \
	X(rdtsc_of_a_constant, "0x0f, 0x31, 0x31, 0xc0, 0x31, 0xd2")

/* A function for each instruction, described by unwind tables as a compiler's are. */
#define DEFINE(name, bytes) \
	".pushsection .text\n\t.type form_" #name ", @function\nform_" #name ":\n\t.cfi_startproc\n\t.byte " bytes \
	"\n\tret\n\t.cfi_endproc\n\t.size form_" #name ", . - form_" #name "\n\t.popsection\n\t"
#define DECLARE(name, bytes) extern const uint8_t form_##name[];
#define ROW(name, bytes) {#name, bytes, form_##name},

__asm__(EMULATED(DEFINE) ABSENT(DEFINE));
EMULATED(DECLARE)
ABSENT(DECLARE)

struct form {
	const char *name, *bytes;
	const uint8_t *code; /* where it may be patched */
};

static const struct form forms[] = {EMULATED(ROW) ABSENT(ROW)};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

/* What an instruction does. */
struct outcome {
	int signal, code, trap;
	int is_there; /* whether the signal's address is the instruction's */
	uint64_t registers[4];
	uint8_t memory[PAGE];
};

static struct outcome *shared;
static uint8_t memory[PAGE] __attribute__((aligned(64)));
static const uint8_t *tried;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	shared->signal = sig;
	shared->code = info->si_code;
	shared->trap = (int)((ucontext_t *)context)->uc_mcontext.gregs[REG_TRAPNO];
	shared->is_there = info->si_addr == (void *)tried;
	_exit(0);
}

static void run(const uint8_t *code)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	uint64_t *r = shared->registers;
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	tried = code;
	__asm__ volatile("fninit\n\tcall *%4"
	                 : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3])
	                 : "r"(code), "D"(memory), "S"(memory), "a"(0UL), "b"(0UL), "c"(0UL), "d"(0UL)
	                 : "memory", "cc", "r8", "xmm0", "xmm1");
	memcpy(shared->memory, memory, sizeof(memory));
	_exit(0);
}

static uint8_t *map_code(const struct form *form, size_t offset)
{
	uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(page != MAP_FAILED);
	memset(page, 0xcc, PAGE);
	page[0] = 0xc3;
	for (const char *next = form->bytes; next; next = strchr(next, ','), next += next != NULL)
		page[offset++] = (uint8_t)strtoul(next, NULL, 16);
	page[offset] = 0xc3;
	assert(!mprotect(page, PAGE, PROT_READ | PROT_EXEC));
	return page;
}

/* Runs an instruction in a child, at `offset` in code made at run time, or with -1 in the program. */
static struct outcome try(const struct form *form, long offset)
{
	memset(shared, 0, sizeof(*shared));
	fflush(stdout);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		if (offset < 0)
			run(form->code);
		uint8_t *page = map_code(form, (size_t)offset);
		if (offset)
			((void (*)(void))(uintptr_t)page)();
		run(page + offset);
	}
	int status;
	assert(waitpid(child, &status, 0) == child);
	assert(!status);
	return *shared;
}

static void print(const struct outcome *own, const struct outcome *other)
{
	if (!memcmp(own, other, sizeof(*own)))
		printf(" same");
	else if (own->signal != other->signal || own->code != other->code || own->trap != other->trap ||
	         own->is_there != other->is_there)
		printf(" signal %d, code %d, trap %d, at %d instead of %d, %d, %d, %d", other->signal, other->code,
		       other->trap, other->is_there, own->signal, own->code, own->trap, own->is_there);
	else if (memcmp(own->registers, other->registers, sizeof(own->registers)))
		printf(" other registers");
	else
		printf(" other memory");
}

int main(void)
{
	struct utsname name;
	const bool is_guest = !uname(&name) && strstr(name.release, "eremite");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(shared != MAP_FAILED);
	for (unsigned i = 0; i < FORMS; i++) {
		const struct form *form = &forms[i];
		if (!is_guest) { /* a host may have the instruction */
			printf("%s: same same\n", form->name);
			continue;
		}
		const struct outcome own = try(form, -1), first = try(form, 0), second = try(form, SECOND);
		printf("%s:", form->name);
		print(&own, &first);
		print(&own, &second);
		printf("\n");
	}
	return 0;
}
