/* SPDX-License-Identifier: MIT */
/* The build defines COMMIT for this file alone, so that a new commit compiles nothing else again. */
#include "base/commit.h"

#include "base/version.h"

#ifndef COMMIT
#define COMMIT ""
#endif

const char commit_text[] = COMMIT;
const char *const commit_version = sizeof(COMMIT) > 1 ? "eremite " EREMITE_VERSION " (commit " COMMIT ")"
                                                      : "eremite " EREMITE_VERSION " (no commit)";
