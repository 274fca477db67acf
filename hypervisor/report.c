/* SPDX-License-Identifier: MIT */
/* Fault reports. Nothing of the guest or of the symbolizer reaches the terminal but printable characters. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/layout.h"
#include "child.h"
#include "guest_virtual.h"
#include "symbolize/request.h"

#define SYMBOLIZER "eremite-symbolize"
#define DEADLINE_MS 20000
#define ANSWER_MAX 0x10000
#define RED_ZONE 128
#define GAP_PAGES 16

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
		fputc(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~') ? text[i] : '?', to);
}

static void write_reason(FILE *to, const struct fault_report *report)
{
	const char *signal_name = report->signal ? sigabbrev_np((int)report->signal) : NULL;
	fprintf(to, "eremite: thread %u%s: ", report->thread, report->in_kernel ? ", in the kernel" : "");
	write_clean(to, report->message, sizeof(report->message));
	fputc('\n', to);
	if (signal_name)
		fprintf(to, "  SIG%s (%s)", signal_name, sigdescr_np((int)report->signal));
	if (report->vector != 0xff) {
		fprintf(to, "%s%s (%u)", signal_name ? ", " : "  ", exception_name(report->vector), report->vector);
		if (report->vector == 14)
			fprintf(to, " at 0x%016lx: %s, %s", report->address,
			        report->error_code & 16  ? "execute"
			        : report->error_code & 2 ? "write"
			                                 : "read",
			        report->error_code & 1 ? "not allowed" : "nothing mapped");
		fprintf(to, ", error code 0x%lx", report->error_code);
	}
	if (signal_name || report->vector != 0xff)
		fputc('\n', to);
}

static void write_registers(FILE *to, const struct fault_report *report)
{
	/* Numbers of struct fault_report in the order in which people look for them. */
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

/* Without a symbolizer: what the frame pointers say, where there are some. */
static void write_addresses(FILE *to, const struct fault_report *report, const struct guest_memory *memory)
{
	uint64_t frame[2] = {report->registers[SYMBOLIZE_RBP], report->registers[SYMBOLIZE_RIP]};
	for (unsigned i = 0; i < SYMBOLIZE_FRAMES_MAX; i++) {
		uint64_t below = frame[0];
		fprintf(to, "  #%-2u 0x%016lx\n", i, frame[1]);
		if (!below || guest_virtual_read(memory, below, frame, sizeof(frame)) || frame[0] <= below || !frame[1])
			return;
	}
}

/* A file with the registers and the stack from the red zone upwards. Returns a descriptor or -1. */
static int make_request(const struct fault_report *report, const struct guest_memory *memory)
{
	struct symbolize_request request = {.magic = SYMBOLIZE_MAGIC};
	memcpy(request.registers, report->registers, sizeof(request.registers));
	uint64_t rsp = report->registers[SYMBOLIZE_RSP];
	uint8_t *stack = malloc(SYMBOLIZE_STACK_MAX);
	int fd = memfd_create("symbolize", MFD_CLOEXEC);
	bool good = stack && fd >= 0;
	if (good) {
		/* After an overflow the stack pointer, or the red zone alone, is in pages that are not mapped. */
		request.stack_address = rsp - RED_ZONE;
		for (unsigned i = 0; i < GAP_PAGES && !request.stack_bytes; i++) {
			if (i)
				request.stack_address = (request.stack_address + PAGE_SIZE) & ~(PAGE_SIZE - 1);
			request.stack_bytes =
				guest_virtual_read_some(memory, request.stack_address, stack, SYMBOLIZE_STACK_MAX);
		}
		good = write(fd, &request, sizeof(request)) == (ssize_t)sizeof(request) &&
		       write(fd, stack, request.stack_bytes) == (ssize_t)request.stack_bytes && !lseek(fd, 0, SEEK_SET);
	}
	free(stack);
	if (good)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The symbolizer beside this executable, or where installation puts it. 0 or -1. */
static int find_symbolizer(char path[PATH_MAX])
{
	static const char *const places[] = {"", "../libexec/eremite/"};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length <= 0)
		return -1;
	self[length] = 0;
	char *slash = strrchr(self, '/');
	if (!slash)
		return -1;
	slash[1] = 0;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int bytes = snprintf(path, PATH_MAX, "%s%s" SYMBOLIZER, self, places[i]);
		if (bytes < PATH_MAX && !access(path, X_OK))
			return 0;
	}
	return -1;
}

/* Starts it with the request as its input. Returns the descriptor of its output, or -1. */
static int start_symbolizer(int image, int request, pid_t *child)
{
	static char path[PATH_MAX];
	char name[] = SYMBOLIZER, locale[] = "LC_ALL=C";
	char *arguments[] = {name, NULL}, *environment[] = {locale, NULL};
	int pipe_fds[2];
	if (image < 0 || find_symbolizer(path) || pipe2(pipe_fds, O_CLOEXEC))
		return -1;
	const struct child_plan plan = {
		.path = path,
		.arguments = arguments,
		.environment = environment,
		.dir = -1,
		.fds = {request, pipe_fds[1], -1, image},
	};
	int error = child_start(&plan, child);
	close(pipe_fds[1]);
	if (!error)
		return pipe_fds[0];
	close(pipe_fds[0]);
	return -1;
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads what it answers until its end, the deadline or the buffer's end. Returns the number of bytes. */
static size_t read_answer(int fd, char *answer, size_t room)
{
	size_t used = 0;
	int64_t deadline = now_ms() + DEADLINE_MS, left;
	while (used < room && (left = deadline - now_ms()) > 0) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		int ready = poll(&wait, 1, (int)left);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			break;
		ssize_t got = read(fd, answer + used, room - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	return used;
}

/* 0, or -1 when the symbolizer gave nothing. */
static int write_backtrace(FILE *to, int image, const struct fault_report *report, const struct guest_memory *memory)
{
	pid_t child;
	int request = make_request(report, memory);
	int answer_fd = request < 0 ? -1 : start_symbolizer(image, request, &child);
	size_t bytes = 0;
	if (request >= 0)
		close(request);
	if (answer_fd < 0)
		return -1;
	char *answer = malloc(ANSWER_MAX);
	if (answer)
		bytes = read_answer(answer_fd, answer, ANSWER_MAX);
	close(answer_fd);
	kill(child, SIGKILL); /* it has closed its output, or has had its time */
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (bytes)
		write_clean(to, answer, bytes);
	if (bytes && answer[bytes - 1] != '\n')
		fputc('\n', to);
	free(answer);
	return bytes ? 0 : -1;
}

void report_fault(FILE *to, int image, const struct fault_report *report, const struct guest_memory *memory)
{
	write_reason(to, report);
	write_registers(to, report);
	if (write_backtrace(to, image, report, memory))
		write_addresses(to, report, memory);
	fflush(to);
}
