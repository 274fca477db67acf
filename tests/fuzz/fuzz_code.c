/* SPDX-License-Identifier: MIT */
/* Requests about code: any list of pieces, and files that are nearly ELF. */
#include "abi/code.h"
#include "base/error.h"
#include "code/service/code_service.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_begin(data, size);
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	const struct code_points points = {.atomics = flags & 1, .stores = flags & 2 ? 10 : 0};
	struct code_request request = {.pieces = ARENA + ARENA_BYTES, .patches = ARENA + 2 * ARENA_BYTES};
	struct code_piece pieces[4] = {{ARENA, input.left}};
	struct error error;
	setenv("EREMITE_CACHE", "", 1);
	request.piece_count = 1;
	request.patches_max = flags & 4 ? 4096 : fuzz_number(&input, 1);
	if (flags & 8) {
		request.flags = CODE_RAW;
		request.entry = (uint32_t)fuzz_number(&input, 2);
	}
	if (flags & 16) {
		request.piece_count = fuzz_number(&input, flags & 32 ? 8 : 1);
		request.pieces = fuzz_address(&input);
		request.patches = fuzz_address(&input);
		for (unsigned i = 0; i < 4; i++) {
			pieces[i].address = fuzz_number(&input, 1) & 3 ? fuzz_address(&input) : CODE_HOLE;
			pieces[i].bytes = fuzz_number(&input, 2);
			if (flags & 64 && pieces[i].bytes > 0xff00) /* those of gigabytes take seconds each */
				pieces[i].bytes = UINT64_MAX - (pieces[i].bytes & 0xff);
		}
	} else {
		pieces[0].bytes = input.left < ARENA_BYTES ? input.left : ARENA_BYTES;
	}
	fuzz_fill(&input);
	guest_memory_write(&memory, gpa(request.pieces), pieces, sizeof(pieces));
	guest_memory_write(&memory, gpa(ARENA + 3 * ARENA_BYTES), &request, sizeof(request));
	struct code_known known = {0};
	int64_t answer = code_service_answer(&memory, gpa(ARENA + 3 * ARENA_BYTES), &points, &known, &error);
	const struct code_patch *patches = guest_memory_at(&memory, gpa(request.patches), 16);
	for (int64_t i = 1; i < answer && (uint64_t)i < request.patches_max && !(flags & 24); i++)
		if (patches[i].offset < patches[i - 1].offset)
			abort();
	return 0;
}
