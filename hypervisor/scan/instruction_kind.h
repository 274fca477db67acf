/* SPDX-License-Identifier: MIT */
/* Which instructions must not run as they are, by what Zydis makes of them. */
#ifndef HYPERVISOR_INSTRUCTION_KIND_H
#define HYPERVISOR_INSTRUCTION_KIND_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

/** enum trap_kind (abi/boot.h) or code_kind (abi/code.h) of an instruction, CODE_SYSCALL for each system call; 0 when
 * it is none of them. */
uint8_t instruction_kind(const ZydisDecodedInstruction *instruction);

/** Whether a kind is one that few programs have, and whose bytes are those of many constants and displacements. */
bool instruction_is_rare(uint8_t kind);

#endif
