/* SPDX-License-Identifier: MIT */
/* Files that are nearly ELF, whose instructions are listed as `eremite info --portable` does. */
#include <stdio.h>

#include "pack/portable.h"
#include "tests/fuzz/fuzz.h"

struct listed {
	FILE *to;
	int64_t count;
	uint64_t address;
};

static void each(void *context, const struct portable_site *site)
{
	struct listed *listed = context;
	if ((listed->count++ && site->address < listed->address) || site->reason >= PORTABLE_REASONS ||
	    !site->mnemonic[0])
		abort();
	listed->address = site->address;
	portable_print(listed->to, "file", site);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char error[256] = "";
	char text[1 << 16];
	struct listed listed = {.to = fmemopen(text, sizeof(text), "w")};
	if (!listed.to)
		abort();
	int64_t count = portable_list(data, size, each, &listed, error);
	if (count != listed.count && !(count < 0 && !listed.count && error[0]))
		abort();
	fclose(listed.to);
	return 0;
}
