/* SPDX-License-Identifier: MIT */
/* Noted kernel calls: records of any kind, call and thread, whose values and copies of memory fit together or not, and
 * counters that jump. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "strace/strace.h"
#include "tests/fuzz/fuzz.h"
#include "trace/trace_out.h"

#define RECORDS 64
#define KINDS (STRACE_FAULT + 2) /* and one that is none */
#define PIECES 4
#define PIECE_BYTES 200

static union {
	struct strace_area head;
	uint8_t bytes[LAYOUT_STRACE_SIZE];
} area;

static uint8_t *place(uint64_t count)
{
	return area.bytes + (STRACE_RING - LAYOUT_STRACE) + count % STRACE_RING_BYTES;
}

/* A value: small, or an address that the copies of this record have. */
static uint64_t take_value(struct fuzz_input *input)
{
	const uint64_t number = fuzz_number(input, 2);
	return number & 0x8000 ? fuzz_number(input, 8) : number & 0x4000 ? 0x1000 + (number & 0xff) : number;
}

/* Puts a record at the head. Returns its size. */
static size_t put_record(struct fuzz_input *input)
{
	struct strace_record record = {.kind = (uint16_t)fuzz_number(input, 1) % KINDS,
	                               .call = (uint16_t)fuzz_number(input, 2) % 520,
	                               .thread = (uint32_t)fuzz_number(input, 1),
	                               .pid = 1,
	                               .console = fuzz_number(input, 1)};
	uint8_t *to = place(area.head.head);
	size_t bytes = sizeof(record);
	const unsigned pieces = (unsigned)fuzz_number(input, 1) % PIECES;
	for (unsigned i = 0; i < STRACE_ARGUMENTS; i++)
		record.values[i] = take_value(input);
	for (unsigned i = 0; i < pieces; i++) {
		struct strace_piece piece = {take_value(input), fuzz_number(input, 1) % PIECE_BYTES};
		const size_t real = (piece.bytes + 7) & ~7UL;
		if (fuzz_number(input, 1) == 255)
			piece.bytes = fuzz_number(input, 8);
		memcpy(to + bytes, &piece, sizeof(piece));
		fuzz_take(input, to + bytes + sizeof(piece), real);
		bytes += sizeof(piece) + real;
	}
	record.bytes = (uint32_t)bytes;
	if (fuzz_number(input, 1) == 255)
		record.bytes = (uint32_t)fuzz_number(input, 4);
	memcpy(to, &record, sizeof(record));
	return bytes;
}

static int show_nothing(void *context, uint64_t count)
{
	(void)context, (void)count;
	return 0;
}

/* A trace whose files are /dev/null, and of which nothing is left on the host. */
static const struct strace_taker *take_trace(int null)
{
	static struct trace_out trace;
	static char dir[] = "/tmp/fuzz-strace-XXXXXX";
	static const char *const files[] = {"trace.json", "trace.txt", "trace.pftrace", "sid-0000000000000001.map",
	                                    "kernel-calls.sym"};
	struct error error;
	if (trace.path)
		return &trace.taker;
	if (!mkdtemp(dir) || trace_out_open(&trace, dir, &error))
		abort();
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlinkat(trace.dir, files[i], 0);
	rmdir(dir);
	trace.json.fd = trace.text.fd = trace.proto.fd = null;
	trace.uftrace.error = EIO; /* writes no files */
	return &trace.taker;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {data, size};
	static struct strace strace;
	static int null = -1;
	struct error error;
	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	memset(&strace, 0, sizeof(strace));
	memset(&area.head, 0, sizeof(area.head));
	strace_filter_read(&strace.filter, flags & 1 ? "count" : "", flags & 1 ? 5 : 0, &error);
	strace.out.fd = null;
	strace.taker = flags & 8 ? take_trace(null) : NULL;
	strace.is_silent = flags & 16;
	strace_begin(&strace, &area);
	strace.tail = area.head.head = flags & 2 ? STRACE_RING_BYTES - 0x8000 : 0;
	for (unsigned i = 0; i < RECORDS && input.left; i++) {
		area.head.head += put_record(&input);
		if (fuzz_number(&input, 1) == 255)
			area.head.head = fuzz_number(&input, 8);
		strace_drain(&strace, show_nothing, NULL);
		if (area.head.head % STRACE_RING_BYTES > STRACE_RING_BYTES - 2 * STRACE_RECORD_MAX)
			break;
	}
	strace_end(&strace, flags & 4 ? flags : -1);
	return 0;
}
