/* SPDX-License-Identifier: MIT */
/* A leak on purpose: RDTSC in code that is made at run time, which no scan of the image sees: it is found when it
 * becomes executable. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	static const unsigned char code[] = {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0xc3};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(page, code, sizeof(code));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC)) {
		perror("executable memory");
		return 3;
	}
	printf("%lu\n", ((unsigned long (*)(void))page)());
	return 0;
}
