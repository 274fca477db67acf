# SPDX-License-Identifier: MIT
#
# The programs that come with Eremite, each one image: build/apps/NAME. Our own are made of apps/NAME/*.c; Lua and
# SQLite of their unmodified sources, which are fetched when building. Each is also built for the host, by the host's
# compiler, as build/native/NAME: the oracle for tests and the peer for benchmarks (`make apps-native`).

# Small programs with one known bug each (docs/races.md).
RACES := $(notdir $(sort $(wildcard apps/race_*)))
APPS := hello nbody montecarlo psort lua sqlite3 $(RACES)
APP_CFLAGS := -O2 -g -ffp-contract=off

.PHONY: apps apps-native
apps: $(APPS:%=$(B)/apps/%) $(RACES:%=$(B)/apps/%.fixed)
apps-native: $(APPS:%=$(B)/native/%)

# For somebody else's build: none of our variables and flags enter it.
APP_MAKE := env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS $(MAKE) -s -j$(NEWLIB_JOBS)
# What objects depend on: the compiler command and the headers, which come with libc.a. Images depend on all.
OBJECT_INPUTS := $(B)/eremite-cc $(B)/lib/ticks.so $(B)/lib/libc.a
LOGGED = >$(1) 2>&1 || { tail -20 $(1); exit 1; }

#
# Ours.
#
HELLO_SOURCES := apps/hello/hello.c
NBODY_SOURCES := $(sort $(wildcard apps/nbody/*.c))
OUR_APPS := hello nbody montecarlo psort

$(B)/apps/hello $(B)/native/hello: $(HELLO_SOURCES)
$(B)/apps/nbody $(B)/native/nbody: $(NBODY_SOURCES) $(wildcard apps/nbody/*.h)
$(B)/apps/montecarlo $(B)/native/montecarlo: apps/montecarlo/montecarlo.c
$(B)/apps/psort $(B)/native/psort: apps/psort/psort.c

$(OUR_APPS:%=$(B)/apps/%): $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $(@F)"
	@$(B)/eremite-cc $(APP_CFLAGS) $(WARNINGS) $(MAPS) -pthread -o $@ $(filter apps/%.c,$^)

$(OUR_APPS:%=$(B)/native/%):
	@mkdir -p $(@D)
	@echo "  NATIVE  $(@F)"
	@$(CC) $(APP_CFLAGS) $(WARNINGS) -pthread -o $@ $(filter apps/%.c,$^) -lm

# Races, with every access to shared memory as a decision point; and, as build/apps/NAME.fixed, without the bug.
RACE_IMAGES := $(RACES:%=$(B)/apps/%) $(RACES:%=$(B)/apps/%.fixed)
$(RACE_IMAGES): RACE_FIXED = $(if $(filter %.fixed,$@),-DFIXED)
define RACE_RULE
$(B)/apps/$(1) $(B)/apps/$(1).fixed $(B)/native/$(1): apps/$(1)/$(1).c
endef
$(foreach race,$(RACES),$(eval $(call RACE_RULE,$(race))))

$(RACE_IMAGES): $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $(@F)"
	@$(B)/eremite-cc $(APP_CFLAGS) $(WARNINGS) $(MAPS) -fpreempt=memory $(RACE_FIXED) -pthread -o $@ $(filter apps/%.c,$^)

$(RACES:%=$(B)/native/%):
	@mkdir -p $(@D)
	@echo "  NATIVE  $(@F)"
	@$(CC) $(APP_CFLAGS) $(WARNINGS) -pthread -o $@ $(filter apps/%.c,$^)

#
# Others'. $(call APP_SOURCE,folder,package,version,file,sha256): unpacked in $(B)/source/folder.
#
define APP_SOURCE
$(B)/source/$(1)/.unpacked: | $(SRC)/scripts/fetch-source
	@echo "  FETCH   $(2) $(3)"
	@$(SRC)/scripts/fetch-source $(2) $(3) $(4) $(5) $(B)/download $(PINNED_SUITE)
	@rm -rf $$(@D) && mkdir -p $$(@D)
	@tar -xf $(B)/download/$(4) --strip-components=1 -C $$(@D)
	@touch $$@
endef

$(eval $(call APP_SOURCE,lua,lua5.4,5.4.4-3+deb12u1,lua5.4_5.4.4.orig.tar.gz,$\
	164c7849653b80ae67bec4b7473b884bf5cc8d2dca05653475ec2ed27b9ebf61))
$(eval $(call APP_SOURCE,sqlite3,sqlite3,3.40.1-2+deb12u2,sqlite3_3.40.1.orig.tar.xz,$\
	aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655))

#
# Lua, by its own makefile. $(call LUA_OBJECTS,folder,compiler,flags)
#
define LUA_OBJECTS
	@rm -rf $(1) && mkdir -p $(1) && cp -r $(B)/source/lua/src/. $(1)
	@$(APP_MAKE) -C $(1) a lua.o CC="$(2) -std=gnu99" AR="ar rcD" SYSCFLAGS="-DLUA_USE_POSIX" \
		MYCFLAGS="$(3) -ffile-prefix-map=$(1)=lua" $(call LOGGED,$(1)/make.log)
endef

$(B)/obj/apps/lua/liblua.a: $(B)/source/lua/.unpacked $(OBJECT_INPUTS)
	@echo "  LUA     liblua.a"
	$(call LUA_OBJECTS,$(@D),$(B)/eremite-cc,$(APP_CFLAGS))

$(B)/apps/lua: $(B)/obj/apps/lua/liblua.a $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   lua"
	@$(B)/eremite-cc -o $@ $(<D)/lua.o $<

$(B)/native/lua: $(B)/source/lua/.unpacked
	@mkdir -p $(@D)
	@echo "  NATIVE  lua"
	$(call LUA_OBJECTS,$(B)/obj/native/lua,$(CC),$(APP_CFLAGS))
	@$(CC) -o $@ $(B)/obj/native/lua/lua.o $(B)/obj/native/lua/liblua.a -lm

#
# The SQLite shell: its own makefile joins the sources into two files, by host tools and tclsh.
#
SQLITE_SOURCE := $(B)/obj/sqlite3-source
SQLITE_CFLAGS := $(APP_CFLAGS) -I$(SQLITE_SOURCE) -ffile-prefix-map=$(SQLITE_SOURCE)=sqlite3 -DSQLITE_THREADSAFE=0 \
	-DSQLITE_MAX_MMAP_SIZE=0x7fff0000 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE \
	-DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_EXPLAIN_COMMENTS
SQLITE_OBJECTS := sqlite3.o shell.o

$(SQLITE_SOURCE)/.made: $(B)/source/sqlite3/.unpacked
	@echo "  SQLITE  sqlite3.c shell.c"
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && { $(B)/source/sqlite3/configure --disable-tcl --disable-readline && $(APP_MAKE) sqlite3.c shell.c; } \
		$(call LOGGED,make.log)
	@touch $@

$(SQLITE_OBJECTS:%=$(B)/obj/apps/sqlite3/%): $(B)/obj/apps/sqlite3/%.o: $(SQLITE_SOURCE)/.made apps/apps.mk $(OBJECT_INPUTS)
	@mkdir -p $(@D)
	@echo "  CC      $*.c"
	@$(B)/eremite-cc $(SQLITE_CFLAGS) -c $(SQLITE_SOURCE)/$*.c -o $@

$(B)/apps/sqlite3: $(SQLITE_OBJECTS:%=$(B)/obj/apps/sqlite3/%) $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   sqlite3"
	@$(B)/eremite-cc -o $@ $(filter %.o,$(filter-out %/crt0.o,$^))

$(SQLITE_OBJECTS:%=$(B)/obj/native/sqlite3/%): $(B)/obj/native/sqlite3/%.o: $(SQLITE_SOURCE)/.made apps/apps.mk
	@mkdir -p $(@D)
	@echo "  CC      $*.c (native)"
	@$(CC) $(SQLITE_CFLAGS) -c $(SQLITE_SOURCE)/$*.c -o $@

$(B)/native/sqlite3: $(SQLITE_OBJECTS:%=$(B)/obj/native/sqlite3/%)
	@mkdir -p $(@D)
	@echo "  NATIVE  sqlite3"
	@$(CC) -o $@ $^ -lm

#
# Root folders with the input of the two jobs: run with --root.
#
JOB_INPUT := $(B)/apps/root
.PHONY: apps-root
apps: apps-root
apps-root: $(JOB_INPUT).made

$(JOB_INPUT).made: apps/nbody/solar.csv apps/sqlite/job.sql apps/sqlite/generate.awk
	@rm -rf $(JOB_INPUT) && mkdir -p $(JOB_INPUT)
	@cp apps/nbody/solar.csv apps/sqlite/job.sql $(JOB_INPUT)
	@awk -v dir=$(JOB_INPUT) -f apps/sqlite/generate.awk
	@touch $@
