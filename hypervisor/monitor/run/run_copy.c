/* SPDX-License-Identifier: MIT */
/* Copies contents of host files to the guest's RAM. Where page tables are shadowed, each page that the guest reads
 * costs the host a fault. */
#include "abi/doorbell.h"
#include "abi/host_file.h"
#include "guest/contents_beside.h"
#include "run/run_state.h"

/* Copies one piece. Returns false if no kernel asks for it. */
static bool copy_piece(struct run *run, const struct content_copy *piece)
{
	const struct guest_contents *contents = run->memory.contents;
	void *to = guest_memory_at(&run->memory, gpa(piece->to), piece->bytes);
	return contents && to && contents_beside_copy(&run->beside, contents, piece->from, piece->bytes, to);
}

int64_t run_serve_copy(struct run *run, const uint64_t *args)
{
	bool is_right = args[1] <= CONTENT_COPIES_MAX;
	for (uint64_t i = 0; is_right && i < args[1]; i++) {
		struct content_copy piece;
		is_right = !guest_memory_read(&run->memory, gpa(args[0] + i * sizeof(piece)), &piece, sizeof(piece)) &&
		           copy_piece(run, &piece);
	}
	if (!is_right)
		run_fail(run, "the guest's kernel asked for a copy of contents that it does not see");
	return 0;
}
