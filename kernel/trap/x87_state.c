/* SPDX-License-Identifier: MIT */
#include "kernel/trap/x87_state.h"

#include <stdbool.h>

#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal.h"
#include "kernel/trap/operand.h"

#define FNSTENV 0xd9
#define FNSAVE 0xdd
#define WORDS 7            /* of an environment: control, status, tags, FIP, FCS with FOP, FDP, FDS */
#define REGISTER_BYTES 80U /* eight, of 80 bits */
#define FXSAVE_BYTES 512
#define FXSAVE_STORED 464U /* the bytes after them belong to the program (SDM 1, 10.5.1) */
#define FXSAVE_ALIGNMENT 16

struct image {
	uint32_t words[WORDS];
	uint8_t registers[REGISTER_BYTES];
};

/* Stores a 32-bit image, or only its environment, and changes the x87 unit as the instruction does. */
static void store_image(struct image *image, bool has_registers)
{
	if (has_registers)
		__asm__ volatile("fnsave %0" : "=m"(*image));
	else
		__asm__ volatile("fnstenv %0" : "=m"(image->words));
	for (unsigned i = 0; i < WORDS; i++)
		image->words[i] = i < 3 ? image->words[i] | 0xffff0000 : i == WORDS - 1 ? 0xffff0000 : 0;
}

/* Restores the unit from an image. */
static void take_back(const struct image *image, bool has_registers)
{
	if (has_registers)
		__asm__ volatile("frstor %0" : : "m"(*image));
	else
		__asm__ volatile("fldenv %0" : : "m"(image->words));
}

static bool store_legacy(uint64_t address, bool has_registers, bool is_narrow)
{
	struct image image;
	uint16_t narrow[WORDS];
	const unsigned environment = is_narrow ? sizeof(narrow) : sizeof(image.words);
	store_image(&image, has_registers);
	for (unsigned i = 0; i < WORDS; i++)
		narrow[i] = (uint16_t)image.words[i];
	bool failed = copy_to_user((void *)address, is_narrow ? (const void *)narrow : image.words, environment) ||
	              (has_registers &&
	               copy_to_user((void *)(address + environment), image.registers, sizeof(image.registers)));
	if (failed)
		take_back(&image, has_registers);
	return !failed;
}

static bool store_extended(uint64_t address)
{
	static uint8_t area[FXSAVE_BYTES] __attribute__((aligned(FXSAVE_ALIGNMENT)));
	signal_vector_save(area);
	return !copy_to_user((void *)address, area, FXSAVE_STORED);
}

void x87_state_emulate(struct trap_frame *frame, const uint8_t code[X87_STATE_CODE_BYTES], unsigned length)
{
	struct operand operand;
	operand_decode(frame, code, length, &operand);
	bool is_legacy = *operand.opcode == FNSTENV || *operand.opcode == FNSAVE;
	if (!is_legacy && operand.address % FXSAVE_ALIGNMENT) {
		frame->rip--;
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program's FXSAVE has an operand that is not aligned");
		return;
	}
	bool done =
		is_legacy ? store_legacy(operand.address, *operand.opcode == FNSAVE, operand.bytes == sizeof(uint16_t))
			  : store_extended(operand.address);
	if (done)
		frame->rip += length - 1UL;
	else
		operand_fault(frame, operand.address, true);
}
