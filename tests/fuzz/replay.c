/* SPDX-License-Identifier: MIT */
/* Gives a harness the inputs in the files that are named, once each: what was found before stays found. */
#include <stdio.h>

#include "tests/fuzz/fuzz.h"

int main(int count, char **names)
{
	static uint8_t data[1 << 20];
	for (int i = 1; i < count; i++) {
		FILE *from = fopen(names[i], "rb");
		if (!from) {
			perror(names[i]);
			return 1;
		}
		size_t size = fread(data, 1, sizeof(data), from);
		fclose(from);
		uint8_t *copy = malloc(size); /* of that size, so that what is read behind it is noticed */
		memcpy(copy, data, size);
		LLVMFuzzerTestOneInput(copy, size);
		free(copy);
	}
	return 0;
}
