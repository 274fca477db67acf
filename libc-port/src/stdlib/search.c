/* SPDX-License-Identifier: MIT */
/* Queues and linear search (insque(3), lsearch(3)). */
#include <search.h>
#include <string.h>

struct element {
	struct element *next, *previous;
};

void insque(void *inserted, void *before)
{
	struct element *element = inserted, *previous = before;
	element->previous = previous;
	element->next = previous ? previous->next : NULL;
	if (previous)
		previous->next = element;
	if (element->next)
		element->next->previous = element;
}

void remque(void *removed)
{
	struct element *element = removed;
	if (element->previous)
		element->previous->next = element->next;
	if (element->next)
		element->next->previous = element->previous;
}

void *lfind(const void *key, const void *base, size_t *count, size_t width, int (*compare)(const void *, const void *))
{
	const char *element = base;
	for (size_t i = 0; i < *count; i++, element += width)
		if (compare(key, element) == 0)
			return (void *)(unsigned long)element;
	return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t width, int (*compare)(const void *, const void *))
{
	void *found = lfind(key, base, count, width, compare);
	return found ? found : memcpy((char *)base + (*count)++ * width, key, width);
}
