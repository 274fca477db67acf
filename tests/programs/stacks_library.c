/* SPDX-License-Identifier: MIT */
/* A function that stands in a library of its own, between two of the program. */
int in_library(int (*function)(int), int how);

int __attribute__((noinline)) in_library(int (*function)(int), int how)
{
	return function(how) * 3;
}
