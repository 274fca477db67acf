/* SPDX-License-Identifier: MIT */
/* Makes names of functions of the lines that eremite-symbolize and the interpreter's frames give. All are untrusted. */
#ifndef HYPERVISOR_PROFILE_FRAMES_H
#define HYPERVISOR_PROFILE_FRAMES_H

#define PROFILE_NAMES_MAX 32768 /* bytes of the names of a stack */

/**
 * Writes the names of a stack, from the outermost on (profile_table.h): `root`, the functions of Python in `python`,
 * and those of `frames` that they do not stand for. Both have a line for each frame, from the innermost on; either may
 * be empty.
 */
void profile_frames_fold(char names[PROFILE_NAMES_MAX], const char *root, const char *python, const char *frames);

/** Writes the name of the function that is at the top of `frames`, without those that are inlined there. */
void profile_frames_top(char names[PROFILE_NAMES_MAX], const char *root, const char *frames);

#endif
