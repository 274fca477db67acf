# SPDX-License-Identifier: MIT
#
# newlib, unmodified, built out of tree by the host's gcc against the overlay headers in libc-port/include.
# Results: $(B)/lib/libc.a, $(B)/lib/libm.a, $(B)/include/newlib. Needs B (build) and SRC (tree), both absolute.
# Invariant: the archives depend on the pinned source, these flags and the overlay headers, not on B, SRC or time.

NEWLIB_PACKAGE := newlib-source
NEWLIB_VERSION := 3.3.0-1.3+deb12u1
# The suite of Debian that has the pinned versions of this file and of others.
PINNED_SUITE := bookworm
NEWLIB_FILE := $(NEWLIB_PACKAGE)_$(NEWLIB_VERSION)_all.deb
NEWLIB_SHA256 := b9a825a86064e6ffd1f8d1b91a3f7c6a5baf3ab3d246e5ed132ba22c42f6fef1
NEWLIB_JOBS ?= $(shell nproc)

NEWLIB_DIR := $(B)/newlib
NEWLIB_SRC := $(NEWLIB_DIR)/source-$(NEWLIB_VERSION)
NEWLIB_OBJ := $(NEWLIB_DIR)/obj
PORT := $(SRC)/libc-port
GCC_INCLUDE := $(shell gcc -print-file-name=include 2>/dev/null)

# What the host's gcc predefines for Linux and newlib must not see.
TARGET_UNDEFS := -U__linux__ -U__linux -Ulinux -U__gnu_linux__ -U__unix__ -U__unix -Uunix
# Everything runs at CPL 3 with its traps on IST stacks, so the red zone stays. Unwind tables serve backtraces.
TARGET_CODEGEN := -fno-pic -no-pie -mcmodel=small -ftls-model=local-exec -fno-stack-protector \
	-fcf-protection=none -fasynchronous-unwind-tables -ffunction-sections -fdata-sections -fno-ident
# Results must not depend on which fused or wider operations a compiler happens to pick.
TARGET_FLOAT := -ffp-contract=off -fno-fast-math -fexcess-precision=standard
# The code counts its work; debug information would name the options, and with them the plugin's path.
TARGET_TICKS := -fplugin=$(B)/lib/ticks.so -gno-record-gcc-switches
TARGET_MAPS := -ffile-prefix-map=$(NEWLIB_SRC)=newlib -ffile-prefix-map=$(NEWLIB_OBJ)=newlib-obj \
	-ffile-prefix-map=$(PORT)=libc-port -ffile-prefix-map=$(B)=build

# newlib's make names its own folders with -I, so the overlay needs -I, too, to come before them.
NEWLIB_CC := gcc $(TARGET_UNDEFS) -D__EREMITE__ -nostdinc -I$(PORT)/include -isystem $(GCC_INCLUDE) \
	-ffreestanding -nostdlib
# What our calls offer newlib; Linux has no EFTYPE; an allocator that asks the kernel seldom; mathematics that sets
# errno, and newlib's newer exp, log, pow and sin, which are off by default for this processor.
NEWLIB_DEFINES := -D_POSIX_MODE -D__OBSOLETE_MATH=0 -DHAVE_FCNTL -DHAVE_BLKSIZE -DHAVE_MKDIR -DHAVE_ASSERT_FUNC -DEFTYPE=EINVAL \
	-DDEFAULT_TOP_PAD=131072 -DDEFAULT_TRIM_THRESHOLD=262144
# newlib 3.3 is older than this compiler's diagnostics; its warnings are not ours to fix.
NEWLIB_CFLAGS := -O2 -g -MD -std=gnu11 -w $(NEWLIB_DEFINES) $(TARGET_CODEGEN) $(TARGET_FLOAT) $(TARGET_TICKS) $(TARGET_MAPS)

NEWLIB_OPTIONS := --host=x86_64-eremite-elf --disable-multilib --disable-newlib-supplied-syscalls \
	--enable-newlib-multithread --enable-newlib-retargetable-locking --enable-newlib-reent-check-verify \
	--enable-newlib-io-long-long --enable-newlib-io-c99-formats --enable-newlib-io-long-double \
	--enable-newlib-global-stdio-streams --enable-newlib-global-atexit \
	--enable-newlib-mb --enable-newlib-iconv \
	--enable-newlib-iconv-encodings=us_ascii,utf_8,utf_16,utf_16le,utf_16be,ucs_4,ucs_4_internal,iso_8859_1,iso_8859_15

# The overlay headers newlib is built with: those its last build read, and those that stand before one of its own.
NEWLIB_HEADERS := $(sort $(wildcard $(PORT)/include/*.h $(PORT)/include/*/*.h))
-include $(NEWLIB_OBJ)/headers.mk

# Members that libc-port/src supplies: they must not be found in newlib's archives first.
NEWLIB_LIBC_REPLACED := strerror.o ldtoa.o memcpy.o memmove.o memset.o strlen.o signal.o raise.o abort.o getreent.o lock.o exit.o fini.o init.o clock.o time.o remove.o \
	rename.o renamer.o system.o setjmp.o gmtime.o lcltime.o getopt.o \
	rand.o random.o drand48.o erand48.o jrand48.o lcong48.o lrand48.o mrand48.o nrand48.o rand48.o seed48.o srand48.o \
	lcltime_r.o mktime.o tzset.o tzset_r.o tzcalc_limits.o strftime.o strptime.o strsignal.o psignal.o
NEWLIB_LIBM_REPLACED := e_sqrt.o ef_sqrt.o s_fma.o sf_fma.o sqrtl.o s_fdim.o sf_fdim.o \
	w_tgamma.o wf_tgamma.o tgammal.o w_j0.o wf_j0.o w_j1.o wf_j1.o w_jn.o wf_jn.o

# Functions that libc-port/src completes: newlib's own are reached as __newlib_NAME (member:function).
NEWLIB_LIBC_WRAPPED := gmtime_r.o:gmtime_r \
	vfprintf.o:vfprintf vfprintf.o:_vfprintf_r svfprintf.o:_svfprintf_r \
	vfwprintf.o:vfwprintf vfwprintf.o:_vfwprintf_r \
	locale.o:setlocale newlocale.o:newlocale nl_langinfo.o:nl_langinfo nl_langinfo.o:nl_langinfo_l \
	mbtowc_r.o:__utf8_mbtowc wctomb_r.o:__utf8_wctomb \
	$(foreach f,strtol strtoul strtoll strtoull strtoimax strtoumax wcstol wcstoul wcstoll wcstoull wcstoimax wcstoumax, \
		$(f).o:$(f) $(f).o:$(f)_l)
NEWLIB_LIBM_WRAPPED := s_nextafter.o:nextafter sf_nextafter.o:nextafterf s_erf.o:erfc sf_erf.o:erfcf sf_cbrt.o:cbrtf \
	s_sin.o:sin s_cos.o:cos s_tan.o:tan sf_tan.o:tanf \
	$(foreach f,lgamma atanh cosh atan2 fmod remainder,w_$(f).o:$(f) wf_$(f).o:$(f)f)

# Folders of libc that newlib's own build leaves out for this target: what of them works over our system calls.
NEWLIB_EXTRA := posix/glob posix/regcomp posix/regerror posix/regexec posix/regfree posix/scandir \
	posix/posix_spawn unix/basename unix/dirname
NEWLIB_EXTRA_WRAPPED := glob regcomp
NEWLIB_EXTRA_OBJECTS := $(addprefix $(NEWLIB_OBJ)/extra/,$(addsuffix .o,$(notdir $(NEWLIB_EXTRA))))

.PHONY: newlib check-newlib-reproducible
newlib: $(B)/lib/libc.a $(B)/lib/libm.a

$(NEWLIB_SRC)/.unpacked: | $(SRC)/scripts/fetch-source
	@echo "  FETCH   $(NEWLIB_PACKAGE) $(NEWLIB_VERSION)"
	@$(SRC)/scripts/fetch-source $(NEWLIB_PACKAGE) $(NEWLIB_VERSION) $(NEWLIB_FILE) $(NEWLIB_SHA256) $(B)/download \
		$(PINNED_SUITE)
	@rm -rf $(NEWLIB_SRC) && mkdir -p $(NEWLIB_SRC)
	@dpkg-deb --fsys-tarfile $(B)/download/$(NEWLIB_FILE) | tar -xO --wildcards './usr/src/newlib/newlib-*.tar.xz' \
		| tar -xJ --strip-components=1 -C $(NEWLIB_SRC)
	@touch $@

# newlib's make is a world of its own: none of our variables or flags may enter it, nor where our own make installs to.
NEWLIB_ENV := env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u DESTDIR -u CPPFLAGS -u CXXFLAGS -u LDFLAGS

$(NEWLIB_OBJ)/.built: $(NEWLIB_SRC)/.unpacked $(NEWLIB_HEADERS) $(PORT)/newlib.mk $(B)/lib/ticks.so
	@echo "  NEWLIB  configure"
	@rm -rf $(NEWLIB_OBJ) && mkdir -p $(NEWLIB_OBJ)
	@cd $(NEWLIB_OBJ) && $(NEWLIB_ENV) $(NEWLIB_SRC)/newlib/configure $(NEWLIB_OPTIONS) \
		--prefix=$(NEWLIB_DIR)/install CC="$(NEWLIB_CC)" CFLAGS="$(NEWLIB_CFLAGS)" CCASFLAGS="$(NEWLIB_CFLAGS)" \
		AR=ar ARFLAGS=rcD RANLIB="ranlib -D" MAKEINFO=true >configure.log 2>&1 \
		|| { tail -20 configure.log; exit 1; }
	@echo "  NEWLIB  libc.a libm.a"
	@cd $(NEWLIB_OBJ) && $(NEWLIB_ENV) make -j$(NEWLIB_JOBS) MAKEINFO=true >make.log 2>&1 \
		|| { grep -E ': (fatal )?error:' make.log | head -20; exit 1; }
	@cd $(NEWLIB_OBJ) && { find . -name '*.d' -exec cat {} + | tr ' ' '\n' | grep '^$(PORT)/include/'; \
		cd $(PORT)/include && for f in *.h */*.h; do [ ! -f $(NEWLIB_SRC)/newlib/libc/include/$$f ] || echo $$PWD/$$f; done; } \
		| LC_ALL=C sort -u | sed -e 's|^$(PORT)/|$$(PORT)/|' -e 's/^/NEWLIB_HEADERS += /' -e '1s/+=/:=/' >headers.mk
	@touch $@

define NEWLIB_EXTRA_RULE
$(NEWLIB_OBJ)/extra/$(notdir $(1)).o: $(NEWLIB_OBJ)/.built
	@mkdir -p $$(@D)
	@cd $(NEWLIB_OBJ) && $(NEWLIB_CC) $(NEWLIB_CFLAGS) -D_COMPILING_NEWLIB -DMISSING_SYSCALL_NAMES -D_GNU_SOURCE \
		$(if $(filter $(NEWLIB_EXTRA_WRAPPED),$(notdir $(1))),-D$(notdir $(1))=__newlib_$(notdir $(1))) -include _syslist.h \
		-I$(NEWLIB_OBJ)/targ-include -I$(NEWLIB_SRC)/newlib/libc/include -c $(NEWLIB_SRC)/newlib/libc/$(1).c -o $$@
endef
$(foreach f,$(NEWLIB_EXTRA),$(eval $(call NEWLIB_EXTRA_RULE,$(f))))

# newlib's make leaves dated, differently ordered archives behind; these are put together anew, sorted by name.
define NEWLIB_ARCHIVE
	@rm -rf $(NEWLIB_OBJ)/members/$(1) && mkdir -p $(NEWLIB_OBJ)/members/$(1) $(@D)
	@cd $(NEWLIB_OBJ)/members/$(1) && ar x ../../$(1).a && for f in lib_a-*; do mv $$f $${f#lib_a-}; done && rm $(2)
	@cd $(NEWLIB_OBJ)/members/$(1) && for f in $(4); do objcopy --redefine-sym $${f#*:}=__newlib_$${f#*:} $${f%:*}; done
	@rm -f $@ && cd $(NEWLIB_OBJ)/members/$(1) && ar rcD $@ $$(echo *.o | tr ' ' '\n' | LC_ALL=C sort) $(3)
endef

$(B)/lib/libc.a: $(NEWLIB_OBJ)/.built $(NEWLIB_EXTRA_OBJECTS)
	@echo "  AR      lib/libc.a"
	$(call NEWLIB_ARCHIVE,libc,$(NEWLIB_LIBC_REPLACED),$(sort $(NEWLIB_EXTRA_OBJECTS)),$(NEWLIB_LIBC_WRAPPED))
	@rm -rf $(B)/include/newlib && mkdir -p $(B)/include
	@cd $(NEWLIB_OBJ) && $(NEWLIB_ENV) make install-data-local MAKEINFO=true \
		>install.log 2>&1 || { tail -20 install.log; exit 1; }
	@cp -r $(NEWLIB_DIR)/install/x86_64-eremite-elf/include $(B)/include/newlib

$(B)/lib/libm.a: $(NEWLIB_OBJ)/.built
	@echo "  AR      lib/libm.a"
	$(call NEWLIB_ARCHIVE,libm,$(NEWLIB_LIBM_REPLACED),,$(NEWLIB_LIBM_WRAPPED))

# Builds newlib a second time, in another folder, and compares every byte.
check-newlib-reproducible: newlib
	@$(MAKE) --no-print-directory -f $(PORT)/ticks/ticks.mk -f $(PORT)/newlib.mk SRC=$(SRC) B=$(B)/newlib-again newlib
	@cmp $(B)/lib/libc.a $(B)/newlib-again/lib/libc.a && cmp $(B)/lib/libm.a $(B)/newlib-again/lib/libm.a
	@echo "  PASS    newlib is the same in two builds"
	@rm -rf $(B)/newlib-again
