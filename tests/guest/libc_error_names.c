/* SPDX-License-Identifier: MIT */
/* Error numbers in words: strerrorname_np, strerrordesc_np. */
#include <stdio.h>
#include <string.h>

static const char *text_of(const char *text)
{
	return text ? text : "none";
}

int main(void)
{
	for (int error = -1; error < 140; error++)
		printf("%d %s, %s\n", error, text_of(strerrorname_np(error)), text_of(strerrordesc_np(error)));
	return 0;
}
