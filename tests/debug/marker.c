/* SPDX-License-Identifier: MIT */
/* For places.test: calls of eremite_marker. */
#include <unistd.h>

#define EREMITE_MARKER 400

int main(void)
{
	static const char *const names[] = {"first", "other", "second", "third", "third"};
	for (volatile int i = 0; i < 5; i++)
		syscall(EREMITE_MARKER, names[i]);
	return 0;
}
