/* SPDX-License-Identifier: MIT */
/* What the plugin uses of GCC's internals, whose headers have to come in this order. */
#ifndef LIBC_PORT_TICKS_GCC_H
#define LIBC_PORT_TICKS_GCC_H

#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <tree-pass.h>
#include <context.h>
#include <cfgloop.h>
#include <cfganal.h>
#include <cfghooks.h>
#include <tree-cfg.h>
#include <ssa.h>
#include <stringpool.h>
#include <attribs.h>
#include <builtins.h>
#include <memmodel.h>
#include <diagnostic-core.h>

#endif
