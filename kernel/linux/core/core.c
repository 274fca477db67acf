/* SPDX-License-Identifier: MIT */
/* The layout of a core file: ELF header, program headers, notes, memory. Nothing of it is built in memory: each part is
 * measured first, and then sent. */
#include "kernel/linux/core/core.h"

#include "kernel/arch/direct_map.h"
#include "kernel/dev/host.h"
#include "kernel/lib/string.h"
#include "kernel/linux/core/core_memory.h"
#include "kernel/linux/core/core_notes.h"
#include "kernel/linux/core/core_stream.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/signal/signal.h"

#define ET_CORE 4
#define EM_X86_64 62
#define PT_LOAD 1
#define PT_NOTE 4
#define PF_X 1
#define PF_W 2
#define PF_R 4

struct elf_header {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, program_headers, section_headers;
	uint32_t flags;
	uint16_t bytes, program_header_bytes, program_header_count, section_header_bytes, section_header_count,
		section_names;
};

struct program_header {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_bytes, memory_bytes, alignment;
};

_Static_assert(sizeof(struct elf_header) == 64 && sizeof(struct program_header) == 56, "gABI, chapters 4 and 5");

/* The sizes of the file's parts. */
struct layout {
	uint64_t segments, notes, memory_at, all;
};

static uint64_t memory_bytes(uint64_t *count)
{
	struct core_walk walk = {0};
	struct core_segment segment;
	uint64_t bytes = 0;
	for (*count = 0; core_memory_next(&walk, &segment); ++*count)
		bytes += segment.file_bytes;
	return bytes;
}

static uint64_t notes_at(const struct layout *layout)
{
	return sizeof(struct elf_header) + (layout->segments + 1) * sizeof(struct program_header);
}

static struct layout measure(struct core_subject *subject)
{
	struct layout layout;
	const uint64_t memory = memory_bytes(&layout.segments);
	subject->name_bytes = core_notes_name_bytes();
	core_stream_begin(0);
	core_notes_add(subject);
	layout.notes = core_stream_at();
	layout.memory_at = (notes_at(&layout) + layout.notes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	layout.all = layout.memory_at + memory;
	return layout;
}

static void add_header(const struct layout *layout)
{
	const struct elf_header header = {
		.ident = {0x7f, 'E', 'L', 'F', 2, 1, 1},
		.type = ET_CORE,
		.machine = EM_X86_64,
		.version = 1,
		.program_headers = sizeof(header),
		.bytes = sizeof(header),
		.program_header_bytes = sizeof(struct program_header),
		.program_header_count = (uint16_t)(layout->segments + 1),
	};
	core_stream_add(&header, sizeof(header));
}

static void add_program_headers(const struct layout *layout)
{
	const struct program_header note = {
		.type = PT_NOTE, .offset = notes_at(layout), .file_bytes = layout->notes, .alignment = 4};
	struct core_walk walk = {0};
	struct core_segment segment;
	uint64_t offset = layout->memory_at;
	core_stream_add(&note, sizeof(note));
	while (core_memory_next(&walk, &segment)) {
		const struct program_header load = {
			.type = PT_LOAD,
			.flags = (segment.prot & VM_READ ? PF_R : 0) | (segment.prot & VM_WRITE ? PF_W : 0) |
		                 (segment.prot & VM_EXEC ? PF_X : 0),
			.offset = offset,
			.address = segment.start,
			.file_bytes = segment.file_bytes,
			.memory_bytes = segment.end - segment.start,
			.alignment = PAGE_SIZE,
		};
		core_stream_add(&load, sizeof(load));
		offset += segment.file_bytes;
	}
}

static void add_core_memory(void)
{
	struct core_walk walk = {0};
	struct core_segment segment;
	while (core_memory_next(&walk, &segment))
		core_memory_add(&segment);
}

/* The siginfo for the handler of the signal: of a fault as it was noted, of another signal from the pending ones. */
static void find_signal(struct core_subject *subject)
{
	const int sig = (int)subject->request.signal;
	if (!sig)
		return;
	subject->info.si_signo = sig;
	if (subject->request.in_program && signal_fatal.sig) {
		subject->info.si_code = signal_fatal.code;
		subject->info.si_addr = (void *)signal_fatal.address;
	} else if (subject->request.in_program) {
		subject->info.si_code = LINUX_SI_KERNEL;
	} else if (signal_pending() & signal_bit(sig)) {
		signal_take(sig, &subject->info);
	}
}

/* The thread that the monitor has named, or the running one. */
static struct thread *first_thread(const struct core_request *request)
{
	struct thread *named = request->thread ? thread_numbered(request->thread) : NULL;
	struct thread *thread = named ? named : thread_current;
	return thread->state == THREAD_ENDED ? thread_first() : thread;
}

/* Tells the monitor which program the user gives to a debugger: it may have been found by PATH, or by a script. */
static void name_program(const struct linux_process *process)
{
	struct core_request *request = phys_to_virt(LAYOUT_CORE_REQUEST);
	struct text name = {0};
	proc_name(process->program->file, &name);
	if (!name.error && name.bytes < sizeof(request->program))
		memcpy(request->program, name.at, name.bytes);
	kfree(name.at);
}

void core_tell(void)
{
	static struct core_subject subject;
	memcpy(&subject.request, phys_to_virt(LAYOUT_CORE_REQUEST), sizeof(subject.request));
	thread_segments_note();
	struct thread *first = first_thread(&subject.request);
	subject.first = first;
	subject.process = first->process->more;
	if (!host->core || !subject.process->space || !subject.process->program)
		return;
	find_signal(&subject);
	name_program(subject.process);
	process_enter(first->process);
	linux_space_use(subject.process->space);
	const struct layout layout = measure(&subject);
	core_stream_begin(layout.all);
	add_header(&layout);
	add_program_headers(&layout);
	core_notes_add(&subject);
	core_stream_align(PAGE_SIZE);
	add_core_memory();
	core_stream_end();
}
