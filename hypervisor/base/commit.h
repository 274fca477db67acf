/* SPDX-License-Identifier: MIT */
/* The commit from which this eremite was built (scripts/commit). No run depends on it. */
#ifndef HYPERVISOR_COMMIT_H
#define HYPERVISOR_COMMIT_H

/** 40 digits, and -dirty behind them if the tree had changes; empty: unknown. */
extern const char commit_text[];

/** What --version prints: version and commit, without a newline. */
extern const char *const commit_version;

#endif
