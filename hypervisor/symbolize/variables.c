/* SPDX-License-Identifier: MIT */
#include "variables.h"

#include <dwarf.h>
#include <string.h>

#include "members.h"
#include "modules.h"
#include "system_file.h"

#define UNITS_MAX 10000      /* compilation units that are looked through */
#define ENTRIES_MAX 1000000U /* entries in them */
#define ELEMENTS_MAX 4096UL  /* of what a pointer leads to */
#define DEPTH_MAX 16         /* of namespaces */

/* --- global variables --- */

struct search {
	uint64_t address; /* in the file */
	unsigned entries;
	Dwarf_Die variable;
	Dwarf_Die type;
	uint64_t offset;
};

/* Whether a variable at a fixed address contains the one that is wanted. */
static bool contains(struct search *search, Dwarf_Die *variable)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	if (!dwarf_attr(variable, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &ops, &count) ||
	    count != 1 || ops[0].atom != DW_OP_addr || search->address < ops[0].number ||
	    !members_type(variable, &search->type))
		return false;
	search->offset = search->address - ops[0].number;
	search->variable = *variable;
	return search->offset < members_size(&search->type);
}

static bool find_global(struct search *search, Dwarf_Die *above, unsigned depth)
{
	Dwarf_Die die;
	if (depth == DEPTH_MAX || dwarf_child(above, &die))
		return false;
	do {
		const int tag = dwarf_tag(&die);
		if (search->entries++ == ENTRIES_MAX)
			return false;
		if (tag == DW_TAG_variable && contains(search, &die))
			return true;
		if ((tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_subprogram) &&
		    find_global(search, &die, depth + 1))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* Finds a variable in all units. Returns its unit, or NULL. */
static Dwarf_Die *find_in_units(struct search *search, Dwfl_Module *module, uint64_t address)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;
	for (unsigned i = 0; i < UNITS_MAX && (unit = dwfl_module_nextcu(module, unit, &bias)); i++) {
		search->address = address - bias;
		if (find_global(search, unit, 0))
			return unit;
	}
	return NULL;
}

bool variables_put_global(FILE *to, Dwfl_Module *module, uint64_t address)
{
	struct search search = {.entries = 0};
	const char *name = find_in_units(&search, module, address) ? dwarf_diename(&search.variable) : NULL;
	if (!name)
		return false;
	modules_put(to, "", name, "");
	members_put(to, &search.type, search.offset, false);
	return true;
}

/* Whether a unit is of C or C++. Other languages have atomics of other kinds. */
static bool is_of_c(Dwarf_Die *unit)
{
	static const int languages[] = {DW_LANG_C89,
	                                DW_LANG_C,
	                                DW_LANG_C99,
	                                DW_LANG_C11,
	                                DW_LANG_C_plus_plus,
	                                DW_LANG_C_plus_plus_03,
	                                DW_LANG_C_plus_plus_11,
	                                DW_LANG_C_plus_plus_14};
	const int language = dwarf_srclang(unit);
	for (unsigned i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
		if (languages[i] == language)
			return true;
	return false;
}

bool variables_is_plain(Dwfl_Module *module, uint64_t address)
{
	struct search search = {.entries = 0};
	Dwarf_Die *unit = find_in_units(&search, module, address);
	return unit && is_of_c(unit) && members_are_plain(&search.variable, search.offset);
}

/* --- variables of functions --- */

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

/* Reads the value of a variable that is a pointer. */
static bool read_pointer(const struct location_frame *frame, const struct location *location, uint64_t *value)
{
	*value = location->at;
	return location->is_value || frame->read(frame->context, location->at, value);
}

/* Writes a name if the object of a pointer contains the address, or may do so as an array. */
static bool put_pointed(FILE *to, const char *name, Dwarf_Die *pointer, uint64_t value, uint64_t address,
                        enum variables_match match)
{
	Dwarf_Die type;
	uint64_t bytes;
	if (!value || !members_type(pointer, &type) || !(bytes = members_size(&type)) || address < value)
		return false;
	const uint64_t offset = address - value;
	if (match == VARIABLES_PART && offset < bytes) {
		const bool is_record = dwarf_tag(&type) == DW_TAG_structure_type ||
		                       dwarf_tag(&type) == DW_TAG_class_type || dwarf_tag(&type) == DW_TAG_union_type;
		modules_put(to, is_record && !members_are_hidden(&type) ? "" : "*", name, "");
		members_put(to, &type, offset, true);
		return true;
	}
	if (match != VARIABLES_ELEMENT || dwarf_tag(&type) != DW_TAG_base_type || offset / bytes >= ELEMENTS_MAX)
		return false;
	modules_put(to, "", name, "");
	fprintf(to, "[%lu]", offset / bytes);
	members_put(to, &type, offset % bytes, false);
	return true;
}

static bool put_variable(FILE *to, const struct location_frame *frame, Dwarf_Die *variable, uint64_t address,
                         enum variables_match match)
{
	struct location location;
	Dwarf_Die type;
	uint64_t value;
	Dwarf_Attribute origin;
	Dwarf_Die named;
	const char *name = dwarf_diename(variable);
	if (!name && dwarf_attr(variable, DW_AT_abstract_origin, &origin) && dwarf_formref_die(&origin, &named))
		name = dwarf_diename(&named);
	if (!name || !members_type(variable, &type) || !location_find(&location, frame, variable))
		return false;
	if (is_pointer(dwarf_tag(&type)))
		if (read_pointer(frame, &location, &value) && put_pointed(to, name, &type, value, address, match))
			return true;
	/* Optimised code may keep a variable where it was loaded from: only what is on the stack is the variable. */
	if (match != VARIABLES_PART || location.is_value || address < location.at ||
	    address - location.at >= members_size(&type) || !frame->read(frame->context, address & ~7UL, &value))
		return false;
	modules_put(to, "", name, "");
	members_put(to, &type, address - location.at, false);
	return true;
}

/* Whether a function is in a file of the user's. */
static bool is_users(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Die declared = *function;
	for (unsigned i = 0; i < DEPTH_MAX && !dwarf_hasattr(&declared, DW_AT_decl_file); i++)
		if (!(dwarf_attr(&declared, DW_AT_abstract_origin, &attribute) ||
		      dwarf_attr(&declared, DW_AT_specification, &attribute)) ||
		    !dwarf_formref_die(&attribute, &declared))
			return false;
	const char *file = dwarf_decl_file(&declared);
	return file && !system_file_is(file, strlen(file));
}

bool variables_put_local(FILE *to, const struct location_frame *frame, const struct scopes *scopes, uint64_t address,
                         enum variables_match match, bool users)
{
	bool is_in_users[SCOPES_MAX];
	for (unsigned i = 0; i < scopes->count; i++) {
		Dwarf_Die scope = scopes->at[i];
		const int tag = dwarf_tag(&scope);
		const bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
		is_in_users[i] = is_function ? is_users(&scope) : i && is_in_users[i - 1];
	}
	for (unsigned i = scopes->count; i--;) {
		Dwarf_Die scope = scopes->at[i], die;
		if (is_in_users[i] != users || dwarf_child(&scope, &die))
			continue;
		do {
			const int tag = dwarf_tag(&die);
			if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
			    put_variable(to, frame, &die, address, match))
				return true;
		} while (!dwarf_siblingof(&die, &die));
	}
	return false;
}
