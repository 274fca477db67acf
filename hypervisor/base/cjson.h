/* SPDX-License-Identifier: MIT */
/* cJSON, loaded when it is wanted and not with eremite: few runs need it, and it would cost each one a tenth of a
 * millisecond. */
#ifndef HYPERVISOR_CJSON_H
#define HYPERVISOR_CJSON_H

#include <cjson/cJSON.h>

/** What is used of the library: cJSON_NAME is cjson.NAME. */
#define CJSON_FUNCTIONS(X) \
	X(AddArrayToObject) \
	X(AddBoolToObject) \
	X(AddItemToArray) \
	X(AddNullToObject) \
	X(AddNumberToObject) \
	X(AddObjectToObject) \
	X(AddStringToObject) \
	X(CreateObject) \
	X(Delete) \
	X(GetObjectItemCaseSensitive) \
	X(IsArray) \
	X(IsNumber) \
	X(ParseWithLength) \
	X(Print) \
	X(free)

struct cjson {
#define CJSON_MEMBER(name) __typeof__(cJSON_##name) *name;
	CJSON_FUNCTIONS(CJSON_MEMBER)
#undef CJSON_MEMBER
};

/** Of use after cjson_load. */
extern struct cjson cjson;

/** Loads the library, once; it stays loaded. 0, or a negative errno with one line in error[]. */
int cjson_load(char error[256]);

#endif
