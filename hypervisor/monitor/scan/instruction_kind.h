/* SPDX-License-Identifier: MIT */
/* Classifies the instructions that must not run unchanged, as decoded by Zydis. */
#ifndef HYPERVISOR_INSTRUCTION_KIND_H
#define HYPERVISOR_INSTRUCTION_KIND_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_model.h"

/**
 * Returns the enum trap_kind (abi/boot.h) or code_kind (abi/code.h) of an instruction, CODE_SYSCALL for each system
 * call instruction, or 0 if it has none.
 */
uint8_t instruction_kind(const ZydisDecodedInstruction *instruction);

/**
 * Returns the flag of INSTRUCTION_VARIES (disassembler.h) of an instruction, or 0. Leaves out PFRCP and PFRSQRT, which
 * no processor with x86-64-v2 has.
 */
uint16_t instruction_variation(const ZydisDecodedInstruction *instruction);

/** Whether few programs have instructions of this kind, while their bytes are common in constants and displacements. */
bool instruction_is_rare(uint8_t kind);

/**
 * Whether an instruction belongs to an extension beyond x86-64-v2 that only computes. If so, sets *model to the first
 * model that has it, or to CPU_MODELS. Hints that processors without them ignore do not count.
 */
bool instruction_is_extension(const ZydisDecodedInstruction *instruction, enum cpu_model *model);

#endif
