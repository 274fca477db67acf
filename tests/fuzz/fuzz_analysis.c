/* SPDX-License-Identifier: MIT */
/* Records of an analysis as a damaged cache may hold them, for a file that is nearly ELF: they are refused, or give
 * patches that are possible. */
#include "base/error.h"
#include "code/service/code_repeat.h"
#include "tests/fuzz/fuzz.h"

#define RECORDS_MAX 64
#define RECORD 16

/* Makes the analysis of the file itself, and packs it. Returns the number of records, or 0. */
static size_t make_records(const struct fuzz_input *file, uint8_t *records)
{
	struct error error = {0};
	struct code_analysis analysis;
	size_t count = 0;
	if (code_analysis_make(file->at, file->left, false, true, &analysis, &error))
		return 0;
	void *packed = code_analysis_pack(&analysis, &count);
	code_analysis_fini(&analysis);
	if (!packed)
		abort();
	if (count > RECORDS_MAX)
		count = RECORDS_MAX; /* too few records, which are refused */
	memcpy(records, packed, count * RECORD);
	free(packed);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_begin(data, size);
	struct error error = {0};
	uint8_t records[RECORDS_MAX * RECORD];
	struct code_analysis analysis;
	struct code_scan scan;
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	const struct code_points points = {.atomics = flags & 1, .stores = 1 + (flags >> 4), .seed = flags};
	size_t count = (size_t)fuzz_number(&input, 1) % (RECORDS_MAX + 1);
	size_t at = (size_t)fuzz_number(&input, 2);
	uint8_t change = (uint8_t)fuzz_number(&input, 1);
	if (flags & 2)
		fuzz_take(&input, records, count * RECORD);
	else
		count = make_records(&input, records);
	if (count)
		records[at % (count * RECORD)] ^= change;
	if (!code_analysis_unpack(records, count, input.left, &analysis))
		return 0;
	int result = code_repeat(input.at, input.left, &analysis, &points, &scan, &error);
	if (!result && !code_scan_is_possible(scan.patches, scan.count, input.left))
		abort();
	if (result && !error.text[0])
		abort();
	if (!result)
		code_scan_fini(&scan);
	code_analysis_fini(&analysis);
	return 0;
}
