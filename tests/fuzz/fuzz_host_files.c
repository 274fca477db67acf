/* SPDX-License-Identifier: MIT */
/* Requests for the host's files: any operation, handle, name and buffer. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host_check.h"
#include "host_files.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/fakes/folder.h"

static char base[64], file[80];

static void put(const char *name, const char *text, size_t bytes)
{
	char path[120];
	snprintf(path, sizeof(path), "%s/%s", base, name);
	FILE *to = fopen(path, "w");
	if (!to)
		abort();
	fwrite(text, 1, bytes, to);
	fclose(to);
}

static void make_tree(void)
{
	char path[120];
	if (!folder_make(base))
		abort();
	snprintf(path, sizeof(path), "%s/d", base);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/d/__pycache__", base);
	mkdir(path, 0755);
	put("d/m.py", "pass\n", 5);
	put("d/__pycache__/m.x.pyc", "\247\r\r\n\0\0\0\0\1\2\3\4\5\0\0\0body", 20);
	put("f", "contents", 8);
	put("e", "", 0);
	snprintf(path, sizeof(path), "%s/l.py", base);
	if (symlink("d/m.py", path))
		abort();
	snprintf(file, sizeof(file), "%s/f", base);
}

static void remove_tree(void)
{
	folder_remove(base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"d", "f", "e", "l.py", "d/m.py", "m.py", "none", "d/__pycache__/m.x.pyc"};
	static struct host_files files;
	static struct host_tree trees[2];
	struct fuzz_input input = fuzz_begin(data, size);
	char error[256];
	if (!base[0]) {
		make_tree();
		atexit(remove_tree);
	}
	trees[0] = (struct host_tree){.host = base, .guest = "/"};
	trees[1] = (struct host_tree){.host = file, .guest = "/one"};
	if (host_files_open(&files, trees, 2, error) || host_files_begin(&files))
		abort();
	files.hash = files.bytecode_times = true;
	for (unsigned turn = 0; turn < 32 && input.left; turn++) {
		uint64_t kind = fuzz_number(&input, 1), address = fuzz_address(&input);
		struct host_file_request request = {.op = kind & 7, .handle = (uint32_t)fuzz_number(&input, 1)};
		request.buffer = fuzz_address(&input);
		request.buffer_bytes = kind & 8 ? fuzz_number(&input, 2) : HOST_FILE_LIST_BYTES;
		request.offset = fuzz_number(&input, kind & 16 ? 8 : 1);
		if (kind & 32)
			fuzz_take(&input, request.name, kind & 64 ? 16 : sizeof(request.name));
		else
			strcpy(request.name, names[fuzz_number(&input, 1) % 8]);
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
		files.error[0] = 0;
	}
	if (host_files_check(&files)) /* nobody has changed anything */
		abort();
	host_files_close(&files);
	return 0;
}
