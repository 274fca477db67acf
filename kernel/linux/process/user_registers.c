/* SPDX-License-Identifier: MIT */
#include "kernel/linux/process/user_registers.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "kernel/arch/selectors.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub.h"

/* Linux's selectors, as programs know them. */
#define LINUX_CS 0x33
#define LINUX_SS 0x2b

struct user_registers user_registers_of(const struct thread *thread, const struct trap_frame *frame)
{
	bool in_call = frame->vector == LINUX_BY_TRAP || frame->vector == LINUX_BY_JUMP;
	return (struct user_registers){
		.r15 = frame->r15,
		.r14 = frame->r14,
		.r13 = frame->r13,
		.r12 = frame->r12,
		.rbp = frame->rbp,
		.rbx = frame->rbx,
		.r11 = in_call ? frame->rflags : frame->r11,
		.r10 = frame->r10,
		.r9 = frame->r9,
		.r8 = frame->r8,
		.rax = in_call ? (uint64_t)-ENOSYS : frame->rax,
		.rcx = in_call ? stub_original(frame->rip) : frame->rcx,
		.rdx = frame->rdx,
		.rsi = frame->rsi,
		.rdi = frame->rdi,
		.orig_rax = in_call ? frame->error_code : UINT64_MAX,
		.rip = stub_original(frame->rip),
		.cs = LINUX_CS,
		.eflags = frame->rflags,
		.rsp = frame->rsp,
		.ss = LINUX_SS,
		.fs_base = thread->fs_base,
		.gs_base = thread->gs_base,
		.ds = selectors_at(thread->selectors, SELECTORS_DS_AT),
		.es = selectors_at(thread->selectors, SELECTORS_ES_AT),
		.fs = selectors_at(thread->selectors, SELECTORS_FS_AT),
		.gs = selectors_at(thread->selectors, SELECTORS_GS_AT),
	};
}
