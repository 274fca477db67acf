/* SPDX-License-Identifier: MIT */
/* A folder of a test's own on the host. */
#ifndef TESTS_UNIT_FOLDER_H
#define TESTS_UNIT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Makes a folder and stores its path; false when it cannot. folder_remove() takes it away with what is in it. */
static inline bool folder_make(char path[static 64])
{
	strcpy(path, "/tmp/eremite-test-XXXXXX");
	return mkdtemp(path) != NULL;
}

/** Whether nothing is left. What a test has made unreadable goes, too. */
static inline bool folder_remove(const char *path)
{
	char command[200];
	snprintf(command, sizeof(command), "chmod -R u+rwX %s; rm -rf %s", path, path);
	return system(command) == 0;
}

#endif
