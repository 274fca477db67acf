/* SPDX-License-Identifier: MIT */
/* The channel of the process engine: a guest that writes anything into it while the monitor runs it. There is no such
 * process here: whenever the monitor makes a system call, a part of the input is written into the channel. */
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/process/channel.h"
#include "tests/fuzz/fuzz.h"

#define HEAD_BYTES offsetof(struct channel, birth)

/* What is copied where the stub would be. */
extern const uint8_t process_stub[], process_stub_end[];
__asm__(".globl process_stub, process_stub_end\nprocess_stub:\n.byte 0xcc\nprocess_stub_end:\n");

static struct fuzz_input input;
static bool died;

/* The guest's view of it, which the monitor makes for the process to inherit. */
static void write_channel(void)
{
	uint8_t *channel = (uint8_t *)STUB_CHANNEL;
	uint64_t kind = fuzz_number(&input, 1), at = fuzz_number(&input, 1) * 8 % HEAD_BYTES;
	if (!input.left) /* or the monitor would wait for ever */
		((struct channel *)channel)->reason = CHANNEL_BROKEN;
	else if (kind & 1)
		((struct channel *)channel)->reason = kind >> 1 & 3;
	else
		fuzz_take(&input, channel + at, kind & 128 ? HEAD_BYTES - at : 8);
}

long __wrap_syscall(long number, ...);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);

long __wrap_syscall(long number, ...)
{
	if (number == SYS_futex)
		write_channel();
	return 0;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	(void)pid;
	(void)options;
	write_channel();
	errno = ECHILD;
	if (input.left % 8)
		return -1;
	died = true;
	if (status)
		*status = (int)fuzz_number(&input, 2);
	return 1;
}

static void run(struct engine *engine)
{
	struct engine_exit stop;
	memset(&stop, 0x7f, sizeof(stop));
	engine_process.run(engine, &stop);
	if (stop.stop != ENGINE_DOORBELL && stop.stop != ENGINE_INTERRUPTED && stop.stop != ENGINE_BROKEN)
		abort();
	for (const char *c = stop.message; stop.stop == ENGINE_BROKEN && *c; c++)
		if (c == stop.message + sizeof(stop.message) - 1 || *c < ' ' || *c > '~')
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct engine *engine;
	struct engine_registers registers;
	struct error error;
	const struct image_header image = {0};
	input = fuzz_begin(data, size);
	if (!engine && engine_process.create(&engine, &image, NULL, &error))
		abort();
	memset((void *)STUB_CHANNEL, 0, sizeof(struct channel));
	died = false;
	for (unsigned turn = 0; turn < 32 && input.left; turn++) {
		uint64_t kind = fuzz_number(&input, 1);
		if (kind & 1)
			engine_process.interrupt(engine);
		run(engine);
		if (engine_process.get_registers(engine, &registers))
			abort();
		registers.rflags = kind;
		if (kind & 2)
			engine_process.set_registers(engine, &registers);
	}
	if (died) {
		engine_process.destroy(engine);
		engine = NULL;
	}
	return 0;
}
