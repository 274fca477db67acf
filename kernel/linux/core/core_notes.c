/* SPDX-License-Identifier: MIT */
/* The structures are those of Linux's elfcore.h. Notes about a thread begin with its NT_PRSTATUS. Those of the process
 * are among the notes of the first thread. */
#include "kernel/linux/core/core_notes.h"

#include "abi/linux.h"
#include "kernel/lib/string.h"
#include "kernel/linux/core/core_stream.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/linux/process/linux_thread.h"
#include "kernel/linux/process/user_registers.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/account.h"
#include "kernel/signal/signal.h"

#define NT_PRSTATUS 1
#define NT_FPREGSET 2
#define NT_PRPSINFO 3
#define NT_AUXV 6
#define NT_X86_XSTATE 0x202
#define NT_FILE 0x46494c45
#define NT_SIGINFO 0x53494749

#define XCR0_AT 464 /* in the unused part of the FXSAVE area: what the kernel has enabled, for debuggers */

struct prstatus {
	struct {
		int32_t signo, code, error;
	} info;
	int16_t cursig;
	uint64_t sigpend, sighold;
	int32_t pid, ppid, pgrp, sid;
	struct linux_timeval utime, stime, cutime, cstime;
	struct user_registers registers;
	int32_t fpvalid;
};

_Static_assert(sizeof(struct prstatus) == 336, "elf_prstatus");
_Static_assert(offsetof(struct prstatus, registers) == 112, "elf_prstatus");

struct prpsinfo {
	char state, sname, zomb, nice;
	uint64_t flag;
	uint32_t uid, gid;
	int32_t pid, ppid, pgrp, sid;
	char fname[16];
	char psargs[80];
};

_Static_assert(sizeof(struct prpsinfo) == 136, "elf_prpsinfo");

/* Notes are aligned to 4 bytes, also in files of 64 bits. */
static void add_padded(const void *from, size_t bytes)
{
	core_stream_add(from, bytes);
	core_stream_align(4);
}

static void begin_note(const char *name, uint32_t type, size_t bytes)
{
	const uint32_t head[] = {(uint32_t)strlen(name) + 1, (uint32_t)bytes, type};
	core_stream_add(head, sizeof(head));
	add_padded(name, head[0]);
}

static void add_note(const char *name, uint32_t type, const void *from, size_t bytes)
{
	begin_note(name, type, bytes);
	add_padded(from, bytes);
}

static struct linux_timeval timeval_of(uint64_t ns)
{
	return (struct linux_timeval){(int64_t)(ns / 1000000000), (int64_t)(ns % 1000000000 / 1000)};
}

static int32_t parent_of(const struct linux_process *process)
{
	return process->parent ? (int32_t)process->parent->base->id : 0;
}

/* --- threads --- */

/* The registers of the running thread, which was stopped in the program. */
static struct user_registers stopped_registers(const struct core_request *request)
{
	const uint64_t *r = request->registers; /* in the DWARF order of x86-64 */
	struct trap_frame frame = {.rax = r[0],
	                           .rdx = r[1],
	                           .rcx = r[2],
	                           .rbx = r[3],
	                           .rsi = r[4],
	                           .rdi = r[5],
	                           .rbp = r[6],
	                           .rsp = r[7],
	                           .r8 = r[8],
	                           .r9 = r[9],
	                           .r10 = r[10],
	                           .r11 = r[11],
	                           .r12 = r[12],
	                           .r13 = r[13],
	                           .r14 = r[14],
	                           .r15 = r[15],
	                           .rip = r[16],
	                           .rflags = request->rflags};
	frame.rip = stub_leave(frame.rip, &frame.rax, &frame.rcx);
	return user_registers_of(thread_current, &frame);
}

static struct user_registers registers_of(const struct core_subject *subject, const struct thread *thread)
{
	if (thread == thread_current && subject->request.in_program)
		return stopped_registers(&subject->request);
	const struct trap_frame *frame = linux_frame(thread);
	struct user_registers registers = user_registers_of(thread, frame);
	if (thread == thread_current && subject->request.signal) /* it died when its call had returned */
		registers.rax = frame->rax;
	return registers;
}

static void add_status(const struct core_subject *subject, const struct thread *thread,
                       const struct linux_siginfo *info)
{
	const struct linux_process *process = subject->process;
	struct prstatus status;
	memset(&status, 0, sizeof(status));
	status.info.signo = info->si_signo;
	status.info.code = info->si_code;
	status.cursig = (int16_t)subject->request.signal;
	status.sigpend = thread->signals.queue.pending;
	status.sighold = thread->signals.blocked;
	status.pid = (int32_t)thread->tid;
	status.ppid = parent_of(process);
	status.pgrp = (int32_t)process->group;
	status.sid = (int32_t)process->session;
	status.utime = timeval_of(account_ran_ns(thread));
	status.cutime = timeval_of(process->children_ns);
	status.registers = registers_of(subject, thread);
	status.fpvalid = 1;
	add_note("CORE", NT_PRSTATUS, &status, sizeof(status));
}

/* The state components count as in use, whatever they hold: debuggers show the others as unavailable. */
static void add_vector(const struct thread *thread)
{
	static uint8_t area[CPU_AREA_BYTES] __attribute__((aligned(16)));
	const uint64_t states = cpu_xcr0();
	linux_thread_vector(thread, area);
	add_note("CORE", NT_FPREGSET, area, CPU_FXSAVE_BYTES);
	if (!cpu_xsave_bytes())
		return;
	memset(area + CPU_FXSAVE_BYTES, 0, CPU_HEADER_BYTES);
	memcpy(area + CPU_FXSAVE_BYTES, &states, sizeof(states));
	memcpy(area + XCR0_AT, &states, sizeof(states));
	add_note("LINUX", NT_X86_XSTATE, area, cpu_xsave_bytes());
}

/* --- the process --- */

static void add_process(const struct core_subject *subject)
{
	const struct linux_process *process = subject->process;
	const struct text *arguments = &process->program->arguments;
	struct prpsinfo info;
	memset(&info, 0, sizeof(info));
	info.sname = 'R';
	info.nice = (char)subject->first->nice;
	info.uid = process->credentials.user.real;
	info.gid = process->credentials.group.real;
	info.pid = (int32_t)process->base->id;
	info.ppid = parent_of(process);
	info.pgrp = (int32_t)process->group;
	info.sid = (int32_t)process->session;
	memcpy(info.fname, process->name, sizeof(info.fname) - 1);
	size_t bytes = arguments->bytes < sizeof(info.psargs) ? arguments->bytes : sizeof(info.psargs);
	for (size_t i = 0; i + 1 < bytes; i++)
		info.psargs[i] = arguments->at[i] ? arguments->at[i] : ' ';
	add_note("CORE", NT_PRPSINFO, &info, sizeof(info));
}

static const struct mapping *file_mapping(size_t index)
{
	const struct mapping *mapping = &space_current->mappings.list[index];
	return mapping->backing.ops ? mapping : NULL;
}

/* Adds the name of each mapped file, ended by a NUL. */
static void add_names(void)
{
	for (size_t i = 0; i < space_current->mappings.count; i++) {
		struct text name = {0};
		if (!file_mapping(i))
			continue;
		proc_name(file_mapping(i)->backing.object, &name);
		core_stream_add(name.at, name.error ? 0 : name.bytes);
		core_stream_add("", 1);
		kfree(name.at);
	}
}

/* NT_FILE: the number of entries, the unit of offsets, the entries, their names. */
static void add_files(uint64_t name_bytes)
{
	uint64_t count = 0;
	for (size_t i = 0; i < space_current->mappings.count; i++)
		count += file_mapping(i) != NULL;
	const uint64_t head[] = {count, PAGE_SIZE};
	begin_note("CORE", NT_FILE, sizeof(head) + count * 3 * sizeof(uint64_t) + name_bytes);
	core_stream_add(head, sizeof(head));
	for (size_t i = 0; i < space_current->mappings.count; i++) {
		const struct mapping *mapping = file_mapping(i);
		if (!mapping)
			continue;
		const uint64_t entry[] = {mapping->start, mapping->end, mapping->backing.page};
		core_stream_add(entry, sizeof(entry));
	}
	add_names();
	core_stream_align(4);
}

void core_notes_add(const struct core_subject *subject)
{
	const struct text *auxiliary = &subject->process->program->auxiliary;
	add_status(subject, subject->first, &subject->info);
	add_process(subject);
	add_note("CORE", NT_SIGINFO, &subject->info, sizeof(subject->info));
	add_note("CORE", NT_AUXV, auxiliary->at, auxiliary->bytes);
	add_files(subject->name_bytes);
	add_vector(subject->first);
	for (const struct thread *thread = NULL; (thread = process_thread_after(thread));) {
		if (thread == subject->first)
			continue;
		add_status(subject, thread, &subject->info);
		add_vector(thread);
	}
}

uint64_t core_notes_name_bytes(void)
{
	core_stream_begin(0);
	add_names();
	return core_stream_at();
}
