/* SPDX-License-Identifier: MIT */
/* A debugger that is at fault, and a guest that answers anything: packets of gdb's remote protocol. A line of the input
 * is the data of a packet, or after a byte 0xff whatever is sent. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "debug/debug.h"
#include "tests/fuzz/fuzz.h"

#define SENT_MAX 65536UL
#define STOPS_MAX 20U

static struct fuzz_input answers;

/* Half of the answers are those of a kernel that does as it is told. */
static int64_t request(void *context, struct debug_request *request, void *data)
{
	const uint64_t kind = fuzz_number(&answers, 1);
	(void)context;
	if (kind & 1)
		return request->op == DEBUG_VECTOR ? 832 : 0;
	fuzz_take(&answers, data, kind & 0x78);
	request->address = kind & 2 ? fuzz_number(&answers, 8) : 0;
	return kind & 4 ? (int64_t)fuzz_number(&answers, 2) : -(int64_t)(kind >> 1);
}

static int64_t read_memory(void *context, uint64_t address, void *to, uint64_t bytes)
{
	(void)context;
	if (address % 5 == 0)
		return -EFAULT;
	fuzz_take(&answers, to, bytes);
	return (int64_t)bytes;
}

static void locate(void *context, struct debug_position *position)
{
	(void)context;
	*position = (struct debug_position){.decision = 5, .now_ns = 7};
}

static void describe(void *context, enum debug_say what, FILE *to)
{
	(void)context;
	for (uint64_t i = fuzz_number(&answers, 2); i; i--)
		putc('a' + (int)what, to);
}

static bool goes_on(void)
{
	return false;
}

static const struct debug_target target = {
	.request = request, .read = read_memory, .position = locate, .describe = describe, .is_stopped = goes_on};

/* Turns lines into what a debugger sends. */
static size_t make_stream(const uint8_t *data, size_t size, char *to)
{
	size_t bytes = 0;
	while (size) {
		const uint8_t *end = memchr(data, '\n', size);
		const size_t length = end ? (size_t)(end - data) : size;
		if (bytes + 2 * length + 4 > SENT_MAX)
			break;
		if (length && *data == 0xff) {
			memcpy(to + bytes, data + 1, length - 1);
			bytes += length - 1;
		} else {
			bytes += packet_make(to + bytes, (const char *)data, length);
		}
		data += length + !!end;
		size -= length + !!end;
	}
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct debug debug;
	static char stream[SENT_MAX];
	struct fuzz_input input = fuzz_begin(data, size);
	struct debug_request go;
	int ends[2];
	const size_t answer_bytes = fuzz_number(&input, 2) % 1024,
		     taken = input.left < answer_bytes ? input.left : answer_bytes;
	answers = (struct fuzz_input){.at = input.at, .left = taken};
	const size_t bytes = make_stream(input.at + taken, input.left - taken, stream);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		abort();
	fcntl(ends[0], F_SETFL, O_NONBLOCK); /* nobody reads the answers */
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	if (write(ends[1], stream, bytes) < 0 && errno != EAGAIN)
		abort();
	shutdown(ends[1], SHUT_WR);
	memset(&debug, 0, sizeof(debug));
	debug.fd = ends[0];
	debug.program = "/bin/true";
	for (unsigned i = 0; i < STOPS_MAX && debug.fd >= 0; i++) {
		struct debug_stop stop;
		fuzz_take(&answers, &stop, sizeof(stop));
		stop.reason %= 16;
		debug_wait(&debug, &stop, &target, &go);
		debug_is_waiting(&debug);
	}
	debug_tell_end(&debug, bytes & 1, (int)(bytes & 0xff));
	if (debug.fd >= 0)
		close(debug.fd);
	close(ends[1]);
	return 0;
}
