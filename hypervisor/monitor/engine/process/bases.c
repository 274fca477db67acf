/* SPDX-License-Identifier: MIT */
#include "engine/process/bases.h"

#include <asm/hwcap2.h>
#include <sys/auxv.h>

static bool is_forgone;

bool bases_have_fsgsbase(void)
{
	return !is_forgone && (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE);
}

void bases_forgo_fsgsbase(void)
{
	is_forgone = true;
}
