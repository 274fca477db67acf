/* SPDX-License-Identifier: MIT */
#include "run/run_extension.h"

#include "base/error.h"
#include "guest/guest_virtual.h"
#include "run/place.h"
#include "scan/disassembler.h"

#define CODE_BYTES 256
#define INSTRUCTION_MAX 15
#define LOOP_BYTES 4096

/* The first looks are soon after the start. Most programs end before, and need no disassembler. */
#define LOOKS_BEFORE 4U

/* Looks at the instructions from an address up to the next jump, call or return. Returns the address of one that the
 * model lacks, or 0; sets *target to where a jump leads, or to 0. */
static uint64_t find_lacking(const struct run *run, const struct guest_memory *seen, uint64_t start, uint64_t *target,
                             struct instruction_extension *extension)
{
	uint8_t code[CODE_BYTES];
	struct instruction in;
	uint64_t at = 0;
	const uint64_t bytes = guest_virtual_read_some(seen, start, code, sizeof(code));
	*target = 0;
	while (at + INSTRUCTION_MAX <= bytes && disassemble(code + at, bytes - at, start + at, &in)) {
		if (disassembler_extension(code + at, bytes - at, extension) &&
		    extension->model > run->config->cpu.model)
			return start + at;
		if (in.flags & INSTRUCTION_TARGET && !(in.flags & INSTRUCTION_REFERENCE))
			*target = in.target;
		if (*target || in.flags & (INSTRUCTION_END | INSTRUCTION_LEAVES | INSTRUCTION_INDIRECT))
			return 0;
		at += in.length;
	}
	return 0;
}

/* Finds such an instruction at or after an address that is executed next. A short jump back is that of a loop, whose
 * start has been executed before. */
static uint64_t find_executed(const struct run *run, uint64_t rip, struct instruction_extension *extension)
{
	struct linux_view view;
	uint64_t target;
	if (!linux_view_read(&view, &run->memory))
		return 0;
	const struct guest_memory seen = linux_view_memory(&view, &run->memory);
	const uint64_t found = find_lacking(run, &seen, rip, &target, extension);
	if (found || !target || rip - target > LOOP_BYTES)
		return found;
	return find_lacking(run, &seen, target, &target, extension);
}

void run_extension_look(struct run *run)
{
	const struct image_header *image = &run->image.header;
	const struct observer *observer = &run->config->observer;
	struct instruction_extension extension;
	struct fault_report place;
	struct error error;
	if (!observer->extended || run->extension_told || run->extension_looks++ < LOOKS_BEFORE ||
	    place_take(run->ops, run->engine, &run->memory, &place))
		return;
	const uint64_t rip = place.registers[ENGINE_RIP];
	if ((rip >= image->kernel_text && rip < image->kernel_text_end) || disassembler_load(&error))
		return;
	const uint64_t found = find_executed(run, rip, &extension);
	if (!found)
		return;
	place.registers[ENGINE_RIP] = found;
	run->extension_told = true;
	observer->extended(observer->context, &extension, &place, &run->memory, &run->image);
}
