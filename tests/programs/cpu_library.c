/* SPDX-License-Identifier: MIT */
#include "cpu.h"

vec sum_of_vectors(vec a, vec b)
{
	return a + b;
}
