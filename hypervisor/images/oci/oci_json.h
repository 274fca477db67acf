/* SPDX-License-Identifier: MIT */
/* Access to JSON that others wrote. */
#ifndef HYPERVISOR_OCI_JSON_H
#define HYPERVISOR_OCI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "library/cjson.h"

/** Whether a value, or NULL, has a type of cJSON's, such as cJSON_Object. */
static inline bool oci_json_is(const cJSON *value, int type)
{
	return value && (value->type & 0xff) == type;
}

/** A member of an object, or NULL if there is none, or `object` is not an object. */
static inline const cJSON *oci_json_member(const cJSON *object, const char *name)
{
	return oci_json_is(object, cJSON_Object) ? cjson.GetObjectItemCaseSensitive(object, name) : NULL;
}

/** A member of an object that is a string, or NULL. */
static inline const char *oci_json_text(const cJSON *object, const char *name)
{
	const cJSON *value = oci_json_member(object, name);
	return oci_json_is(value, cJSON_String) ? value->valuestring : NULL;
}

/** Whether a text is "sha256:" and 64 lower-case hexadecimal digits. */
static inline bool oci_json_is_digest(const char *text)
{
	return text && !strncmp(text, "sha256:", 7) && strspn(text + 7, "0123456789abcdef") == 64 && !text[71];
}

#endif
