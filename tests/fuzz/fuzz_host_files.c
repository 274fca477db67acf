/* SPDX-License-Identifier: MIT */
/* Requests for the host's files: any operation, handle, name and buffer. */
#include "hostfs/host_check.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct host_files files;
	struct fuzz_input input = fuzz_begin(data, size);
	tree_open(&files);
	for (unsigned turn = 0; turn < 32 && input.left; turn++) {
		uint64_t kind = fuzz_number(&input, 1), address = fuzz_address(&input);
		struct host_file_request request = {.op = kind & 7, .handle = (uint32_t)fuzz_number(&input, 1)};
		request.buffer = fuzz_address(&input);
		request.buffer_bytes = kind & 8 ? fuzz_number(&input, 2) : HOST_FILE_LIST_BYTES;
		request.offset = fuzz_number(&input, kind & 16 ? 8 : 1);
		if (kind & 32)
			fuzz_take(&input, request.name, kind & 64 ? 16 : sizeof(request.name));
		else
			strcpy(request.name, tree_name(fuzz_number(&input, 1)));
		uint8_t buffer[128];
		size_t bytes = kind & 128 ? sizeof(buffer) : 24;
		fuzz_take(&input, buffer, bytes);
		if (request.op == HOST_FILE_LOAD && kind & 8) { /* pieces that could be right */
			const struct host_file_piece pieces[] = {{ARENA, buffer[0] & 15}, {ARENA + 99, buffer[1] & 15}};
			memcpy(buffer, pieces, sizeof(pieces));
			request.buffer_bytes = sizeof(pieces) - 16UL * (buffer[2] & 1);
			request.offset = 0;
		}
		guest_memory_write(&memory, gpa(request.buffer), buffer, bytes);
		guest_memory_write(&memory, gpa(address), &request, sizeof(request));
		host_files_serve(&files, &memory, gpa(address));
		files.error.text[0] = 0;
	}
	if (host_files_check(&files)) /* nobody has changed anything */
		abort();
	host_files_close(&files);
	return 0;
}
