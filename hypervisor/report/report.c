/* SPDX-License-Identifier: MIT */
/* Fault reports. Only printable characters from the guest and the symbolizer reach the terminal. */
#include "report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/layout.h"
#include "guest/guest_virtual.h"
#include "guest/linux_view.h"
#include "report/symbolizer.h"

static const char *exception_name(uint32_t vector)
{
	static const char *const names[] = {
		[0] = "divide error",
		[1] = "debug exception",
		[3] = "breakpoint",
		[4] = "overflow",
		[5] = "bound range exceeded",
		[6] = "invalid opcode",
		[7] = "device not available",
		[8] = "double fault",
		[10] = "invalid TSS",
		[11] = "segment not present",
		[12] = "stack-segment fault",
		[13] = "general protection fault",
		[14] = "page fault",
		[16] = "x87 floating-point error",
		[17] = "alignment check",
		[18] = "machine check",
		[19] = "SIMD floating-point error",
	};
	return vector < sizeof(names) / sizeof(names[0]) && names[vector] ? names[vector] : "exception";
}

static void write_clean(FILE *to, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes && text[i]; i++)
		fputc(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?', to);
}

static void write_reason(FILE *to, const struct fault_report *report)
{
	const char *signal_name = report->signal ? sigabbrev_np((int)report->signal) : NULL;
	fprintf(to, "eremite: thread %u%s: ", report->thread, report->in_kernel ? ", in the kernel" : "");
	write_clean(to, report->message, sizeof(report->message));
	fputc('\n', to);
	if (signal_name)
		fprintf(to, "  SIG%s (%s)", signal_name, sigdescr_np((int)report->signal));
	if (report->vector < IMAGE_VECTORS) {
		fprintf(to, "%s%s (%u)", signal_name ? ", " : "  ", exception_name(report->vector), report->vector);
		if (report->vector == 14)
			fprintf(to, " at 0x%016lx: %s, %s", report->address,
			        report->error_code & 16  ? "execute"
			        : report->error_code & 2 ? "write"
			                                 : "read",
			        report->error_code & 1 ? "not allowed" : "nothing mapped");
		fprintf(to, ", error code 0x%lx", report->error_code);
	}
	if (signal_name || report->vector < IMAGE_VECTORS)
		fputc('\n', to);
}

static void write_registers(FILE *to, const struct fault_report *report)
{
	/* Register numbers of struct fault_report, in the usual order of register dumps. */
	static const struct {
		const char *name;
		unsigned number;
	} order[] = {{"rax", 0},  {"rbx", 3},  {"rcx", 2},  {"rdx", 1}, {"rsi", 4},  {"rdi", 5},
	             {"rbp", 6},  {"rsp", 7},  {"r8 ", 8},  {"r9 ", 9}, {"r10", 10}, {"r11", 11},
	             {"r12", 12}, {"r13", 13}, {"r14", 14}, {"r15", 15}};
	for (unsigned i = 0; i < 16; i++)
		fprintf(to, "%s%s %016lx%s", i % 4 ? " " : "  ", order[i].name, report->registers[order[i].number],
		        i % 4 == 3 ? "\n" : "");
	fprintf(to, "  rip %016lx rflags %lx\n", report->registers[SYMBOLIZE_RIP], report->rflags);
}

/* Without a symbolizer, prints the chain of frame pointers. */
static void write_addresses(FILE *to, const uint64_t registers[17], const struct guest_memory *memory)
{
	uint64_t frame[2] = {registers[SYMBOLIZE_RBP], registers[SYMBOLIZE_RIP]};
	for (unsigned i = 0; i < SYMBOLIZE_FRAMES_MAX; i++) {
		uint64_t below = frame[0];
		fprintf(to, "  #%-2u 0x%016lx\n", i, frame[1]);
		if (!below || guest_virtual_read(memory, below, frame, sizeof(frame)) || frame[0] <= below || !frame[1])
			return;
	}
}

void report_stack(FILE *to, const char *frames, const uint64_t registers[17], const struct guest_memory *memory)
{
	if (!*frames) {
		write_addresses(to, registers, memory);
		return;
	}
	fputs(frames, to);
	if (frames[strlen(frames) - 1] != '\n') /* the text was cut short */
		putc('\n', to);
}

/* Whether a line is a frame of the kernel. The address decides, because a program may have files of the same names. */
static bool is_kernel_frame(const char *line, const struct image_header *image)
{
	unsigned number;
	uint64_t pc;
	if (sscanf(line, " #%u 0x%" SCNx64, &number, &pc) != 2)
		return false;
	pc -= number > 0; /* a return address is after the call, and may be in the next function */
	return pc >= image->kernel_text && pc < image->kernel_text_end;
}

void report_leave_out_kernel(char *frames, const struct image_header *image)
{
	char *from = frames, *to = frames, *end;
	unsigned first = 0, number;
	while ((end = strchr(from, '\n')) && is_kernel_frame(from, image))
		from = end + 1;
	if (from == frames || sscanf(from, " #%u", &first) != 1)
		return;
	while ((end = strchr(from, '\n'))) {
		char head[24];
		int used = 0;
		if (sscanf(from, " #%u%n", &number, &used) != 1 || number < first)
			break;
		used += (int)strspn(from + used, " ");
		int length = snprintf(head, sizeof(head), "  #%-2u ", number - first);
		if (length > used) /* the text must not grow over what is still to be read */
			break;
		to = mempcpy(to, head, (size_t)length);
		memmove(to, from + used, (size_t)(end + 1 - from) - (size_t)used);
		to += end + 1 - from - used;
		from = end + 1;
	}
	memmove(to, from, strlen(from) + 1);
}

/* The facts to report about one thread. */
struct subject {
	struct fault_report report;
	struct guest_memory memory; /* memory as the thread's process sees it */
	struct symbolizer_answers answers;
	char *frames;
};

/* A Linux program is asked about by its own stack, unless the fault is the kernel's. */
int report_query(struct symbolizer_query *query, struct guest_memory *seen, const struct image *image,
                 const struct fault_report *report, const struct guest_memory *memory, uint64_t object, bool wants_file)
{
	struct linux_view view;
	*query = (struct symbolizer_query){.object = object};
	*seen = *memory;
	memcpy(query->registers, report->registers, sizeof(query->registers));
	const uint64_t rip = query->registers[SYMBOLIZE_RIP];
	bool in_kernel = rip >= image->header.kernel_text && rip < image->header.kernel_text_end;
	bool by_kernel = report->in_kernel || (in_kernel && report->vector < IMAGE_VECTORS);
	if (by_kernel || !linux_view_read(&view, memory))
		return wants_file ? image_file_alone(image) : -1;
	linux_view_registers(&view, memory, image, query->registers);
	*seen = linux_view_memory(&view, memory);
	return wants_file ? linux_view_modules(&view, memory, image) : -1;
}

/* Asks the symbolizer for the stack. */
static void ask(struct subject *subject, const struct image *image, const struct fault_report *report,
                const struct guest_memory *memory, uint64_t object)
{
	static char none[] = "";
	struct symbolizer_query query;
	subject->report = *report;
	const int file = report_query(&query, &subject->memory, image, report, memory, object, true);
	memcpy(subject->report.registers, query.registers, sizeof(query.registers));
	bool found = !symbolizer_ask(&subject->answers, file, &subject->memory, &query, 1);
	subject->frames = found ? subject->answers.at[0].frames : none;
	if (file >= 0)
		close(file);
}

void report_position(FILE *to, const struct image *image, const struct fault_report *report,
                     const struct guest_memory *memory)
{
	struct subject subject;
	ask(&subject, image, report, memory, 0);
	report_leave_out_kernel(subject.frames, &image->header);
	fprintf(to, "eremite: thread %u was here:\n", report->thread);
	report_stack(to, subject.frames, subject.report.registers, &subject.memory);
	symbolizer_free(&subject.answers);
	fflush(to);
}

/* Whether the first argument of a system call is the address of the memory that it is about. */
static bool is_about_memory(uint64_t op)
{
	return op == SYS_futex || op == SYS_munmap || op == SYS_mprotect || op == SYS_madvise || op == SYS_mremap;
}

/* The first argument of the system call before which a thread asks the policy. */
static uint64_t first_argument(const struct image *image, const struct fault_report *report,
                               const struct guest_memory *memory)
{
	enum { RDI = 5 };
	struct fault_report own = *report;
	struct linux_view view;
	uint64_t argument = 0;
	if (linux_view_read(&view, memory)) {
		linux_view_registers(&view, memory, image, own.registers);
		return own.registers[RDI];
	}
	/* A native image has saved it on the policies' stack (kernel/sched/ask.S). */
	guest_memory_read(memory, gpa(LAYOUT_SCHED_STACK_TOP - 6 * sizeof(argument)), &argument, sizeof(argument));
	return argument;
}

uint64_t report_look_object(const struct image *image, const struct fault_report *report,
                            const struct guest_memory *memory, uint64_t op)
{
	return is_about_memory(op) ? first_argument(image, report, memory) : 0;
}

uint64_t report_look(FILE *to, const struct image *image, const struct fault_report *report,
                     const struct guest_memory *memory, uint64_t op, uint64_t object)
{
	struct subject subject;
	if (!object)
		object = report_look_object(image, report, memory, op);
	ask(&subject, image, report, memory, object);
	report_leave_out_kernel(subject.frames, &image->header);
	fprintf(to, "%s\n", object && subject.answers.at ? subject.answers.at[0].object : "");
	if (subject.answers.at)
		python_stack_write(to, &subject.memory, &subject.answers.at[0].python,
		                   subject.report.registers[SYMBOLIZE_RSP]);
	report_stack(to, subject.frames, subject.report.registers, &subject.memory);
	symbolizer_free(&subject.answers);
	return object;
}

void report_fault(FILE *to, const struct image *image, const struct fault_report *report,
                  const struct guest_memory *memory)
{
	struct subject subject;
	ask(&subject, image, report, memory, 0);
	write_reason(to, &subject.report);
	write_registers(to, &subject.report);
	report_stack(to, subject.frames, subject.report.registers, &subject.memory);
	symbolizer_free(&subject.answers);
	fflush(to);
}

void report_place(char *to, size_t bytes, const struct image *image, const struct fault_report *report,
                  const struct guest_memory *memory)
{
	struct subject subject;
	ask(&subject, image, report, memory, 0);
	/* "  #0  0x0000000000201111 main+0x11 (file.c:3)" */
	const char *line = strstr(subject.frames, " 0x");
	size_t length = line ? strcspn(++line, "\n") : 0, address = line ? strcspn(line, " \n") : 0;
	if (address < length)
		snprintf(to, bytes, "%.*s", (int)(length - address - 1), line + address + 1);
	else
		snprintf(to, bytes, "0x%lx", subject.report.registers[SYMBOLIZE_RIP]);
	symbolizer_free(&subject.answers);
}
