/* SPDX-License-Identifier: MIT */
/* The system calls that Linux leaves to this process (seccomp(2)). A system call from the guest's code, at any address,
 * becomes SIGSYS. The stub's own code may map and unmap the guest's memory in this process, wait and wake, return from
 * signals, and go to the processors that the monitor names. Any other call ends the process. A guest that jumps into
 * the stub gains only these calls. The zygote, in which no guest runs, may also clone itself; its copies inherit its
 * filter and add their own. */
#include "engine/process/stub/filter.h"

#include <asm/prctl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "engine/process/stub/data.h"
#include "engine/process/stub/system.h"

struct program {
	struct sock_filter code[288];
	unsigned count;
};

#define FIELD(name) offsetof(struct seccomp_data, name)

static void add(struct program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	if (p->count == sizeof(p->code) / sizeof(p->code[0]))
		stub_die();
	p->code[p->count++] = (struct sock_filter){code, yes, no, k};
}

static void load(struct program *p, size_t field)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)field, 0, 0);
}

static void answer(struct program *p, uint32_t result)
{
	add(p, BPF_RET | BPF_K, result, 0, 0);
}

/* Continues with the next instruction if the value is k. Otherwise skips `otherwise` instructions. */
static void when(struct program *p, uint32_t k, uint8_t otherwise)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, k, 0, otherwise);
}

static void allow(struct program *p, uint32_t number)
{
	when(p, number, 1);
	answer(p, SECCOMP_RET_ALLOW);
}

/* Allows a call whose argument is one of two values. */
static void allow_with(struct program *p, uint32_t number, size_t argument, uint32_t one, uint32_t other)
{
	when(p, number, 6);
	load(p, argument);
	when(p, one, 1);
	answer(p, SECCOMP_RET_ALLOW);
	when(p, other, 1);
	answer(p, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_KILL_PROCESS);
}

/* Allows futex(2) without a timeout, because a guest could measure the host's time with one. */
static void allow_futex(struct program *p)
{
	when(p, SYS_futex, 10);
	load(p, FIELD(args[1]));
	when(p, FUTEX_WAKE, 1);
	answer(p, SECCOMP_RET_ALLOW);
	when(p, FUTEX_WAIT, 5);
	load(p, FIELD(args[3]));
	when(p, 0, 3);
	load(p, FIELD(args[3]) + 4);
	when(p, 0, 1);
	answer(p, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_KILL_PROCESS);
}

/* Allows this process to move to the processors in the plan. (A guest that maps its own memory over the plan can move
 * to any processor that the host allows to this process.) */
static void allow_placement(struct program *p)
{
	const uint64_t set = (uint64_t)PLAN->processors;
	when(p, SYS_sched_setaffinity, 8);
	load(p, FIELD(args[0]));
	when(p, 0, 5); /* the calling process */
	load(p, FIELD(args[2]));
	when(p, (uint32_t)set, 3);
	load(p, FIELD(args[2]) + 4);
	when(p, (uint32_t)(set >> 32), 1);
	answer(p, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_KILL_PROCESS);
}

/* Allows receiving the files of contents. */
static void allow_contents(struct program *p)
{
	when(p, SYS_recvmsg, 4);
	load(p, FIELD(args[0]));
	when(p, (uint32_t)DATA->head.contents, 1);
	answer(p, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_KILL_PROCESS);
}

/* Allows mappings of a file without PROT_WRITE. */
static void allow_reading(struct program *p)
{
	load(p, FIELD(args[2]));
	add(p, BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 0, 1);
	answer(p, SECCOMP_RET_KILL_PROCESS);
	answer(p, SECCOMP_RET_ALLOW);
}

/* Allows giving the right to write to one page outside of the stub's areas, in which the plan is not this process's to
 * change. The zygote has no mapping of a file that its copies may only read. */
static void allow_writing(struct program *p, enum filter_role role)
{
	if (role == FILTER_GUEST && !PLAN->others_are_read_only) {
		answer(p, SECCOMP_RET_KILL_PROCESS);
		return;
	}
	load(p, FIELD(args[1]));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, PAGE_SIZE, 1, 0);
	answer(p, SECCOMP_RET_KILL_PROCESS);
	load(p, FIELD(args[1]) + 4);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	answer(p, SECCOMP_RET_KILL_PROCESS);
	load(p, FIELD(args[0]) + 4);
	add(p, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(LAYOUT_ENGINE >> 32), 0, 2);
	add(p, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(LAYOUT_ENGINE_END >> 32), 1, 0);
	answer(p, SECCOMP_RET_KILL_PROCESS);
	answer(p, SECCOMP_RET_ALLOW);
}

/* Allows changing the rights of mappings. Where a file is open for writing that the guest may only read, rights may
 * only be taken. */
static void allow_rights(struct program *p, enum filter_role role)
{
	const unsigned at = p->count;
	when(p, SYS_mprotect, 0);
	load(p, FIELD(args[2]));
	add(p, BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 1, 0);
	answer(p, SECCOMP_RET_ALLOW);
	allow_writing(p, role);
	p->code[at].jf = (uint8_t)(p->count - at - 1);
}

/* Allows shared mappings of the guest's files at fixed addresses. All others that the process has are contents of host
 * files, which it may only read. The zygote's filter, which also applies to its copies, allows writable mappings of all
 * files of the plan. */
static void allow_mapping(struct program *p, enum filter_role role)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0);
	answer(p, SECCOMP_RET_KILL_PROCESS);
	load(p, FIELD(args[3]));
	add(p, BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)MAP_POPULATE, 0, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED | MAP_FIXED, 1, 0);
	answer(p, SECCOMP_RET_KILL_PROCESS);
	load(p, FIELD(args[4]));
	for (unsigned i = 0; i < PLAN->file_count; i++) {
		bool writable = role == FILTER_ZYGOTE || PLAN->file_writable[i];
		when(p, (uint32_t)PLAN->files[i], writable ? 1 : 4);
		if (writable)
			answer(p, SECCOMP_RET_ALLOW);
		else
			allow_reading(p);
	}
	allow_reading(p);
}

/* Allows the calls that only the zygote makes, and its copies before they have their own filter. */
static void allow_zygote(struct program *p)
{
	allow(p, SYS_rt_sigprocmask);
	allow(p, SYS_exit_group);
	allow(p, SYS_getppid);
	const uint32_t copy = CLONE_PARENT | CLONE_FILES | SIGCHLD;
	allow_with(p, SYS_clone, FIELD(args[0]), copy, copy);
	allow_with(p, SYS_prctl, FIELD(args[0]), PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS);
	allow_with(p, SYS_seccomp, FIELD(args[0]), SECCOMP_SET_MODE_FILTER, SECCOMP_SET_MODE_FILTER);
}

void filter_install(enum filter_role role)
{
	struct program p;
	p.count = 0;
	load(&p, FIELD(instruction_pointer) + 4);
	when(&p, (uint32_t)(STUB_TEXT >> 32), 2);
	load(&p, FIELD(instruction_pointer));
	add(&p, BPF_JMP | BPF_JGE | BPF_K, STUB_TEXT_BYTES, 0, 1);
	answer(&p, SECCOMP_RET_TRAP);
	load(&p, FIELD(arch));
	add(&p, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	answer(&p, SECCOMP_RET_KILL_PROCESS);
	load(&p, FIELD(nr));
	allow(&p, SYS_rt_sigreturn);
	allow(&p, SYS_munmap);
	allow_futex(&p);
	allow_with(&p, SYS_arch_prctl, FIELD(args[0]), ARCH_SET_FS, ARCH_SET_GS);
	allow_rights(&p, role);
	allow_placement(&p);
	allow_contents(&p);
	if (role == FILTER_ZYGOTE)
		allow_zygote(&p);
	allow_mapping(&p, role);
	struct sock_fprog program = {.len = (unsigned short)p.count, .filter = p.code};
	stub_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
	long result = stub_call3(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
	if (result)
		stub_call3(SYS_exit_group, -result & 0xff, 0, 0);
}
