/* SPDX-License-Identifier: MIT */
/* One call on Linux and on the kernel's own code, and what it gave compared. A difference ends the process, with the
 * last calls on stderr: EREMITE_LOG says how many. */
#ifndef TESTS_UNIT_BOTH_H
#define TESTS_UNIT_BOTH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "tests/unit/fakes/linux_compare.h"

/** Number of the step, for the message. */
extern uint64_t both_step;

/** Over an EROFS image: sizes of directories, holes and allocated blocks are the image's. */
extern bool both_over_image;

/** In a call's arguments: a pointer to results, both_out[side], or 8 bytes behind it. */
#define BOTH_RESULT 0x5e5e5e5e5e01
#define BOTH_RESULT_2 0x5e5e5e5e5e02
#define BOTH_OUT_BYTES (1 << 17)
extern unsigned char both_out[2][BOTH_OUT_BYTES];

/** Makes a call on both sides, by name for reports and by Linux's number. Its result, which was the same on both. */
long both(const char *name, const char *what, long number, const long args[6]);
#define BOTH(name, what, ...) both(#name, what, SYS_##name, (const long[6]){__VA_ARGS__})

/** Text for `what`, as by printf(3), until the next call. */
const char *both_describe(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Notes a call that was not made by both(). */
void both_remember(const char *name, const char *what, long a, long b);

/** Says what differs, and ends. */
void both_differ(const char *what);

/** Compare the struct stat or the bytes in both_out; numbers of inodes; a directory's names. */
void both_check_stat(void);
void both_check_data(long bytes);
void both_check_ino(uint64_t host, uint64_t guest);
void both_check_directory(int fd);

/** What a path leads to, on Linux: S_IFREG and so on, or 0. An empty path is the descriptor itself. */
unsigned int both_type(int dirfd, const char *path);

/** Whether a descriptor is open on a directory, on Linux. */
bool both_is_directory(int fd);

#endif
