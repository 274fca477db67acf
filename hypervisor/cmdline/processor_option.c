/* SPDX-License-Identifier: MIT */
#include "cmdline/processor_option.h"

#include <string.h>

#include "abi/cpu_model.h"
#include "base/die.h"
#include "base/value.h"
#include "guest/cpu_host.h"

void processor_option_model(struct engine_cpu *cpu, const char *text)
{
	enum cpu_model model = 0;
	while (model < CPU_MODELS && strcmp(text, cpu_host_model_names[model]))
		model++;
	if (model == CPU_MODELS)
		die("--cpu '%s': give v2, v3 or v4", text);
	cpu->model = model;
}

void processor_option_count(struct engine_cpu *cpu, const char *text)
{
	uint64_t count;
	if (value_number(text, &count) || count < 1 || count > CPU_PROCESSORS_MAX)
		die("--cpus '%s': give a number of processors, 1 to %u", text, CPU_PROCESSORS_MAX);
	cpu->processors = (uint32_t)count;
}
