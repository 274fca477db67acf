/* SPDX-License-Identifier: MIT */
/* The table of inputs that `eremite pack` shows before it seals them. */
#ifndef HYPERVISOR_PACK_TABLE_H
#define HYPERVISOR_PACK_TABLE_H

#include <stdbool.h>

#include "eri/eri_packages.h"
#include "pack/pack_step.h"
#include "pack/stage.h"

/** Says which inputs the image gets, at most about 25 lines; `is_whole`: all programs, packages and directories. */
void pack_table_say(const struct stage *stage, const struct eri_packages *packages, const struct pack_steps *steps,
                    bool is_whole);

#endif
