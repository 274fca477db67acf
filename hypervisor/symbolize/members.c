/* SPDX-License-Identifier: MIT */
#include "members.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "modules.h"
#include "system_file.h"

#define DEPTH_MAX 16 /* of members in each other, and of typedefs */

static bool is_name(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool members_type(Dwarf_Die *entry, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Die at = *entry;
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		if (!dwarf_attr_integrate(&at, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
			return false;
		if (!is_name(dwarf_tag(type)))
			return true;
		at = *type;
	}
	return false;
}

uint64_t members_size(Dwarf_Die *type)
{
	Dwarf_Word bytes;
	return dwarf_aggregate_size(type, &bytes) ? 0 : bytes;
}

static bool is_record(Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool members_are_hidden(Dwarf_Die *type)
{
	static const char *const spaces[] = {"std", "core", "alloc", "__gnu_cxx"};
	Dwarf_Die *around = NULL;
	const char *file = dwarf_decl_file(type);
	bool is = file && system_file_is(file, strlen(file));
	const int count = dwarf_getscopes_die(type, &around);
	for (int i = 0; i < count; i++)
		for (unsigned j = 0; j < sizeof(spaces) / sizeof(spaces[0]); j++) {
			const char *name = dwarf_tag(&around[i]) == DW_TAG_namespace ? dwarf_diename(&around[i]) : NULL;
			is = is || (name && !strcmp(name, spaces[j]));
		}
	free(around);
	return is;
}

/* Finds the member, or base, of a record that contains an offset, and takes its own offset off. */
static bool find_member(Dwarf_Die *record, Dwarf_Die *member, Dwarf_Die *type, uint64_t *offset)
{
	if (dwarf_child(record, member))
		return false;
	do {
		const int tag = dwarf_tag(member);
		Dwarf_Attribute attribute;
		Dwarf_Word start = 0;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(member, DW_AT_external) ||
		    !members_type(member, type))
			continue;
		if (dwarf_attr(member, DW_AT_data_member_location, &attribute))
			dwarf_formudata(&attribute, &start);
		if (*offset < start || *offset - start >= members_size(type))
			continue;
		*offset -= start;
		return true;
	} while (!dwarf_siblingof(member, member));
	return false;
}

/* Whether a name is one of those that C and C++ reserve for their libraries. */
static bool is_reserved(const char *name)
{
	return !strncmp(name, "__", 2) || !strncmp(name, "_M_", 3);
}

static void put_rest(FILE *to, uint64_t offset)
{
	if (offset)
		fprintf(to, "+0x%lx", offset);
}

void members_put(FILE *to, Dwarf_Die *type, uint64_t offset, bool is_pointer)
{
	Dwarf_Die at = *type, member, inner;
	const char *dot = is_pointer ? "->" : ".";
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		if (is_record(&at)) {
			if (members_are_hidden(&at) || !find_member(&at, &member, &inner, &offset))
				break;
			const char *name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
			if (name && is_reserved(name))
				return;
			if (name)
				modules_put(to, dot, name, "");
			if (name)
				dot = ".";
		} else if (dwarf_tag(&at) == DW_TAG_array_type && members_type(&at, &inner) && members_size(&inner)) {
			fprintf(to, "[%lu]", offset / members_size(&inner));
			offset %= members_size(&inner);
		} else {
			break;
		}
		at = inner;
	}
	/* Inside a type of a library its own start is what the user knows. */
	if (!is_record(&at) || !members_are_hidden(&at))
		put_rest(to, offset);
}

/* Whether the type of an entry has a qualifier by which accesses are more than loads and stores. */
static bool is_qualified(const Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	Dwarf_Die at = *entry;
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		if (!dwarf_attr_integrate(&at, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, &at))
			break;
		if (dwarf_tag(&at) == DW_TAG_volatile_type || dwarf_tag(&at) == DW_TAG_atomic_type)
			return true;
		if (!is_name(dwarf_tag(&at)))
			return false;
	}
	return true; /* not known */
}

bool members_are_plain(Dwarf_Die *entry, uint64_t offset)
{
	Dwarf_Die at = *entry, member, type, inner;
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		if (is_qualified(&at) || !members_type(&at, &type))
			return false;
		const int tag = dwarf_tag(&type);
		if (tag == DW_TAG_base_type || tag == DW_TAG_pointer_type || tag == DW_TAG_enumeration_type)
			return true;
		if (tag == DW_TAG_array_type && members_type(&type, &inner) && members_size(&inner)) {
			offset %= members_size(&inner);
			at = type; /* whose type is that of its elements */
		} else if ((tag == DW_TAG_structure_type || tag == DW_TAG_class_type) && !members_are_hidden(&type) &&
		           find_member(&type, &member, &inner, &offset)) {
			at = member;
		} else {
			return false;
		}
	}
	return false;
}
