/* SPDX-License-Identifier: MIT */
/* Pieces of a core file: any addresses, sizes, counts and totals. The file is complete, or it is not made. */
#include <sys/stat.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "save/core_out.h"
#include "tests/fuzz/fuzz.h"

#define PIECES 8

static void check_file(const struct core_out *core)
{
	struct stat st;
	if (core->is_complete && (fstat(core->fd, &st) || (uint64_t)st.st_size != core->total))
		abort();
	if (core->is_complete == (core->error || core->why_not[0]))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int file = -1;
	struct fuzz_input input = fuzz_begin(data, size);
	const uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	const uint64_t total = fuzz_number(&input, flags & 2 ? 8 : 2);
	if (file < 0)
		file = memfd_create("core", MFD_CLOEXEC);
	if (ftruncate(file, 0) || lseek(file, 0, SEEK_SET))
		abort();
	struct core_out core = {.fd = file, .is_regular = flags & 1, .data_max = 0x20000};
	memset(guest_memory_at(&memory, gpa(ARENA), 0x1800), flags, 0x1800);
	for (unsigned turn = 0; turn < 16 && input.left && !core.error && !core.why_not[0]; turn++) {
		struct out_piece pieces[PIECES];
		const uint64_t kind = fuzz_number(&input, 1), address = fuzz_address(&input);
		for (unsigned i = 0; i < PIECES; i++) {
			const uint8_t form = (uint8_t)fuzz_number(&input, 1);
			pieces[i].address = form & 1 ? OUT_HOLE : fuzz_address(&input);
			pieces[i].bytes = form & 2 ? fuzz_number(&input, 8) : fuzz_number(&input, 1) << (form >> 4);
		}
		guest_memory_write(&memory, gpa(address), pieces, sizeof(pieces));
		core_out_take(&core, &memory, gpa(address), kind & 8 ? fuzz_number(&input, 8) : 1 + (kind & 7),
		              kind & 16 ? fuzz_number(&input, 8) : total, kind);
	}
	core_out_end(&core);
	check_file(&core);
	return 0;
}
