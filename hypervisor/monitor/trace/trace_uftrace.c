/* SPDX-License-Identifier: MIT */
/* Files of threads are opened for each write, because there may be more threads than descriptors. The files that list
 * the threads are written anew with each thread, so that a run that is killed leaves files that can be read. */
#include "trace/trace_uftrace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/strace.h"
#include "base/array.h"
#include "strace/strace_filter.h"

#define CALLS_BASE 0x100000UL /* address at which kernel-calls is mapped */
#define CALL_BYTES 16UL       /* of each of its functions */
#define SESSION "0000000000000001"
#define MODULE "kernel-calls"

/* struct uftrace_file_header of uftrace.h */
struct header {
	char magic[8];
	uint32_t version;
	uint16_t header_bytes;
	uint8_t endian, elf_class;
	uint64_t features, infos;
	uint16_t max_stack, unused1;
	uint32_t unused2;
};

_Static_assert(sizeof(struct header) == 40, "uftrace_file_header");

#define FEATURES 0x62UL /* TASK_SESSION, SYM_REL_ADDR, MAX_STACK */
#define INFOS 0x89UL    /* EXE_NAME, CMDLINE, TASKINFO */
#define INFO_ALWAYS 64
#define INFO_SHARE 16
#define MAGIC 5UL /* of a record */

static void uftrace_fail(struct trace_uftrace *uftrace, int error)
{
	if (!uftrace->error)
		uftrace->error = error;
}

static void write_file(struct trace_uftrace *uftrace, const char *name, int flags, const void *from, size_t bytes)
{
	if (uftrace->error)
		return;
	const int fd = openat(uftrace->dir, name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
	if (fd < 0) {
		uftrace_fail(uftrace, errno);
		return;
	}
	for (size_t done = 0; done < bytes && !uftrace->error;) {
		const ssize_t put = write(fd, (const char *)from + done, bytes - done);
		if (put >= 0)
			done += (size_t)put;
		else if (errno != EINTR)
			uftrace_fail(uftrace, errno);
	}
	if (close(fd))
		uftrace_fail(uftrace, errno);
}

/* Writes the symbols of an imaginary program: uftrace shows a kernel call as one of its functions. */
static void write_symbols(struct trace_uftrace *uftrace)
{
	static char text[STRACE_CALLS * 48];
	size_t used = (size_t)snprintf(text, sizeof(text), "# symbols: %u\n# path name: /" MODULE "\n# build-id: \n",
	                               STRACE_CALLS + 1);
	for (unsigned i = 0; i < STRACE_CALLS; i++) {
		const char *name = strace_filter_name(i);
		char number[24];
		snprintf(number, sizeof(number), "syscall_%u", i);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%016lx T %s\n", i * CALL_BYTES,
		                         name ? name : number);
	}
	used += (size_t)snprintf(text + used, sizeof(text) - used, "%016lx ? __sym_end\n", STRACE_CALLS * CALL_BYTES);
	write_file(uftrace, MODULE ".sym", O_TRUNC, text, used);
}

void trace_uftrace_begin(struct trace_uftrace *uftrace, int dir)
{
	static char map[256];
	*uftrace = (struct trace_uftrace){.dir = dir};
	/* uftrace takes addresses for the kernel's unless it knows where the stack is. */
	const int bytes = snprintf(map, sizeof(map),
	                           "%012lx-%012lx r-xp 00000000 00:00 0                          /" MODULE "\n"
	                           "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]\n",
	                           CALLS_BASE, CALLS_BASE + STRACE_CALLS * CALL_BYTES);
	write_file(uftrace, "sid-" SESSION ".map", O_TRUNC, map, (size_t)bytes);
	write_symbols(uftrace);
}

/* Writes the list of threads into `info`, behind its header. */
static void write_info(struct trace_uftrace *uftrace)
{
	const struct header header = {.magic = "Ftrace!",
	                              .version = 4,
	                              .header_bytes = sizeof(header),
	                              .endian = 1,
	                              .elf_class = 2,
	                              .features = FEATURES,
	                              .infos = INFOS,
	                              .max_stack = 1024};
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to) {
		uftrace_fail(uftrace, ENOMEM);
		return;
	}
	fwrite(&header, sizeof(header), 1, to);
	fprintf(to,
	        "exename:/" MODULE
	        "\ncmdline:eremite run --trace\ntaskinfo:lines=2\ntaskinfo:nr_tid=%zu\ntaskinfo:tids=",
	        uftrace->count);
	for (size_t i = 0; i < uftrace->count; i++)
		fprintf(to, "%s%u", i ? "," : "", uftrace->threads[i].number);
	fputc('\n', to);
	fclose(to);
	write_file(uftrace, "info", O_TRUNC, text, bytes);
	free(text);
}

/* Adds a thread to task.txt, and its process with the first one. */
static void write_task(struct trace_uftrace *uftrace, uint32_t pid, uint32_t thread, uint64_t ns)
{
	char text[256];
	int bytes = 0;
	if (pid == thread)
		bytes = snprintf(text, sizeof(text),
		                 "SESS timestamp=%lu.%09lu pid=%u sid=" SESSION " exename=\"/" MODULE "\"\n",
		                 ns / 1000000000, ns % 1000000000, pid);
	bytes += snprintf(text + bytes, sizeof(text) - (size_t)bytes, "TASK timestamp=%lu.%09lu tid=%u pid=%u\n",
	                  ns / 1000000000, ns % 1000000000, thread, pid);
	write_file(uftrace, "task.txt", O_APPEND, text, (size_t)bytes);
}

static size_t uftrace_place_of(const struct trace_uftrace *uftrace, uint32_t number)
{
	size_t at = uftrace->count;
	while (at && uftrace->threads[at - 1].number >= number)
		at--;
	return at;
}

static bool has_thread(const struct trace_uftrace *uftrace, size_t at, uint32_t number)
{
	return at < uftrace->count && uftrace->threads[at].number == number;
}

/* With many threads the list in `info` is written anew less often: it is as long as there are threads. */
static bool is_info_due(size_t count)
{
	return count <= INFO_ALWAYS || count % (count / INFO_SHARE) == 0;
}

/* The thread, with room for a record; NULL without memory. */
static struct uftrace_thread *take_thread(struct trace_uftrace *uftrace, uint32_t pid, uint32_t number, uint64_t ns)
{
	const size_t at = uftrace_place_of(uftrace, number);
	if (!has_thread(uftrace, at, number)) {
		if (!array_reserve(uftrace->threads, uftrace->room, uftrace->count + 1)) {
			uftrace_fail(uftrace, ENOMEM);
			return NULL;
		}
		struct uftrace_thread *place = &uftrace->threads[at];
		memmove(place + 1, place, (uftrace->count++ - at) * sizeof(*place));
		*place = (struct uftrace_thread){.number = number, .pid = pid};
		write_task(uftrace, pid, number, ns);
		if (is_info_due(uftrace->count))
			write_info(uftrace);
	}
	struct uftrace_thread *thread = &uftrace->threads[at];
	if (!thread->records)
		thread->records = calloc(UFTRACE_RECORDS, sizeof(*thread->records));
	if (!thread->records)
		uftrace_fail(uftrace, ENOMEM);
	return thread->records ? thread : NULL;
}

static void flush_thread(struct trace_uftrace *uftrace, struct uftrace_thread *thread)
{
	char name[24];
	snprintf(name, sizeof(name), "%u.dat", thread->number);
	if (thread->count)
		write_file(uftrace, name, O_APPEND, thread->records, thread->count * sizeof(thread->records[0]));
	free(thread->records);
	thread->records = NULL;
	thread->count = 0;
}

void trace_uftrace_call(struct trace_uftrace *uftrace, uint32_t pid, uint32_t thread, uint64_t ns, unsigned call,
                        bool ends)
{
	struct uftrace_thread *of = take_thread(uftrace, pid, thread, ns);
	if (!of || call >= STRACE_CALLS)
		return;
	of->records[of->count++] = (struct uftrace_record){
		.ns = ns,
		.what = (uint64_t)ends | MAGIC << 3 | (CALLS_BASE + call * CALL_BYTES) << 16,
	};
	if (of->count == UFTRACE_RECORDS)
		flush_thread(uftrace, of);
}

void trace_uftrace_thread_end(struct trace_uftrace *uftrace, uint32_t thread)
{
	const size_t at = uftrace_place_of(uftrace, thread);
	if (has_thread(uftrace, at, thread))
		flush_thread(uftrace, &uftrace->threads[at]);
}

void trace_uftrace_end(struct trace_uftrace *uftrace)
{
	for (size_t i = 0; i < uftrace->count; i++)
		flush_thread(uftrace, &uftrace->threads[i]);
	write_info(uftrace);
	free(uftrace->threads);
}
