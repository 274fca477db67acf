/* SPDX-License-Identifier: MIT */
/* What an exception means: work for the kernel, a failed access to program memory, or a fault of the program. */
#include "kernel/arch/trap.h"

#include "kernel/trap/emulate.h"
#include "kernel/lib/format.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/signal/signal.h"

extern const char uaccess_begin[], uaccess_end[], uaccess_fail[];

#define PAGE_FAULT_PRESENT 1UL
#define PAGE_FAULT_WRITE 2UL
#define PAGE_FAULT_FETCH 16UL

static bool in_uaccess(const struct trap_frame *frame)
{
	return frame->rip >= (uint64_t)uaccess_begin && frame->rip < (uint64_t)uaccess_end;
}

static void page_fault(struct trap_frame *frame)
{
	static char what[120];
	const char *access = frame->error_code & PAGE_FAULT_FETCH   ? "jumped to"
	                     : frame->error_code & PAGE_FAULT_WRITE ? "wrote to"
	                                                            : "read from";
	uint64_t address = frame->address;
	bool mapped = frame->error_code & PAGE_FAULT_PRESENT;
	int code = mapped || vm_is_mapped(address, 1) ? LINUX_SEGV_ACCERR : LINUX_SEGV_MAPERR;
	const char *place = "which is not mapped";
	if (code == LINUX_SEGV_ACCERR)
		place = "where that is not allowed";
	else if (address >= LAYOUT_STACK_TOP - LAYOUT_STACK_MAX - BLOCK_SIZE && address < LAYOUT_STACK_TOP)
		place = "below the end of the stack: it has overflowed";
	else if (address < PAGE_SIZE)
		place = "a null pointer";
	format(what, sizeof(what), "the program %s 0x%lx, %s", access, address, place);
	signal_fault(frame, LINUX_SIGSEGV, code, address, what);
}

static void arithmetic_fault(struct trap_frame *frame)
{
	if (frame->vector == TRAP_DIVIDE_ERROR)
		signal_fault(frame, LINUX_SIGFPE, LINUX_FPE_INTDIV, frame->rip,
		             "the program divided by zero, or the quotient does not fit");
	else
		signal_fault(frame, LINUX_SIGFPE, LINUX_FPE_FLTINV, frame->rip,
		             "the program did floating-point arithmetic that it had made a trap");
}

void trap_handle(struct trap_frame *frame)
{
	if (frame->vector == TRAP_PAGE_FAULT && pagetable_fault_direct(frame->address))
		return;
	if (in_uaccess(frame)) {
		frame->rip = (uint64_t)uaccess_fail;
		return;
	}
	if (frame->vector == TRAP_BREAKPOINT && emulate_trap_site(frame))
		return;
	if ((frame->vector == TRAP_INVALID_OPCODE || frame->vector == TRAP_GENERAL_PROTECTION) &&
	    emulate_refused(frame))
		return;
	switch (frame->vector) {
	case TRAP_PAGE_FAULT:
		page_fault(frame);
		break;
	case TRAP_DIVIDE_ERROR:
	case TRAP_X87:
	case TRAP_SIMD:
		arithmetic_fault(frame);
		break;
	case TRAP_DEBUG:
		signal_fault(frame, LINUX_SIGTRAP, LINUX_TRAP_BRKPT, frame->rip, "the program reached a breakpoint");
		break;
	case TRAP_BREAKPOINT: /* Linux gives no address for int3 */
		signal_fault(frame, LINUX_SIGTRAP, LINUX_SI_KERNEL, 0, "the program reached a breakpoint");
		break;
	case TRAP_INVALID_OPCODE:
		signal_fault(frame, LINUX_SIGILL, LINUX_ILL_ILLOPN, frame->rip,
		             "the program executed an instruction that its processor model does not have");
		break;
	case TRAP_SYSCALL:
		signal_fault(frame, LINUX_SIGSYS, 1, frame->rip,
		             "the program executed a syscall instruction; a native image calls the kernel's functions");
		break;
	default:
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program did what only a kernel may, or used a non-canonical address");
	}
}
