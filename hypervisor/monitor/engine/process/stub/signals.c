/* SPDX-License-Identifier: MIT */
/* Linux reports exceptions by signals. The handler's frame serves as the processor's registers: changes to it take
 * effect when the handler returns. All signals are blocked meanwhile. */
#include <signal.h>
#include <sys/syscall.h>

#include "abi/doorbell.h"
#include "abi/tables.h"
#include "engine/process/stub/data.h"
#include "engine/process/stub/exceptions.h"
#include "engine/process/stub/mapped.h"
#include "engine/process/stub/processors.h"
#include "engine/process/stub/spaces.h"
#include "engine/process/stub/stops.h"
#include "engine/process/stub/tables.h"
#include "engine/process/stub/translation.h"
#include "engine/process/stub/vector.h"

/* Error code of a page fault (SDM volume 3A, 4.7). */
#define FAULT_PRESENT 1UL
#define FAULT_WRITE 2UL
#define FAULT_USER 4UL
#define FAULT_FETCH 16UL

#define SELECTOR_ERROR_IDT 2UL /* the error code names a gate of the IDT */

#define VSYSCALL_PAGE 0xffffffffff600000UL

#define OPCODE_OUT_DX_EAX 0xef
#define OPCODE_INT 0xcd
#define PREFIX_OPERAND_SIZE 0x66
#define PREFIX_REPNE 0xf2
#define PREFIX_REP 0xf3
#define PREFIXES_MAX 14 /* an instruction has 15 bytes at most */

/* Returns the byte of code at an address, or -1 if there is no RAM. */
static int code_at(uint64_t address)
{
	const uint8_t *code = tables_memory(address);
	return code ? *code : -1;
}

/* An instruction that accesses an I/O port (SDM volume 1, 19.3). */
struct port_access {
	unsigned port, bytes;
	bool is_plain_out; /* OUT without a prefix */
};

/* Whether the instruction at RIP accesses an I/O port. If so, describes the access. */
static bool read_port_access(const greg_t *registers, struct port_access *access)
{
	uint64_t at = (uint64_t)registers[REG_RIP];
	bool is_narrow = false;
	unsigned prefixes = 0;
	int opcode = code_at(at);
	for (; prefixes < PREFIXES_MAX &&
	       (opcode == PREFIX_OPERAND_SIZE || opcode == PREFIX_REP || opcode == PREFIX_REPNE);
	     prefixes++) {
		is_narrow |= opcode == PREFIX_OPERAND_SIZE;
		opcode = code_at(++at);
	}
	bool by_number = opcode >= 0xe4 && opcode <= 0xe7;
	if (!by_number && (opcode < 0xec || opcode > 0xef) && (opcode < 0x6c || opcode > 0x6f))
		return false;
	access->port = by_number ? (unsigned)code_at(at + 1) & 0xff : (uint16_t)registers[REG_RDX];
	access->bytes = !(opcode & 1) ? 1 : is_narrow ? 2 : 4;
	access->is_plain_out = opcode == OPCODE_OUT_DX_EAX && !prefixes;
	return true;
}

/* Whether the TSS allows ring 3 to use all ports of an access. */
static bool is_allowed(const struct port_access *access)
{
	const volatile uint8_t *bitmap = (const uint8_t *)(LAYOUT_ENGINE_WINDOW + LAYOUT_TSS + TABLES_TSS_BITMAP);
	for (unsigned port = access->port; port < access->port + access->bytes; port++)
		if (bitmap[port / 8] >> port % 8 & 1) /* behind the last port there is a byte of ones */
			return false;
	return true;
}

static _Noreturn void no_such_port(greg_t *registers, unsigned port)
{
	char what[] = "the guest used I/O port 0x0000, which does not exist";
	for (unsigned i = 0; i < 4; i++)
		what[sizeof("the guest used I/O port 0x") - 1 + i] = "0123456789abcdef"[port >> (12 - 4 * i) & 15];
	stops_broken(registers, what);
}

/* Handles an access to an I/O port, which Linux always reports as vector 13. Returns false if the TSS does not allow
 * it. */
static bool is_port_access(greg_t *registers)
{
	_Static_assert(DOORBELL_PORT == 0x500, "the message names it");
	struct port_access access;
	if (!read_port_access(registers, &access) || !is_allowed(&access))
		return false;
	if (access.port == DOORBELL_PORT && access.is_plain_out) {
		registers[REG_RIP]++;
		CHANNEL->op = (uint32_t)registers[REG_RAX];
		stops_at(registers, CHANNEL_DOORBELL);
		return true;
	}
	if (access.port >= DOORBELL_PORT && access.port < DOORBELL_PORT + 4)
		stops_broken(registers,
		             "the guest used the doorbell, I/O port 0x500, in another way than by a 32-bit write");
	no_such_port(registers, access.port);
}

/* Handles a system call instruction of the guest's code. The filter has turned it into SIGSYS, with RIP behind the
 * instruction. */
static void system_call(ucontext_t *context, const siginfo_t *info)
{
	greg_t *registers = context->uc_mcontext.gregs;
	uint64_t rip = (uint64_t)registers[REG_RIP], from = (uint64_t)info->si_call_addr;
	if ((from & ~0xc00UL) == VSYSCALL_PAGE) {
		/* Linux has already returned from the vsyscall page. Undoes the jump there and makes it a page fault.
		 * */
		static const uint16_t entry[3] = {0, 0x400, 0x800};
		unsigned which = info->si_syscall == SYS_gettimeofday ? 0 : info->si_syscall == SYS_time ? 1 : 2;
		registers[REG_RSP] -= 8;
		registers[REG_RIP] = (greg_t)(VSYSCALL_PAGE + entry[which]);
		exceptions_deliver(context, VECTOR_PAGE_FAULT, FAULT_USER | FAULT_FETCH, (uint64_t)registers[REG_RIP]);
	} else if (((uint64_t)registers[REG_CSGSFS] & 0xffff) != SELECTOR_RING3_CODE &&
	           code_at(rip - 2) != OPCODE_INT) {
		/* SYSENTER, or SYSCALL in 32-bit code: undefined on the guest's processor. */
		registers[REG_RIP] -= 2;
		exceptions_deliver(context, VECTOR_UNDEFINED, 0, 0);
	} else if (code_at(rip - 2) == OPCODE_INT) { /* int 0x80 */
		registers[REG_RIP] -= 2;
		exceptions_deliver(context, VECTOR_PROTECTION, 0x80UL << 3 | SELECTOR_ERROR_IDT, 0);
	} else {
		registers[REG_RCX] = (greg_t)rip;
		registers[REG_R11] = registers[REG_EFL];
		registers[REG_EFL] = (registers[REG_EFL] & ~(greg_t)TABLES_FMASK) | (greg_t)TABLES_RFLAGS;
		registers[REG_RIP] = (greg_t)PLAN->image.syscall_stub;
	}
}

static void page_fault(ucontext_t *context, uint64_t error, uint64_t address)
{
	switch (mapped_fault(address, error)) {
	case MAPPED:
		return;
	case MAPPED_NOTHING:
		stops_broken(context->uc_mcontext.gregs, "the guest used guest-physical memory that does not exist");
	case MAPPED_REFUSED:
		stops_broken(context->uc_mcontext.gregs, "the host cannot map memory for the guest; free memory on the "
		                                         "host, or raise its limit (ulimit -v)");
	case MAPPED_NOT:
		break;
	}
	/* The guest's tables, not the host's, decide whether a page is present. */
	bool present = address < 1UL << 47 && tables_entry(address);
	error = (error & (FAULT_WRITE | FAULT_FETCH)) | FAULT_USER | (present ? FAULT_PRESENT : 0);
	exceptions_deliver(context, VECTOR_PAGE_FAULT, error, address);
}

static void exception(ucontext_t *context, const siginfo_t *info)
{
	greg_t *registers = context->uc_mcontext.gregs;
	const unsigned trap = (unsigned)registers[REG_TRAPNO], vector = vector_of(info->si_signo, info->si_code, trap);
	const uint64_t error = vector == trap ? (uint64_t)registers[REG_ERR] : 0;
	if (vector == VECTOR_PAGE_FAULT) {
		page_fault(context, error, (uint64_t)registers[REG_CR2]);
		return;
	}
	if (vector == VECTOR_PROTECTION && !error && is_port_access(registers))
		return;
	exceptions_deliver(context, vector, error, 0);
}

/* Makes the first signal frame the processor's initial state, so that no register holds a value of the monitor's. */
static void begin(ucontext_t *context)
{
	uint8_t *vectors = (uint8_t *)context->uc_mcontext.fpregs;
	*(uint64_t *)(vectors + 512) = 0; /* XSTATE_BV: all components are initial (SDM volume 1, 13.4.2) */
	*(uint16_t *)vectors = 0x37f;
	*(uint32_t *)(vectors + 24) = 0x1f80;
	stops_take_registers(context->uc_mcontext.gregs);
	processors_follow();
	/* An interrupt before this process existed has signalled only the zygote. */
	if (__atomic_load_n(&CHANNEL->interrupt, __ATOMIC_SEQ_CST))
		stops_at(context->uc_mcontext.gregs, CHANNEL_INTERRUPTED);
}

void stub_handler(int signal, siginfo_t *info, void *from) __attribute__((used));

/* Called by stub_entry (start.c) with all signals blocked. */
void stub_handler(int signal, siginfo_t *info, void *from)
{
	ucontext_t *context = from;
	if (!DATA->runs) {
		DATA->runs = true;
		/* Unblocked only now: an earlier SIGUSR1 would start the guest without the filter. */
		*(uint64_t *)&context->uc_sigmask &= ~(1UL << (SIGUSR1 - 1));
		if (DATA->self)
			spaces_take(context);
		else
			begin(context);
		return;
	}
	if (signal == SIGUSR1) { /* may arrive after the interrupt has been withdrawn */
		if (!__atomic_load_n(&CHANNEL->interrupt, __ATOMIC_SEQ_CST))
			processors_follow();
		else if (!translation_defers(context->uc_mcontext.gregs))
			stops_at(context->uc_mcontext.gregs, CHANNEL_INTERRUPTED);
	} else if (signal == SIGTRAP && translation_ends(context->uc_mcontext.gregs)) {
		if (__atomic_load_n(&CHANNEL->interrupt, __ATOMIC_SEQ_CST))
			stops_at(context->uc_mcontext.gregs, CHANNEL_INTERRUPTED);
	} else if (signal == SIGSYS) {
		system_call(context, info);
	} else if (signal == SIGBUS && (info->si_code == BUS_ADRERR || info->si_code == BUS_MCEERR_AR)) {
		stops_broken(context->uc_mcontext.gregs, "guest memory is lost: the host has no memory left for it, or "
		                                         "a file that it maps was truncated");
	} else if (info->si_code > 0) { /* an exception, and not a signal that a process sent */
		exception(context, info);
	}
}
