/* SPDX-License-Identifier: MIT */
/* The console ring: records of any kind, and counters that jump. */
#include <fcntl.h>

#include "abi/ring.h"
#include "run/streams/console.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_begin(data, size);
	struct console_ring *ring = guest_memory_at(&memory, gpa(LAYOUT_CONSOLE_RING), sizeof(*ring));
	uint8_t *bytes = guest_memory_at(&memory, gpa(LAYOUT_CONSOLE_RING + PAGE_SIZE), CONSOLE_RING_BYTES);
	struct console console;
	static int null = -1;
	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	console_init(&console, &memory, true, flags & 1);
	console.fds[1] = flags & 2 ? null : -1;
	console.fds[2] = flags & 4 ? 1000 : null; /* which cannot be written to */
	console.tail = ring->head = fuzz_number(&input, 3);
	for (unsigned turn = 0; turn < 4 && input.left; turn++) {
		uint64_t moved = fuzz_number(&input, flags & 8 ? 8 : 2), put = fuzz_number(&input, 2);
		for (uint64_t i = 0; i < put && input.left; i++)
			fuzz_take(&input, &bytes[(ring->head + i) % CONSOLE_RING_BYTES], 1);
		ring->head += moved;
		console_drain(&console);
	}
	console_fini(&console);
	return 0;
}
