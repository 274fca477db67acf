/* SPDX-License-Identifier: MIT */
/* Arrays that grow: a pointer, and the number of elements that it has room for. The owner frees the pointer by kfree.
 */
#ifndef KERNEL_MM_ARRAY_H
#define KERNEL_MM_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

/** The room that a new array has, in elements. */
#define ARRAY_ROOM_MIN 16

/**
 * Gives the array whose pointer is at `array` room for `count` elements of `bytes` bytes each, and at least twice the
 * room that it has. Returns false without memory; array and *room are then as before. Call array_reserve.
 */
static inline bool array_grow(void *array, size_t *room, size_t count, size_t bytes)
{
	size_t wanted = *room > ARRAY_ROOM_MIN / 2 ? 2 * *room : ARRAY_ROOM_MIN, total;
	wanted = wanted < count ? count : wanted;
	void *old, *grown = NULL;
	memcpy(&old, array, sizeof(old));
	if (!__builtin_mul_overflow(wanted, bytes, &total))
		grown = krealloc(old, total);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof(grown));
	*room = wanted;
	return true;
}

/**
 * Whether `array`, a variable that points to elements, with room for `room` of them, a size_t variable, has room for
 * `count` now. False without memory; both variables are then as before.
 */
#define array_reserve(array, room, count) \
	((count) <= (room) || array_grow(&(array), &(room), (count), sizeof(*(array))))

#endif
