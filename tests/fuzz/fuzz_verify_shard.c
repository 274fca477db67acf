/* SPDX-License-Identifier: MIT */
/* Results of shards of a verification, which strangers may have written, in each format. A zero byte is between two
 * files. */
#include <stdio.h>
#include <unistd.h>

#include "tests/fuzz/dies.h"
#include "tests/fuzz/fuzz.h"
#include "verify/verify_shard.h"

#define FILES 4U

static int files[FILES];

/* Puts the parts of the input into files. */
static unsigned split(const uint8_t *data, size_t size, char names[FILES][40])
{
	unsigned count = 0;
	for (const uint8_t *end = data + size; data < end && count < FILES;) {
		const uint8_t *stop = memchr(data, 0, (size_t)(end - data));
		const size_t bytes = (size_t)((stop ? stop : end) - data);
		if (!files[count])
			files[count] = memfd_create("shard", MFD_CLOEXEC);
		if (ftruncate(files[count], 0) || pwrite(files[count], data, bytes, 0) != (ssize_t)bytes)
			abort();
		snprintf(names[count], sizeof(names[0]), "/proc/self/fd/%d", files[count]);
		count++;
		data += bytes + 1;
	}
	return count;
}

static void merge_files(const uint8_t *data, size_t size)
{
	char names[FILES][40], *given[FILES];
	const unsigned count = split(data, size, names);
	for (unsigned i = 0; i < count; i++)
		given[i] = names[i];
	for (int format = RESULTS_TEXT; format <= RESULTS_JSON && count; format++) {
		struct verify_option option = {.given = given, .given_count = count, .format = format};
		verify_shard_merge(&option);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	dies_run(merge_files, data, size);
	return 0;
}
