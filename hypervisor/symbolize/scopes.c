/* SPDX-License-Identifier: MIT */
/* Not dwarf_getscopes(): it leaves out functions in namespaces, as all of Rust are. */
#include "scopes.h"

#include <dwarf.h>
#include <stdbool.h>

#define UNITS_MAX 10000 /* compilation units that are looked through for an address */
#define DEPTH_MAX 64    /* of namespaces and types in each other */

/* Whether functions may be inside, although the entry itself has no code. */
static bool may_contain(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Adds the scopes below an entry that contain the address, outermost first. Returns whether there is one. */
static bool add_scopes(struct scopes *scopes, Dwarf_Die *above, Dwarf_Addr address, unsigned depth)
{
	Dwarf_Die die;
	if (depth == DEPTH_MAX || dwarf_child(above, &die))
		return false;
	do {
		const int tag = dwarf_tag(&die);
		if (is_scope(tag) && dwarf_haspc(&die, address) > 0) {
			if (scopes->count == SCOPES_MAX)
				return true;
			scopes->at[scopes->count++] = die;
			add_scopes(scopes, &die, address, depth + 1);
			return true;
		}
		if (may_contain(tag) && add_scopes(scopes, &die, address, depth + 1))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* Compilers other than gcc write no table of addresses (.debug_aranges), without which libdwfl may find no unit. */
static Dwarf_Die *find_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
	if (unit)
		return unit;
	for (unsigned i = 0; i < UNITS_MAX && (unit = dwfl_module_nextcu(module, unit, bias)); i++)
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

void scopes_find(struct scopes *scopes, Dwfl_Module *module, uint64_t address)
{
	scopes->count = 0;
	scopes->unit = find_unit(module, address, &scopes->bias);
	if (scopes->unit)
		add_scopes(scopes, scopes->unit, address - scopes->bias, 0);
}

const char *scopes_line(Dwfl_Module *module, uint64_t address, int *line)
{
	Dwarf_Addr bias;
	Dwfl_Line *source = dwfl_module_getsrc(module, address);
	if (source)
		return dwfl_lineinfo(source, NULL, line, NULL, NULL, NULL);
	Dwarf_Die *unit = find_unit(module, address, &bias);
	Dwarf_Line *found = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	if (!found || dwarf_lineno(found, line))
		return NULL;
	return dwarf_linesrc(found, NULL, NULL);
}
