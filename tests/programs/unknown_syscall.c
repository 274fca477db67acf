/* SPDX-License-Identifier: MIT */
/* Makes system calls that there are none of: one with a name, one without, and one behind all numbers. */
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	const long numbers[] = {SYS_kexec_load, 400, 1000000};
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		errno = 0;
		long result = syscall(numbers[i], 0x11, 0x22, 0x33, 0x44, 0x55, 0x66);
		printf("%ld: %ld %d\n", numbers[i], result, errno == ENOSYS);
		fflush(stdout);
	}
	return 0;
}
