/* SPDX-License-Identifier: MIT */
/* What a Linux program's kernel shows of it for reports: registers, page tables, mappings, files. */
#include <unistd.h>

#include "guest/guest_virtual.h"
#include "guest/linux_view.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_begin(data, size);
	struct image image = {.header = {.kernel_text = ARENA, .kernel_text_end = ARENA + PAGE_SIZE}};
	struct linux_view view = {.magic = LINUX_VIEW_MAGIC}, seen;
	uint64_t registers[17];
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	const uint64_t direct = flags & 1 ? LAYOUT_DIRECT_MAP : 0;
	view.tables = flags & 2 ? fuzz_address(&input) : ARENA;
	view.mappings = direct + fuzz_address(&input);
	view.current = direct + fuzz_address(&input);
	view.stack_at = fuzz_number(&input, flags & 4 ? 8 : 1);
	view.files = direct + fuzz_address(&input);
	for (unsigned i = 0; i < 17; i++)
		registers[i] = fuzz_address(&input);
	if (flags & 8) { /* a list that is one, of files that are there */
		struct view_mappings mappings = {view.mappings + sizeof(mappings), 1 + (flags >> 6)};
		uint64_t first = view.files + 8;
		guest_memory_write(&memory, gpa(view.mappings - direct), &mappings, sizeof(mappings));
		guest_memory_write(&memory, gpa(view.files - direct), &first, sizeof(first));
	}
	uint8_t rest[4096];
	size_t bytes = input.left < sizeof(rest) ? input.left : sizeof(rest);
	fuzz_take(&input, rest, bytes);
	uint64_t to = (flags & 8 ? view.mappings + sizeof(struct view_mappings) : ARENA + direct) - direct;
	guest_memory_write(&memory, gpa(to), rest, bytes);
	guest_memory_write(&memory, gpa(LAYOUT_LINUX_VIEW), &view, sizeof(view));
	if (!linux_view_read(&seen, &memory))
		abort();
	linux_view_registers(&seen, &memory, &image, registers);
	int fd = linux_view_modules(&seen, &memory, &image);
	if (fd >= 0)
		close(fd);
	return 0;
}
