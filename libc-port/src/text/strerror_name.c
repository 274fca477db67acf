/* SPDX-License-Identifier: MIT */
/* Names and texts of error numbers, NULL for unknown ones: strerrorname_np(3). */
#include <stddef.h>
#include <string.h>

#include <bits/errno_list.h>

static const struct {
	const char *name, *text;
} errors[] = {[0] = {"0", "Success"},
#define ENTRY(name, number, text) [number] = {#name, text},
              ERRNO_LIST(ENTRY)
#undef ENTRY
};

static int is_error_number(int error)
{
	return error >= 0 && (size_t)error < sizeof(errors) / sizeof(errors[0]);
}

const char *strerrorname_np(int error)
{
	return is_error_number(error) ? errors[error].name : NULL;
}

const char *strerrordesc_np(int error)
{
	return is_error_number(error) ? errors[error].text : NULL;
}
