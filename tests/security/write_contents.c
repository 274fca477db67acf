/* SPDX-License-Identifier: MIT */
/* A guest under KVM that changes its page tables, so that it may write to what the monitor shows of a host file, and
 * does: write_contents FILE. For tests/security/contents.test. Prints what the file begins with in the guest's memory
 * then. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/tables.h"

static uint64_t *direct(uint64_t physical)
{
	return (uint64_t *)(LAYOUT_DIRECT_MAP + (physical & PTE_ADDRESS));
}

int main(int count, char **arguments)
{
	char begin[64];
	const uint64_t address = LAYOUT_DIRECT_MAP + LAYOUT_CONTENTS;
	int file = count > 1 ? open(arguments[1], O_RDONLY) : -1;
	if (file < 0 || read(file, begin, sizeof(begin)) != sizeof(begin)) /* by which the kernel has mapped it */
		return 2;
	const uint64_t *root = direct(LAYOUT_PAGE_TABLES), *above = direct(root[address >> 39 & 511]);
	uint64_t *blocks = direct(above[address >> 30 & 511]);
	for (uint64_t i = 0; i < 512 && blocks[i] & PTE_PRESENT; i++) {
		char *at = (char *)(address + i * BLOCK_SIZE);
		blocks[i] |= PTE_WRITE;
		if (memcmp(at, begin, sizeof(begin)))
			continue;
		puts("found");
		fflush(stdout);
		memcpy(at, "ALTERED", 8);
		puts(at);
		return 0;
	}
	return 3;
}
