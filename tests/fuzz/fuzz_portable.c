/* SPDX-License-Identifier: MIT */
/* Files that are nearly ELF, whose instructions are listed as `eremite info --portable` does, and whose functions are
 * compared with those of a copy with another byte, as `eremite diff` does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pack/code_compare.h"
#include "pack/extensions.h"
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

static void count_function(void *context, const struct code_difference *difference)
{
	int64_t *count = context;
	if (!difference->name[0] || (difference->kind != CODE_DIFFERS && difference->offset))
		abort();
	*count += strnlen(difference->texts[0], DISASSEMBLER_TEXT) < DISASSEMBLER_TEXT;
}

static void compare(const uint8_t *data, size_t size)
{
	struct error error = {0};
	int64_t counted = 0;
	uint8_t *other = malloc(size + 1);
	if (!other)
		abort();
	memcpy(other, data, size);
	other[size / 2] ^= 1;
	int64_t count = code_compare((const uint8_t *const[]){data, other}, (const uint64_t[]){size, size},
	                             count_function, &counted, &error);
	if (count != counted && !(count < 0 && error.text[0]))
		abort();
	free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	char text[1 << 16];
	struct listed listed = {.to = fmemopen(text, sizeof(text), "w")};
	if (!listed.to)
		abort();
	int64_t count = portable_list(data, size, each, &listed, &error);
	if (count != listed.count && !(count < 0 && !listed.count && error.text[0]))
		abort();
	static struct extension_use uses[EXTENSIONS_MAX];
	error.text[0] = 0;
	const int extensions = extensions_list(data, size, uses, &error);
	if (extensions < 0 && !error.text[0])
		abort();
	for (int i = 0; i < extensions; i++)
		extensions_print(listed.to, "file", &uses[i]);
	fclose(listed.to);
	compare(data, size);
	return 0;
}
