/* SPDX-License-Identifier: MIT */
/* Nobody has a lease on what is open: fcntl(2), F_GETLEASE. */
#include <fcntl.h>
#include <unistd.h>

#include "tests/guest/say.h"

int main(void)
{
	int ends[2], file = open("/proc/self/exe", O_RDONLY);
	pipe(ends);
	SAY_TRUE(fcntl(file, F_GETLEASE) == F_UNLCK);
	SAY_TRUE(fcntl(ends[0], F_GETLEASE) == F_UNLCK);
	SAY(fcntl(99, F_GETLEASE));
	return 0;
}
