/* SPDX-License-Identifier: MIT */
/* Arguments for random sequences of file calls, the same for the same seed. */
#ifndef TESTS_UNIT_RANDOM_ARGS_H
#define TESTS_UNIT_RANDOM_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#define RANDOM_PATH_BYTES 1200
#define RANDOM_DATA_BYTES 20000

/** Starts the sequence that all arguments come from. */
void random_args_seed(uint64_t seed);

/** A number below another, and true once in n times. */
uint64_t random_args_below(uint64_t below);
bool random_args_one_in(uint64_t n);

/** A path of a to e, ".", "..", sometimes too long or with slashes; needs RANDOM_PATH_BYTES. Returns `to`. */
const char *random_args_path(char *to);

/** A descriptor from 3 to 11, sometimes a bad one; the second often AT_FDCWD. */
int random_args_fd(void);
int random_args_dirfd(void);

/** An offset, mostly below RANDOM_DATA_BYTES. */
long random_args_offset(void);

/** Flags of open(2) in any combination, sometimes with a bad bit. */
int random_args_open_flags(void);

#endif
