/* SPDX-License-Identifier: MIT */
/* The smallest program: says hello to its arguments, or to the world. */
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		printf("Hello, world!\n");
	for (int i = 1; i < argc; i++)
		printf("Hello, %s!\n", argv[i]);
	return 0;
}
