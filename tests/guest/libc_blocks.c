/* SPDX-License-Identifier: MIT */
/* memcpy, memmove, memset and strlen at every small length and alignment, and at lengths around their thresholds. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define AREA 16384

static unsigned char area[AREA];

static uint64_t sum(void)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (int i = 0; i < AREA; i++)
		hash = (hash ^ area[i]) * 0x100000001b3;
	return hash;
}

static void fill(void)
{
	for (int i = 0; i < AREA; i++)
		area[i] = (unsigned char)(i * 7 + i / 251 + 1) | 1;
}

int main(void)
{
	static const size_t lengths[] = {0,  1,  2,  3,   4,   5,   7,   8,   9,   15,  16,   17,   31,   32,  33,
	                                 63, 64, 65, 127, 128, 129, 191, 192, 193, 300, 2047, 2048, 2049, 5000};
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t n = lengths[i], total = 0;
		fill();
		for (size_t shift = 0; shift < 80; shift += 3) {
			memmove(area + 100 + shift, area + 130, n); /* backwards and forwards */
			memcpy(area + 8000 + shift, area + 7 * shift, n);
			memset(area + 14000 + shift, (int)(n + shift), n < 2000 ? n : 2000);
			unsigned char was = area[200 + shift + n];
			area[200 + shift + n] = 0;
			total += strlen((char *)area + 200 + shift);
			area[200 + shift + n] = was ? was : 1;
		}
		printf("%zu: %016llx %zu\n", n, (unsigned long long)sum(), total);
	}
	return 0;
}
