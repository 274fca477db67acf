/* SPDX-License-Identifier: MIT */
#include "cmdline/drawn_inputs.h"
#include "session/option_defaults.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/die.h"
#include "cmdline/time_option.h"

void drawn_inputs_draw(struct session *options)
{
	char epoch[32];
	struct run_config *run = &options->run;
	if (options->net.has_route && !options->seed_given &&
	    getrandom(&run->seed, sizeof(run->seed), 0) != sizeof(run->seed))
		die("cannot draw a seed from the host: %s; give one by --seed", strerror(errno));
	if (options->epoch_given)
		return;
	if (run->host_file_times)
		time_option_begin_after_files(options);
	else if (options->net.has_route)
		time_option_epoch(options, "now");
	else
		return;
	option_defaults_epoch(options, epoch);
	session_given_add(&options->given, "epoch", epoch);
}

void drawn_inputs_note(struct session *options)
{
	char seed[24], epoch[32];
	snprintf(seed, sizeof(seed), "0x%lx", options->run.seed);
	if (!options->seed_given)
		session_given_add(&options->given, "seed", seed);
	if (!options->epoch_given && !options->epoch_taken) {
		option_defaults_epoch(options, epoch);
		session_given_add(&options->given, "epoch", epoch);
	}
}
