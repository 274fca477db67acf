/* SPDX-License-Identifier: MIT */
/* Classifies an exception: work for the kernel, a failed access to program memory, or a fault of the program. */
#include "kernel/trap/exception.h"

#include "kernel/arch/trap.h"

#include "abi/layout.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/gate.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/sched/thread.h"
#include "kernel/signal/signal.h"
#include "kernel/trap/code32.h"
#include "kernel/trap/emulate.h"
#include "kernel/trap/refused.h"

extern const char uaccess_begin[], uaccess_end[], uaccess_fail[];
extern const char __kernel_text_start[], __kernel_text_end[], __kernel_calls_start[],
	__kernel_calls_end[]; /* image.ld */

#define RFLAGS_TF 0x100UL
#define RFLAGS_AC 0x40000UL

#define PAGE_FAULT_PRESENT 1UL
#define PAGE_FAULT_WRITE 2UL
#define PAGE_FAULT_USER 4UL
#define PAGE_FAULT_FETCH 16UL

/* A fault this far below the stack's lowest address is still taken for an overflow, by a large local variable. */
#define STACK_REACH (1UL << 30)

/* The limit for threads, whose stacks and guards are smaller. */
#define THREAD_STACK_REACH (1UL << 20)

static bool is_at_code(const struct trap_frame *frame, const char *begin, const char *end)
{
	return frame->rip >= (uint64_t)begin && frame->rip < (uint64_t)end;
}

/* Whether the kernel faulted on a pointer that the program had passed to it. */
static bool is_bad_pointer(const struct trap_frame *frame)
{
	return is_at_code(frame, uaccess_begin, uaccess_end) &&
	       (frame->vector == TRAP_PAGE_FAULT || frame->vector == TRAP_GENERAL_PROTECTION ||
	        frame->vector == TRAP_STACK_SEGMENT);
}

/* A program that steps (TF) or checks alignment (AC) calls the kernel, which is a function. TF and AC must not affect
 * the kernel, and the program must not see the kernel's instructions, which differ under --verify. A step that arrives
 * at a kernel call is cancelled, and continues at its return address. Elsewhere (a handler returns) stepping ends, as
 * on Linux. A misaligned access by the kernel is executed without the check. Returns whether the exception was handled
 * here. */
static bool hide_kernel(struct trap_frame *frame)
{
	static bool unchecked; /* between the alignment check and the step over its instruction */
	static uint64_t stepping;
	bool kernel = is_at_code(frame, __kernel_text_start, __kernel_text_end);
	if (frame->vector == TRAP_ALIGNMENT && kernel) {
		unchecked = true;
		stepping = frame->rflags & RFLAGS_TF;
		frame->rflags = (frame->rflags & ~RFLAGS_AC) | RFLAGS_TF;
		return true;
	}
	if (frame->vector == TRAP_BREAKPOINT && frame->rip == (uint64_t)step_return_trap) {
		frame->rflags |= RFLAGS_TF;
		frame->rsp += sizeof(uint64_t);
		return true;
	}
	if (frame->vector != TRAP_DEBUG)
		return false;
	if (unchecked) {
		unchecked = false;
		frame->rflags = (frame->rflags & ~RFLAGS_TF) | RFLAGS_AC | stepping;
		if (!stepping)
			return true;
	}
	if (!kernel)
		return false;
	frame->rflags &= ~RFLAGS_TF;
	if (is_at_code(frame, __kernel_calls_start, __kernel_calls_end)) {
		const uint64_t below[2] = {(uint64_t)step_return, 0};
		if (!copy_to_user((void *)(frame->rsp - sizeof(below)), below, sizeof(below)))
			frame->rsp -= sizeof(below); /* else there is no stack for the call either */
	}
	return true;
}

static int wanted(const struct trap_frame *frame)
{
	return frame->error_code & PAGE_FAULT_FETCH   ? VM_EXEC
	       : frame->error_code & PAGE_FAULT_WRITE ? VM_WRITE
	                                              : VM_READ;
}

/* Whether a thread other than the first used memory below its stack: nothing is mapped between the address and its
 * stack pointer, or nothing is mapped at the stack pointer itself. */
static bool is_overflow(const struct trap_frame *frame)
{
	uint64_t address = frame->address, sp = frame->rsp;
	if (thread_current->number == PROCESS_ID || address >= sp + PAGE_SIZE || sp >= address + THREAD_STACK_REACH)
		return false;
	return !(vm_protection(address) & VM_WRITE) && (vm_protection(sp + PAGE_SIZE) & VM_WRITE);
}

/* Hosts report addresses above the program's half in different ways, even from run to run. Linux reports an access
 * behind the end of a program's addresses as a protection violation. An address that is not canonical raises a
 * general-protection or stack-segment fault instead of a page fault, unless the host has page tables of five levels. */
static void settle_page_fault(struct trap_frame *frame)
{
	int64_t address = (int64_t)frame->address;
	if (frame->address < VM_ADDRESS_END)
		return;
	frame->error_code =
		(frame->error_code & (PAGE_FAULT_WRITE | PAGE_FAULT_FETCH)) | PAGE_FAULT_PRESENT | PAGE_FAULT_USER;
	if (address >> 47 != 0 && address >> 47 != -1) {
		frame->vector = refused_is_of_stack(frame) ? TRAP_STACK_SEGMENT : TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
	}
}

/* Sends the signal for a page fault that the kernel cannot resolve. */
static void page_fault(struct trap_frame *frame, enum vm_fault fault)
{
	static char what[120];
	static const char *const accesses[] = {
		[VM_READ] = "read from", [VM_WRITE] = "wrote to", [VM_EXEC] = "jumped to"};
	uint64_t address = frame->address;
	int sig = LINUX_SIGSEGV, code = LINUX_SEGV_MAPERR;
	const char *place = "which is not mapped";
	if (fault == VM_FAULT_BEYOND || fault == VM_FAULT_NO_MEMORY) {
		sig = LINUX_SIGBUS;
		code = LINUX_BUS_ADRERR;
		place = fault == VM_FAULT_BEYOND ? "behind the end of the mapped file"
		                                 : "and no memory is left for the page; raise --memory";
	} else if (is_overflow(frame)) {
		code = fault == VM_FAULT_DENIED ? LINUX_SEGV_ACCERR : LINUX_SEGV_MAPERR;
		place = "below the end of the thread's stack: it has overflowed";
	} else if (fault == VM_FAULT_DENIED || (frame->error_code & PAGE_FAULT_PRESENT && address < VM_ADDRESS_END) ||
	           personality.image_is_program(address, 1)) {
		code = LINUX_SEGV_ACCERR;
		place = "where that is not allowed";
	} else if (address >= LAYOUT_STACK_TOP - LAYOUT_STACK_MAX - STACK_REACH && address < LAYOUT_STACK_TOP) {
		place = "below the end of the stack: it has overflowed";
	} else if (address < PAGE_SIZE) {
		place = "a null pointer";
	}
	format(what, sizeof(what), "the program %s 0x%lx, %s", accesses[wanted(frame)], address, place);
	signal_fault(frame, sig, code, address, what);
}

#define MXCSR_MASKS_SHIFT 7

/* The unmasked exception that occurred; the registers are still the program's. In Linux's order
 * (fpu__exception_code). */
static int float_code(bool simd)
{
	uint32_t flags;
	uint16_t control, status;
	if (simd) {
		__asm__ volatile("stmxcsr %0" : "=m"(flags));
		flags &= ~(flags >> MXCSR_MASKS_SHIFT);
	} else {
		__asm__ volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=a"(status));
		flags = status & ~(uint32_t)control;
	}
	if (flags & 0x01)
		return LINUX_FPE_FLTINV;
	if (flags & 0x04)
		return LINUX_FPE_FLTDIV;
	if (flags & 0x08)
		return LINUX_FPE_FLTOVF;
	return flags & 0x12 ? LINUX_FPE_FLTUND : LINUX_FPE_FLTRES;
}

static void arithmetic_fault(struct trap_frame *frame)
{
	if (frame->vector == TRAP_DIVIDE_ERROR)
		signal_fault(frame, LINUX_SIGFPE, LINUX_FPE_INTDIV, frame->rip,
		             "the program divided by zero, or the quotient does not fit");
	else
		signal_fault(frame, LINUX_SIGFPE, float_code(frame->vector == TRAP_SIMD), frame->rip,
		             "the program did floating-point arithmetic that it had made a trap");
}

#define INT3_OPCODE 0xcc
#define INT_OPCODE 0xcd
#define INTO_OPCODE 0xce /* in 32-bit code */
#define INT_VECTOR_SHIFT 3
#define INT_ERROR_IDT 2UL

#define INSTRUCTION_BYTES_MAX 15
#define SYSENTER_OPCODE 0x34 /* after 0x0f; the opcode of sysexit is 0x35 */

/* Whether a byte may precede an opcode without changing it. LOCK is left out, because none of these instructions may
 * have it. */
static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e: /* segments */
	case 0x64 ... 0x67:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return (byte & 0xf0) == 0x40; /* REX */
	}
}

static bool is_sysenter(const struct trap_frame *frame)
{
	uint8_t code[2];
	uint64_t at = frame->rip;
	do
		if (at - frame->rip > INSTRUCTION_BYTES_MAX - sizeof(code) ||
		    copy_from_user(code, (const void *)at, sizeof(code)))
			return false;
	while (is_prefix(code[0]) && ++at);
	return code[0] == 0x0f && (code[1] == SYSENTER_OPCODE || code[1] == SYSENTER_OPCODE + 1);
}

/* kvm-pvm treats `int n` as an invalid opcode. A processor raises a general-protection fault, except for `int $3`
 * and `int $4`, whose gates Linux gives to ring 3 (SDM 2A, INT n). The guest's table has no such gate for 4. In 64-bit
 * mode sysenter and sysexit are invalid opcodes on AMD processors, and a fault on Intel's. */
static void settle_software_interrupt(struct trap_frame *frame)
{
	uint8_t code[2];
	if (copy_from_user(code, (const void *)frame->rip, sizeof(code)))
		return;
	if (is_sysenter(frame)) {
		frame->vector = TRAP_GENERAL_PROTECTION;
		return;
	}
	if (frame->cs == SELECTOR_RING3_CODE32 && code[0] == INT3_OPCODE) {
		frame->vector = TRAP_BREAKPOINT;
		frame->error_code = 0;
		frame->rip++;
	}
	if (frame->cs == SELECTOR_RING3_CODE32 && code[0] == INTO_OPCODE) {
		frame->vector = TRAP_OVERFLOW;
		frame->error_code = 0;
		frame->rip++;
	}
	if (code[0] != INT_OPCODE)
		return;
	if (code[1] == TRAP_BREAKPOINT || code[1] == TRAP_OVERFLOW) {
		frame->vector = code[1];
		frame->error_code = 0;
		frame->rip += sizeof(code);
	} else {
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = (uint64_t)code[1] << INT_VECTOR_SHIFT | INT_ERROR_IDT;
	}
}

#define INT1_OPCODE 0xf1

#define POPF_OPCODE 0x9d /* the step after one that ends stepping */

/* Some virtual machines stop before `int1`, a processor after it (SDM 2B, INT1). Two in a row, and a step, are
 * ambiguous and stay unchanged. */
static void settle_int1(struct trap_frame *frame)
{
	uint8_t code[2];
	if (!(frame->rflags & RFLAGS_TF) && !copy_from_user(code, (const void *)(frame->rip - 1), sizeof(code)) &&
	    code[0] != INT1_OPCODE && code[0] != POPF_OPCODE && code[1] == INT1_OPCODE)
		frame->rip++;
}

static bool emulate(struct trap_frame *frame)
{
	if (frame->vector == TRAP_BREAKPOINT)
		return emulate_trap_site(frame);
	return code32_emulate(frame) ||
	       ((frame->vector == TRAP_INVALID_OPCODE || frame->vector == TRAP_GENERAL_PROTECTION) &&
	        personality.emulate_refused(frame));
}

/* A step, or `int1`. The processor distinguishes them in DR6, which ring 3 cannot read. */
static void debug_trap(struct trap_frame *frame)
{
	uint8_t before;
	if (!copy_from_user(&before, (const void *)(frame->rip - 1), 1) && before == INT1_OPCODE &&
	    !(frame->rflags & RFLAGS_TF))
		signal_fault(frame, LINUX_SIGTRAP, LINUX_TRAP_BRKPT, frame->rip, "the program reached a breakpoint");
	else
		signal_fault(frame, LINUX_SIGTRAP, LINUX_TRAP_TRACE, frame->rip,
		             "the program stepped (set the trap flag)");
}

/* Without page tables no exception can be delivered, and the processor shuts down (SDM 3A 6.15, #DF). This needs no
 * port, and no memory but the gate's. */
static _Noreturn void shut_down(void)
{
	gate_load_cr3(0);
	__builtin_unreachable();
}

/* Whether the frame's RIP is at the instruction that caused the exception (a fault) and not after it (a trap). SDM 3A
 * 6.5. */
static bool is_before_instruction(const struct trap_frame *frame)
{
	return frame->vector != TRAP_DEBUG && frame->vector != TRAP_BREAKPOINT && frame->vector != TRAP_OVERFLOW;
}

bool (*exception_first)(struct trap_frame *frame);

/* Counts an exception for --summary. */
static void count_trap(uint64_t vector)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	switch (vector) {
	case TRAP_PAGE_FAULT:
		stats->traps[STATS_TRAPS_page_faults]++;
		break;
	case TRAP_BREAKPOINT:
	case TRAP_INVALID_OPCODE:
	case TRAP_GENERAL_PROTECTION:
		stats->traps[STATS_TRAPS_instructions]++;
		break;
	default:
		stats->traps[STATS_TRAPS_others]++;
	}
}

/* Sends the program the signal of an exception that nothing else has handled. */
static void send_fault(struct trap_frame *frame, enum vm_fault fault)
{
	switch (frame->vector) {
	case TRAP_PAGE_FAULT:
		page_fault(frame, fault);
		break;
	case TRAP_DIVIDE_ERROR:
	case TRAP_X87:
	case TRAP_SIMD:
		arithmetic_fault(frame);
		break;
	case TRAP_DEBUG:
		debug_trap(frame);
		break;
	case TRAP_ALIGNMENT:
		signal_fault(frame, LINUX_SIGBUS, LINUX_BUS_ADRALN, 0,
		             "the program accessed memory that is not aligned, and had asked for the "
		             "check (AC)");
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
	default: /* a bad address based on RSP or RBP is SIGBUS, as on Linux */
		signal_fault(frame, frame->vector == TRAP_STACK_SEGMENT ? LINUX_SIGBUS : LINUX_SIGSEGV, LINUX_SI_KERNEL,
		             0, "the program did what only a kernel may, or used a non-canonical address");
	}
}

static void handle_trap(struct trap_frame *frame)
{
	enum vm_fault fault = VM_FAULT_UNMAPPED;
	count_trap(frame->vector);
	if (frame->vector == TRAP_PAGE_FAULT) {
		if (exception_first && exception_first(frame))
			return;
		if (pagetable_fault_direct(frame->address))
			return;
	}
	if (personality.exec_fault(frame))
		return;
	if (frame->vector == TRAP_PAGE_FAULT) {
		fault = vm_fault(frame->address, wanted(frame));
		if (fault == VM_FAULT_DONE) {
			gate_show(frame->address);
			return;
		}
		settle_page_fault(frame);
	}
	if (is_bad_pointer(frame)) {
		frame->rip = (uint64_t)uaccess_fail;
		return;
	}
	if (hide_kernel(frame))
		return;
	if (end_is_being_told())
		shut_down();
	if (frame->vector == TRAP_INVALID_OPCODE || frame->vector == TRAP_GENERAL_PROTECTION)
		settle_software_interrupt(frame);
	if (frame->vector == TRAP_DEBUG)
		settle_int1(frame);
	if (emulate(frame)) {
		if (!(frame->rflags & RFLAGS_TF))
			return;
		frame->vector = TRAP_DEBUG; /* the program's step over an instruction that the kernel emulated */
		frame->error_code = 0;
	}
	if (is_before_instruction(frame))
		frame->rip = personality.signal_fault_place(frame->rip);
	send_fault(frame, fault);
}

void exception_handle(struct trap_frame *frame)
{
	if (personality.trap_begins && personality.trap_begins(frame))
		return;
	handle_trap(frame);
	if (personality.trap_ends)
		personality.trap_ends(frame);
}
