/* SPDX-License-Identifier: MIT */
/* cJSON, loaded on demand instead of with eremite: few runs need it, and loading takes 0.1 ms. */
#ifndef HYPERVISOR_CJSON_H
#define HYPERVISOR_CJSON_H

#include <cjson/cJSON.h>

#include "base/error.h"

/** The functions used from the library: cJSON_NAME is cjson.NAME. */
#define CJSON_FUNCTIONS(X) \
	X(AddArrayToObject) \
	X(AddBoolToObject) \
	X(AddItemReferenceToObject) \
	X(AddItemToArray) \
	X(AddNullToObject) \
	X(AddNumberToObject) \
	X(AddObjectToObject) \
	X(AddStringToObject) \
	X(CreateObject) \
	X(CreateString) \
	X(Delete) \
	X(DeleteItemFromObjectCaseSensitive) \
	X(GetObjectItemCaseSensitive) \
	X(IsArray) \
	X(IsBool) \
	X(IsNull) \
	X(IsNumber) \
	X(IsString) \
	X(IsTrue) \
	X(ParseWithLength) \
	X(ParseWithLengthOpts) \
	X(Print) \
	X(PrintUnformatted) \
	X(free)

struct cjson {
#define CJSON_MEMBER(name) __typeof__(cJSON_##name) *name;
	CJSON_FUNCTIONS(CJSON_MEMBER)
#undef CJSON_MEMBER
};

/** Valid after cjson_load. */
extern struct cjson cjson;

/** Loads the library at the first call, whose result later ones return. Returns 0, or a negative errno with one line in
 * *error. */
int cjson_load(struct error *error);

#endif
