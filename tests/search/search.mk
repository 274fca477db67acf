# SPDX-License-Identifier: MIT
#
# Classic programs with one known bug each (tests/search/programs), in four forms: build/tests/search/NAME is a native
# image with every access to shared memory as a decision point, NAME.fixed is without the bug, and linux/NAME and
# linux/NAME.fixed are programs of Linux as anybody compiles them.

SEARCHED := $(basename $(notdir $(sort $(wildcard tests/search/programs/*.c))))
SEARCHED_CFLAGS := -std=gnu11 -O2 -g $(WARNINGS) $(MAPS) -pthread
SEARCHED_IMAGES := $(SEARCHED:%=$(B)/tests/search/%) $(SEARCHED:%=$(B)/tests/search/%.fixed)
SEARCHED_LINUX := $(SEARCHED:%=$(B)/tests/search/linux/%) $(SEARCHED:%=$(B)/tests/search/linux/%.fixed)

define SEARCHED_RULE
$(B)/tests/search/$(1) $(B)/tests/search/$(1).fixed $(B)/tests/search/linux/$(1) $(B)/tests/search/linux/$(1).fixed: \
	tests/search/programs/$(1).c tests/search/search.mk
endef
$(foreach program,$(SEARCHED),$(eval $(call SEARCHED_RULE,$(program))))

$(SEARCHED_IMAGES): $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   tests/search/$(@F)"
	@$(B)/eremite-cc $(SEARCHED_CFLAGS) -fpreempt=memory $(if $(filter %.fixed,$@),-DFIXED) -o $@ $(filter %.c,$^)

$(SEARCHED_LINUX):
	@mkdir -p $(@D)
	@echo "  LINUX   tests/search/$(@F)"
	@$(CC) $(SEARCHED_CFLAGS) $(if $(filter %.fixed,$@),-DFIXED) -o $@ $(filter %.c,$^)

.PHONY: search-programs
search-programs: $(SEARCHED_IMAGES) $(SEARCHED_LINUX)
check-build: search-programs

# Programs of Linux for the test of races: threads that race, and threads that are ordered.
RACES := $(addprefix $(B)/tests/search/races/,races ordered kinds library promise)
$(B)/tests/search/races/%: tests/search/races/%.c
	@mkdir -p $(@D)
	@echo "  LINUX   $<"
	@$(CC) -O2 -g -Wall -Wextra -Werror -pthread -o $@ $<
$(B)/tests/search/races/library $(B)/tests/search/races/promise: tests/search/races/library.cc
	@mkdir -p $(@D)
	@echo "  LINUX   tests/search/races/$(@F)"
	@$(CXX) -O2 -g -Wall -Wextra -Werror -pthread $(if $(filter %/promise,$@),-DPROMISE) -o $@ $<
check-build: $(RACES)

# Which races a search names, beside ThreadSanitizer: make race-table [ONLY=rust].
.PHONY: race-table
race-table: $(B)/eremite $(B)/lib/linux.image
	@SRC=$(SRC) B=$(B) tests/search/race_table

# Tries to the first failure without and with races tried in both orders: make bench-orders [ONLY=reorder] [SEEDS=10].
.PHONY: bench-orders
bench-orders: search-programs $(B)/eremite $(B)/lib/linux.image
	@SRC=$(SRC) B=$(B) tests/search/orders

# What cutting a search costs in tries to the bug, with and without rounds: make bench-shards [ONLY=handshake] [SEEDS=5] [DATA=FILE].
.PHONY: bench-shards
bench-shards: search-programs $(B)/eremite $(B)/lib/linux.image
	@SRC=$(SRC) B=$(B) tests/search/shards_cost

# What more machines would cost, by a simulation from what was measured: make shards-model [DATA=FILE].
.PHONY: shards-model
shards-model:
	@tests/search/shards_model $(or $(DATA),tests/search/shards_measured)

# How many schedules a search needs to each known bug, beside native runs: make bench-search [ONLY=reorder] [KIND=image].
.PHONY: bench-search
bench-search: search-programs $(B)/eremite $(B)/lib/linux.image
	@SRC=$(SRC) B=$(B) tests/search/measure
