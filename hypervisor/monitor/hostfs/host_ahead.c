/* SPDX-License-Identifier: MIT */
/* Requests are predicted by the list of an earlier run. Runs differ in places, so a request that is not the expected
 * one is searched a little further on in the list. Where the list has a gap or does not fit, a walk through a tree is
 * predicted by its order, also in a first run: its answers are prepared in the guest's thread, which has to wait for
 * one of them anyway, because a program takes them faster than another thread can prepare them. An answer that is not
 * taken soon is revoked, because the host's files may change before the guest asks. No answer is prepared if the thread
 * would have no processor. */
#include "hostfs/host_ahead.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/beside.h"
#include "base/jitter.h"
#include "hostfs/host_unasked.h"
#include "hostfs/tree/host_tree_ops.h"

#define SEARCHED 256 /* how many requests ahead in the list an unexpected one is searched */
#define NS_PER_S 1000000000UL
#define LIFE_NS (NS_PER_S / 10) /* how long answers stay valid, counted from the first of them */
#define WALK_FIRST 4 /* answers that a walk gets at first, if a doorbell is rung; doubled while it takes them all */
/* Time to prepare answers for a walk. Longer batches save nothing, and would be revoked on a host under load, where the
 * guest does not take them in time. */
#define WALK_NS (NS_PER_S / 250)
#define WALK_FEW 24                /* answers that are worth a doorbell */
#define SCOUT_MIN 32               /* requests in a row that were as predicted, from which on a thread reads ahead */
#define AGAIN_NS (NS_PER_S / 1000) /* extension while the guest is taking an answer */
/* Time to prepare answers before the guest starts. The lists of small programs are answered by then. The thread would
 * cost them more than it saves, because they would wait for its first answers. */
#define FIRST_NS (NS_PER_S / 1000)
#define FIRST_BYTES 8192 /* a longer list takes longer: the thread answers it while the guest's kernel starts */

/* Takes the lock in the order of arrival: a thread that holds `turn` gets `lock` next. */
static void lock(struct host_ahead *ahead)
{
	pthread_mutex_lock(&ahead->turn);
	pthread_mutex_lock(&ahead->lock);
	pthread_mutex_unlock(&ahead->turn);
}

static void unlock(struct host_ahead *ahead)
{
	pthread_mutex_unlock(&ahead->lock);
}

/* --- what is shown to the guest --- */

static struct host_file_ahead *area_head(const struct host_ahead *ahead)
{
	return guest_memory_at(ahead->memory, ahead->area, HOST_FILE_AHEAD_BYTES);
}

/* Writes the head of the area, which the guest reads. Called while the guest does not run. */
static void show(const struct host_ahead *ahead, unsigned taken, uint64_t next)
{
	struct host_file_ahead *head = area_head(ahead);
	head->taken = taken;
	head->next = next;
	head->revoked = 0;
	__atomic_store_n(&head->count, ahead->count, __ATOMIC_RELEASE);
}

/* Tells the guest whether the next answer is being prepared, so that waiting for it pays. */
static void show_preparing(const struct host_ahead *ahead, bool is_preparing)
{
	__atomic_store_n(&area_head(ahead)->preparing, is_preparing, __ATOMIC_RELEASE);
}

/* Whether the list of the earlier run predicts the next request. It knows the order in which a program walks through a
 * tree, of which host_walk.h knows one only. */
static bool is_next_listed(const struct host_ahead *ahead)
{
	struct host_asked asked;
	size_t at = ahead->next;
	return ahead->follows_list && host_asked_next(&ahead->before, &at, &asked) && asked.op != HOST_ASKED_GAP;
}

/* Whether the guest's thread prepares the answers. */
static bool is_walking(const struct host_ahead *ahead)
{
	return (host_walk_is_likely(&ahead->walk) || host_lookups_is_likely(&ahead->lookups)) && !is_next_listed(ahead);
}

/* Prepares one more answer. Returns false if the next request is unknown or cannot be answered now. */
static bool answer_next(struct host_ahead *ahead)
{
	struct host_asked asked;
	size_t at = ahead->next, after = at;
	if (ahead->stopped || is_walking(ahead) || jitter_one_in(8) || ahead->count >= ahead->most ||
	    !host_asked_next(&ahead->before, &after, &asked) || asked.op == HOST_ASKED_GAP ||
	    !host_unasked_answer(ahead, at, &asked))
		return false;
	ahead->next = after;
	__atomic_store_n(&area_head(ahead)->count, ahead->count, __ATOMIC_RELEASE);
	return true;
}

/* Confirms the answers that the guest has taken. Returns the number of entries that it has taken. */
static unsigned settle_answers(struct host_ahead *ahead)
{
	unsigned taken = __atomic_load_n(&area_head(ahead)->taken, __ATOMIC_RELAXED);
	if (taken > ahead->count)
		taken = ahead->count;
	if (ahead->settled < taken)
		ahead->again = false;
	for (; ahead->settled < taken; ahead->settled++)
		if (!ahead->answers[ahead->settled].is_asked_for)
			host_unasked_confirm(ahead, &ahead->answers[ahead->settled]);
	return ahead->settled;
}

/* Forgets all entries, and undoes the answers that the guest did not take. */
static void forget_answers(struct host_ahead *ahead)
{
	unsigned taken = settle_answers(ahead);
	if (taken < ahead->count) {
		const struct host_ahead_answer *first = &ahead->answers[taken];
		ahead->vain += ahead->files->objects.count - first->objects;
		ahead->vain += ahead->files->absent.count - first->absent;
		host_unasked_undo(ahead, first);
	}
	ahead->count = ahead->settled = 0;
}

/* Forgets all entries and shows the guest an empty area. Called while the guest does not run. */
static void give_up_answers(struct host_ahead *ahead)
{
	forget_answers(ahead);
	show(ahead, 0, sizeof(struct host_file_ahead));
}

/* --- the thread --- */

static uint64_t ahead_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Revokes the answers that the guest has not taken, while it runs. If the guest is taking one, extends their life
 * instead. */
static void revoke(struct host_ahead *ahead)
{
	struct host_file_ahead *head = area_head(ahead);
	__atomic_store_n(&head->revoked, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&head->taking, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&head->revoked, 0, __ATOMIC_SEQ_CST);
		ahead->due_ns += AGAIN_NS;
		return;
	}
	forget_answers(ahead);
	ahead->stopped = true;
	ahead->walk_most = ahead->walk_most / 4 > WALK_FIRST ? ahead->walk_most / 4 : WALK_FIRST;
}

/* Waits for a request, or until the answers in the area are due to be revoked. */
static void wait(struct host_ahead *ahead)
{
	const struct timespec due = {(time_t)(ahead->due_ns / NS_PER_S), (long)(ahead->due_ns % NS_PER_S)};
	ahead->is_timed = ahead->count;
	if (ahead->count)
		pthread_cond_timedwait(&ahead->changed, &ahead->lock, &due);
	else
		pthread_cond_wait(&ahead->changed, &ahead->lock);
}

static void *answer_all(void *argument)
{
	struct host_ahead *ahead = argument;
	lock(ahead);
	while (!ahead->end) {
		if (!ahead->count)
			ahead->due_ns = ahead_now_ns() + jitter_interval_ns(ahead->life_ns);
		else if (ahead_now_ns() >= ahead->due_ns)
			revoke(ahead);
		show_preparing(ahead, true);
		if (!answer_next(ahead)) {
			show_preparing(ahead, false);
			wait(ahead);
			continue;
		}
		unlock(ahead);
		jitter_stall();
		lock(ahead);
	}
	unlock(ahead);
	return NULL;
}

void host_ahead_go_on(struct host_ahead *ahead)
{
	if (!ahead->files || ahead->running || !ahead->can_run)
		return;
	ahead->running = beside_start(&ahead->thread, answer_all, ahead);
	ahead->can_run = ahead->running;
	if (!ahead->running) { /* nobody would revoke them */
		give_up_answers(ahead);
		ahead->stopped = true;
	}
}

/* Prepares the first answers before the guest runs. Leaves the rest to the thread. */
static void answer_first(struct host_ahead *ahead)
{
	const uint64_t begin_ns = ahead_now_ns();
	ahead->due_ns = begin_ns + jitter_interval_ns(ahead->life_ns);
	while (ahead->before.used <= FIRST_BYTES && ahead_now_ns() < begin_ns + FIRST_NS)
		if (!answer_next(ahead))
			return;
	host_ahead_go_on(ahead);
}

/* --- objects that the guest did not use --- */

/* Marks the objects of one page of host_file_ahead.unused. */
static void mark_unused(struct host_objects *objects, uint32_t first, const uint8_t *bits)
{
	for (uint32_t i = 0; i < HOST_FILE_UNUSED_HANDLES && first + i < objects->count; i++)
		if (bits[i / 8] >> i % 8 & 1)
			objects->objects[first + i].is_unused = true;
}

static void mark_all_unused(struct host_ahead *ahead)
{
	const struct host_file_ahead *head = area_head(ahead);
	uint8_t bits[HOST_FILE_UNUSED_HANDLES / 8];
	for (uint32_t i = 0; i < HOST_FILE_UNUSED_PAGES; i++) {
		uint64_t page = __atomic_load_n(&head->unused[i], __ATOMIC_RELAXED);
		if (page && !guest_memory_read(ahead->memory, gpa(page), bits, sizeof(bits)))
			mark_unused(&ahead->files->objects, i * HOST_FILE_UNUSED_HANDLES, bits);
	}
}

/* --- requests --- */

/* Describes a request in *asked. Returns false if the request is malformed. The names of HOST_FILE_LOOK_MANY are read
 * again when they are served. A guest that changes them in between gets a list that predicts other names. */
static bool understand_request(struct host_ahead *ahead, const struct host_file_request *request,
                               struct host_asked *asked, char path[PATH_MAX])
{
	if (request->handle >= ahead->files->objects.count)
		return false;
	*asked = (struct host_asked){.op = request->op, .offset = request->offset, .path = path};
	int64_t root = host_objects_path(&ahead->files->objects, request->handle, "", path);
	asked->root = (uint32_t)root;
	if (request->op == HOST_FILE_LOOK) {
		asked->key_bytes = (uint32_t)strnlen(request->name, sizeof(request->name) - 1) + 1;
		memcpy(ahead->names, request->name, asked->key_bytes);
	} else if (request->op == HOST_FILE_LOOK_MANY) {
		asked->key_bytes = (uint32_t)request->buffer_bytes;
		if (request->buffer_bytes > sizeof(ahead->names) ||
		    guest_memory_read(ahead->memory, gpa(request->buffer), ahead->names, request->buffer_bytes))
			return false;
	}
	asked->key = ahead->names;
	return root >= 0;
}

/* Whether a request is the one of the first entry that the guest has not taken. */
static bool is_next(const struct host_ahead *ahead, uint32_t handle, const struct host_asked *asked)
{
	struct host_asked next;
	if (ahead->settled == ahead->count)
		return false;
	const struct host_ahead_answer *answer = &ahead->answers[ahead->settled];
	size_t at = answer->at;
	if (answer->op) /* whether a file is loaded or shown, only the guest knows */
		return answer->handle == handle && !asked->offset && !asked->key_bytes &&
		       (answer->op == asked->op || (answer->op == HOST_FILE_SHOW && asked->op == HOST_FILE_LOAD));
	return host_asked_next(&ahead->before, &at, &next) && host_asked_is(&next, asked);
}

/* Sets the position in the earlier run's list to behind this request, if the request is found near. One that a walk
 * predicted is only compared with the next one of the list. */
static void follow_request(struct host_ahead *ahead, const struct host_asked *asked, bool walks)
{
	struct host_asked other;
	size_t at = ahead->next;
	ahead->follows_list = false;
	for (unsigned i = 0; i < (walks ? 1 : SEARCHED) && host_asked_next(&ahead->before, &at, &other);
	     i += other.op != HOST_ASKED_GAP) {
		if (!host_asked_is(&other, asked))
			continue;
		ahead->follows_list = true;
		ahead->next = at;
		ahead->most = 2 * ahead->most < HOST_AHEAD_MAX ? 2 * ahead->most : HOST_AHEAD_MAX;
		*(i ? &ahead->missed : &ahead->foreseen) += 1;
		return;
	}
	if (walks)
		return;
	ahead->missed++;
	ahead->most = ahead->most > 1 ? ahead->most / 2 : 1;
}

/* Notes a request for the list of the next run, except in a walk that is long, or look-ups in order. */
static void note_asked(struct host_ahead *ahead, const struct host_asked *asked, bool is_look, bool walks)
{
	if (walks && (is_look || ahead->walk.right >= HOST_WALK_LONG))
		host_asked_skip(&ahead->now);
	else
		host_asked_add(&ahead->now, asked);
}

/* Lets the scout read ahead of a walk, or of look-ups in order, that goes on for long: from where the prepared answers
 * end, which is `from` or the object `at`. */
static void scout_on(struct host_ahead *ahead, bool is_look, const struct host_walk *from, uint32_t at)
{
	static struct host_scout_walk walk; /* too large for a stack */
	const struct host_objects *objects = &ahead->files->objects;
	if ((is_look ? ahead->lookups.right : ahead->walk.right) < SCOUT_MIN || host_scout_is_on(&ahead->scout))
		return;
	const struct host_tree *tree = &ahead->files->trees[host_objects_root(objects, at)];
	walk.tree = tree;
	walk.loads = !is_look && from->loads;
	walk.looks = is_look || walk.loads || from->list == HOST_FILE_LIST_LOOK ? HOST_SCOUT_ALL_NAMES
	             : from->list == HOST_FILE_LIST_DIRECTORIES                 ? HOST_SCOUT_DIRECTORIES
	                                                                        : HOST_SCOUT_NO_NAMES;
	walk.hashes = ahead->files->hash;
	walk.is_in = is_look ? S_ISDIR(objects->objects[at].stamp.mode) : from->is_listed;
	if (tree->ops->read_ahead && host_objects_path(objects, at, "", walk.at) >= 0 &&
	    host_objects_path(objects, is_look ? ahead->lookups.top : from->top, "", walk.top) >= 0)
		tree->ops->read_ahead(&ahead->scout, &walk);
}

/* Prepares answers for a walk, or for look-ups in order, behind a request of it that was just served. */
static void walk_on(struct host_ahead *ahead, bool is_look)
{
	struct host_walk from = ahead->walk;
	uint32_t at = ahead->lookups.at;
	if (ahead->settled < ahead->count ||
	    !(is_look ? host_lookups_is_likely(&ahead->lookups) : host_walk_is_likely(&from)))
		return;
	const uint64_t end_ns = ahead_now_ns() + WALK_NS;
	for (unsigned i = 0; i < ahead->walk_most && (!i || ahead_now_ns() < end_ns); i++) {
		if (i >= WALK_FEW && host_scout_is_dry(&ahead->scout))
			break; /* more is read while the guest takes these */
		if (jitter_one_in(32) || !(is_look ? host_unasked_look(ahead, &at) : host_unasked_walk(ahead, &from)))
			break;
		from = ahead->answers[ahead->count - 1].walk;
	}
	scout_on(ahead, is_look, &from, is_look ? at : from.at);
	ahead->due_ns = ahead_now_ns() + jitter_interval_ns(ahead->life_ns);
	__atomic_store_n(&area_head(ahead)->count, ahead->count, __ATOMIC_RELEASE);
}

/* Doubles the limit of answers after a request that was predicted, and begins anew after one that was not. */
static void adapt_walk(struct host_ahead *ahead, unsigned right_before, unsigned right)
{
	if (right > right_before)
		ahead->walk_most = 2 * ahead->walk_most < HOST_AHEAD_MAX ? 2 * ahead->walk_most : HOST_AHEAD_MAX;
	else if (right < right_before)
		ahead->walk_most = WALK_FIRST;
}

/* Follows the walk with a request that was just served, before which the guest knew `first` objects. Returns whether
 * the walk predicted it, so that no list needs to have it. */
static bool follow_walk(struct host_ahead *ahead, const struct host_file_request *request, uint32_t first,
                        int64_t answer)
{
	const struct host_walk_step step = {request->op, request->handle};
	bool is_end = answer >= 0 && request->offset + (uint64_t)answer == request->attributes.size;
	const unsigned right = ahead->walk.right;
	host_walk_follow(&ahead->walk, &ahead->files->objects, &step, request->offset, first, is_end);
	adapt_walk(ahead, right, ahead->walk.right);
	return ahead->walk.right > right && host_walk_is_likely(&ahead->walk);
}

/* Whether a request looks up a name that no list has shown. Sets *step to what it looks up. */
static bool is_look_up(const struct host_file_request *request, struct host_lookups_step *step)
{
	step->handle = request->handle;
	memcpy(step->name, request->name, sizeof(step->name));
	return request->op == HOST_FILE_LOOK && !request->offset && *request->name &&
	       memchr(request->name, 0, sizeof(request->name));
}

/* Whether a look-up that is about to be served is the one that look-ups in order predict. */
static bool is_look_foretold(struct host_ahead *ahead, const struct host_lookups_step *step)
{
	struct host_lookups_step next;
	return host_lookups_is_likely(&ahead->lookups) &&
	       host_lookups_next(&ahead->lookups, ahead->files, ahead->lookups.at, &next) &&
	       next.handle == step->handle && !strcmp(next.name, step->name);
}

/* Follows look-ups in order with one that was just served. Returns whether it was predicted. */
static bool follow_look(struct host_ahead *ahead, const struct host_lookups_step *step, bool is_foretold)
{
	const unsigned right = ahead->lookups.right;
	bool result = host_lookups_follow(&ahead->lookups, ahead->files, step, is_foretold);
	adapt_walk(ahead, right, ahead->lookups.right);
	return result;
}

/* A request of the guest, and what was expected of it. */
struct question {
	struct host_file_request request;
	struct host_asked asked; /* the same, if is_known */
	char path[PATH_MAX];
	struct host_lookups_step step; /* the same, if is_look */
	uint32_t first;                /* how many objects the guest knew before it */
	bool is_known, is_look, is_foretold;
	bool is_next; /* of the first entry that the guest has not taken */
};

/* Compares a request with what was expected. Returns false if the guest has to take the next answer prepared. */
static bool expect_request(struct host_ahead *ahead, struct question *question)
{
	question->is_known = understand_request(ahead, &question->request, &question->asked, question->path);
	bool next = question->is_known && is_next(ahead, question->request.handle, &question->asked);
	if (next && !ahead->answers[ahead->settled].is_asked_for && !ahead->again) {
		ahead->again = true;
		return false;
	}
	question->is_next =
		next && !ahead->again; /* a guest that does not take the entry is served, and not told again */
	ahead->again = false;
	if (!question->is_next)
		give_up_answers(ahead);
	question->first = ahead->files->objects.count;
	question->is_look = question->is_known && is_look_up(&question->request, &question->step);
	question->is_foretold = question->is_look && is_look_foretold(ahead, &question->step);
	return true;
}

/* Follows the list, or the walk, with a request that was just served, and lets the thread go on. */
static void follow_served(struct host_ahead *ahead, const struct question *question, int64_t answer)
{
	const bool is_look = question->is_look;
	ahead->stopped = false;
	bool walks = is_look ? follow_look(ahead, &question->step, question->is_foretold)
	                     : follow_walk(ahead, &question->request, question->first, answer);
	if (!is_look)
		host_lookups_stop(&ahead->lookups);
	note_asked(ahead, &question->asked, is_look, walks);
	if (question->is_next) {
		ahead->follows_list = !ahead->answers[ahead->settled].op;
		ahead->foreseen++;
		show(ahead, ahead->settled + 1, ahead->answers[ahead->settled].end);
		ahead->settled++;
	} else {
		follow_request(ahead, &question->asked, walks);
	}
	if (!ahead->stopped && ahead->next < ahead->before.used)
		host_ahead_go_on(ahead);
	if (is_walking(ahead)) {
		host_ahead_go_on(ahead);
		if (ahead->running)
			walk_on(ahead, is_look);
		if (ahead->is_timed || ahead->settled == ahead->count)
			return; /* the thread will look when the answers are old */
	} else if (ahead->running && ahead->next < ahead->before.used) {
		show_preparing(ahead, true); /* holds until the thread wakes up and sets the right value */
	}
	pthread_cond_signal(&ahead->changed);
}

int64_t host_ahead_serve(struct host_ahead *ahead, gpa_t at, bool *failed)
{
	struct host_files *files = ahead->files;
	struct question question;
	lock(ahead);
	settle_answers(ahead);
	int64_t answer = host_files_take(files, ahead->memory, at, &question.request);
	if (answer) {
		ahead->again = false;
		give_up_answers(ahead);
	} else if (!expect_request(ahead, &question)) {
		answer = HOST_FILE_AGAIN;
	} else {
		answer = host_files_answer(files, ahead->memory, &question.request);
		host_files_return(ahead->memory, at, &question.request, answer);
		if (question.is_known && !files->error.text[0])
			follow_served(ahead, &question, answer);
	}
	*failed = files->error.text[0];
	if (*failed)
		ahead->stopped = true; /* so that the thread does not overwrite the error */
	unlock(ahead);
	return answer;
}

void host_ahead_stop(struct host_ahead *ahead)
{
	lock(ahead);
	settle_answers(ahead);
	/* The guest took fewer answers than were prepared: the next time as many are prepared as it took. */
	if (ahead->settled < ahead->count && ahead->settled < ahead->walk_most)
		ahead->walk_most = ahead->settled > WALK_FIRST ? ahead->settled : WALK_FIRST;
	give_up_answers(ahead);
	host_files_forget_scouted(ahead->files);
	ahead->stopped = true;
	unlock(ahead);
}

/* --- runs --- */

void host_ahead_begin(struct host_ahead *ahead, struct host_files *files, const struct guest_memory *memory, gpa_t area)
{
	if (ahead->now.used) {
		host_asked_fini(&ahead->before);
		ahead->before = ahead->now;
		ahead->now = (struct host_asked_list){0};
	}
	pthread_mutex_init(&ahead->turn, NULL);
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&ahead->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	ahead->files = files;
	ahead->memory = memory;
	ahead->area = area;
	ahead->end = ahead->stopped = ahead->again = false;
	ahead->foreseen = ahead->missed = ahead->vain = 0;
	ahead->life_ns = ahead->life_ns ? ahead->life_ns : LIFE_NS;
	ahead->most = HOST_AHEAD_MAX;
	ahead->next = 0;
	ahead->follows_list = true;
	ahead->count = ahead->settled = 0;
	ahead->walk = (struct host_walk){0};
	host_lookups_fini(&ahead->lookups);
	ahead->walk_most = WALK_FIRST;
	ahead->is_timed = false;
	host_scout_init(&ahead->scout, ahead->life_ns);
	files->scout = &ahead->scout;
	memset(area_head(ahead)->unused, 0, sizeof(area_head(ahead)->unused));
	show(ahead, 0, sizeof(struct host_file_ahead));
	ahead->can_run = beside_has_processor();
	if (ahead->can_run)
		answer_first(ahead);
}

void host_ahead_end(struct host_ahead *ahead)
{
	if (!ahead->files)
		return;
	lock(ahead);
	ahead->end = true;
	pthread_cond_signal(&ahead->changed);
	unlock(ahead);
	if (ahead->running)
		pthread_join(ahead->thread, NULL);
	give_up_answers(ahead);
	host_files_forget_scouted(ahead->files);
	ahead->files->scout = NULL;
	host_scout_fini(&ahead->scout);
	mark_all_unused(ahead);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	pthread_mutex_destroy(&ahead->turn);
	ahead->running = ahead->can_run = false;
	ahead->files = NULL;
}

void host_ahead_close(struct host_ahead *ahead)
{
	host_asked_fini(&ahead->before);
	host_asked_fini(&ahead->now);
	host_lookups_fini(&ahead->lookups);
}
