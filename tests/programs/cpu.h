/* SPDX-License-Identifier: MIT */
/* A function with vectors for arguments, in a library. */
#ifndef TESTS_PROGRAMS_CPU_H
#define TESTS_PROGRAMS_CPU_H

typedef double vec __attribute__((vector_size(32)));

/** Adds them. */
vec sum_of_vectors(vec a, vec b);

#endif
