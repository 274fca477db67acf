/* SPDX-License-Identifier: MIT */
/* --summary: writes what a run did, as text or JSON (docs/summary.md has the schema). */
#ifndef HYPERVISOR_SUMMARY_H
#define HYPERVISOR_SUMMARY_H

#include <stdio.h>

#include "run/run.h"

/** Returns "exit", "signal", ...: how a run ended, as in "end" of the JSON summary. */
const char *summary_end_name(enum run_end end);

/** Returns the name of a system call, or "?" for an unknown number. */
const char *summary_call_name(unsigned call);

/** One part of a run digest. */
struct summary_part {
	const char *name;
	char text[DIGEST_TEXT_BYTES];
};

#define SUMMARY_PARTS_MAX 6

/** Lists the parts of a digest, as in "digest_parts" of the JSON summary. Returns their number. */
unsigned summary_parts(const struct run_config *config, const struct run_result *result,
                       struct summary_part parts[SUMMARY_PARTS_MAX]);

/** Each function writes one summary; summary_json needs cjson_load first. Returns 0 or a negative errno. */
int summary_text(FILE *to, const struct run_config *config, const struct run_result *result);
int summary_json(FILE *to, const struct run_config *config, const struct run_result *result);

#endif
