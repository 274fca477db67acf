/* SPDX-License-Identifier: MIT */
/* Rings of links, one of which is the list's own. */
#ifndef KERNEL_LIB_LIST_H
#define KERNEL_LIB_LIST_H

#include <stdbool.h>
#include <stddef.h>

/** A list, or what has a place in one; a link without a place is all zero. */
struct list {
	struct list *next, *previous;
};

/** What a link is a member of. */
#define list_entry(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

/** Goes through the links of a list, which must not change meanwhile. */
#define list_each(link, head) for (struct list *link = (head)->next; link != (head); link = link->next)

static inline void list_init(struct list *list)
{
	list->next = list->previous = list;
}

static inline bool list_is_empty(const struct list *list)
{
	return list->next == list;
}

/* Whether a link has a place. */
static inline bool list_has(const struct list *link)
{
	return link->next != NULL;
}

static inline void list_add_before(struct list *place, struct list *link)
{
	link->next = place;
	link->previous = place->previous;
	link->previous->next = link;
	place->previous = link;
}

static inline void list_add_last(struct list *list, struct list *link)
{
	list_add_before(list, link);
}

static inline void list_add_first(struct list *list, struct list *link)
{
	list_add_before(list->next, link);
}

/* One without a place stays so. */
static inline void list_remove(struct list *link)
{
	if (!link->next)
		return;
	link->previous->next = link->next;
	link->next->previous = link->previous;
	link->next = link->previous = NULL;
}

#endif
