/* SPDX-License-Identifier: MIT */
/* Instructions that no program may execute, each in a child: signal, code, address and trap number. Natively all of
 * `trapping` give what the table says. Those of `absent` are in no model, so they are SIGILL in a guest; a host may
 * have them, and its answers are not looked at. */
#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "absent_instructions.h"

struct form {
	const char *name, *code;
};

/* A function for each instruction, described by unwind tables as a compiler's are. */
#define CODE(number, bytes) \
	".pushsection .text\n\t.type form_" #number ", @function\nform_" #number ":\n\t.cfi_startproc\n\t.byte " bytes \
	"\n\tret\n\t.cfi_endproc\n\t.size form_" #number ", . - form_" #number "\n\t.popsection\n\t"

/* General protection faults and invalid opcodes on every processor. Memory operands are (%rdi). */
#define TRAPPING(X) \
	X(hlt, "0xf4") \
	X(cli, "0xfa") \
	X(sti, "0xfb") \
	X(in_al_dx, "0xec") \
	X(in_eax_dx, "0xed") \
	X(out_dx_al, "0xee") \
	X(insb, "0x6c") \
	X(outsb, "0x6e") \
	X(lgdt, "0x0f, 0x01, 0x17") \
	X(lidt, "0x0f, 0x01, 0x1f") \
	X(lldt, "0x0f, 0x00, 0xd0") \
	X(ltr, "0x0f, 0x00, 0xd8") \
	X(lmsw, "0x0f, 0x01, 0xf0") \
	X(clts, "0x0f, 0x06") \
	X(invd, "0x0f, 0x08") \
	X(wbinvd, "0x0f, 0x09") \
	X(wbnoinvd, "0xf3, 0x0f, 0x09") \
	X(mov_from_cr0, "0x0f, 0x20, 0xc0") \
	X(mov_from_cr3, "0x0f, 0x20, 0xd8") \
	X(mov_to_cr4, "0x0f, 0x22, 0xe0") \
	X(mov_from_cr8, "0x44, 0x0f, 0x20, 0xc0") \
	X(mov_from_dr7, "0x0f, 0x21, 0xf8") \
	X(mov_to_dr0, "0x0f, 0x23, 0xc0") \
	X(rdmsr, "0x0f, 0x32") \
	X(wrmsr, "0x0f, 0x30") \
	X(sysretq, "0x48, 0x0f, 0x07") \
	X(invlpg, "0x0f, 0x01, 0x3f") \
	X(swapgs, "0x0f, 0x01, 0xf8") \
	X(clac, "0x0f, 0x01, 0xca") \
	X(stac, "0x0f, 0x01, 0xcb") \
	X(rsm, "0x0f, 0xaa") \
	X(ud0, "0x0f, 0xff, 0xc0") \
	X(ud1, "0x0f, 0xb9, 0xc0") \
	X(ud2, "0x0f, 0x0b") \
	X(push_es, "0x06") \
	X(push_ds, "0x1e") \
	X(daa, "0x27") \
	X(aaa, "0x37") \
	X(pusha, "0x60") \
	X(opcode_82, "0x82, 0xc0, 0x00") \
	X(call_far, "0x9a") \
	X(into, "0xce") \
	X(aam, "0xd4, 0x0a") \
	X(salc, "0xd6") \
	X(jmp_far, "0xea") \
	X(lock_nop, "0xf0, 0x90") \
	X(mov_cs, "0x8e, 0xc8")

#define DEFINE(name, bytes) CODE(name, bytes)
#define DECLARE(name, bytes) extern const char form_##name[];
#define ROW(name, bytes) {#name, form_##name},

__asm__(TRAPPING(DEFINE) ABSENT(DEFINE));
TRAPPING(DECLARE)
ABSENT(DECLARE)

static const struct form trapping[] = {TRAPPING(ROW)}, absent[] = {ABSENT(ROW)};
static char memory[4096] __attribute__((aligned(4096)));
static const struct form *tried;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const char *at = (const char *)registers[REG_RIP], *address = info->si_addr;
	printf("%s: signal %d, code %d, %s address, trap %lld, error %llx%s\n", tried->name, sig, info->si_code,
	       !address                 ? "no"
	       : address == tried->code ? "its"
	                                : "another",
	       registers[REG_TRAPNO], registers[REG_ERR], at == tried->code ? "" : ", elsewhere");
	fflush(stdout);
	_exit(0);
}

static void try(const struct form *form)
{
	fflush(stdout);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
		struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
		for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
			sigaction(signals[i], &action, NULL);
		tried = form;
		__asm__ volatile("call *%0"
		                 :
		                 : "r"(form->code), "D"(memory), "S"(memory), "a"(0), "b"(0), "c"(0), "d"(0)
		                 : "memory", "cc", "r8", "xmm0", "xmm1");
		printf("%s: nothing\n", form->name);
		fflush(stdout);
		_exit(0);
	}
	int status;
	assert(waitpid(child, &status, 0) == child);
	if (status)
		printf("%s: status %x\n", form->name, status);
}

int main(void)
{
	struct utsname name;
	for (unsigned i = 0; i < sizeof(trapping) / sizeof(trapping[0]); i++)
		try(&trapping[i]);
	bool is_guest = !uname(&name) && strstr(name.release, "eremite");
	for (unsigned i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (is_guest)
			try(&absent[i]);
		else
			printf("%s: signal 4, code 2, its address, trap 6, error 0\n", absent[i].name);
	return 0;
}
