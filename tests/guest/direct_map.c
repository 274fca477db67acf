/* SPDX-License-Identifier: MIT */
/* Memory beyond the first GiB, which the kernel shows itself when it first has to clear some: what was used and given
 * back is zero when it is handed out again.
 *
 * eremite-options: --memory 2G
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MIB (1UL << 20)
#define HIGH (1280 * MIB)

static char *map(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static size_t used_bytes(const char *at, size_t bytes)
{
	size_t used = 0;
	for (size_t i = 0; i < bytes; i++)
		used += at[i] != 0;
	return used;
}

int main(void)
{
	char *all = map(HIGH);
	if (all == MAP_FAILED) {
		printf("no memory\n");
		return 1;
	}
	memset(all + HIGH - 4 * MIB, 0x5a, 4 * MIB);
	memset(all, 0x5a, 2 * MIB);
	printf("before: %zu\n", used_bytes(all + HIGH - 6 * MIB, 6 * MIB));
	munmap(all, HIGH);
	for (int round = 1; round <= 3; round++) {
		char *part = map(8 * MIB);
		printf("round %d: %zu", round, used_bytes(part, 8 * MIB));
		memset(part, round, 8 * MIB);
		printf(" then %zu\n", used_bytes(part, 8 * MIB));
		munmap(part, 8 * MIB);
	}
	return 0;
}
