# SPDX-License-Identifier: MIT
#
# build/tests/image/defaults/eremite: the monitor with other defaults of inputs, for tests/image/defaults.test.

OTHER_DEFAULTS := $(basename $(filter $(addprefix %/,session.c file_times.c option_defaults.c environment.c session_inputs.c program_choice.c verify_option.c),$(MONITOR_SOURCES)))
OTHER_DEFAULTS_OBJECTS := $(OTHER_DEFAULTS:%=$(B)/tests/image/defaults/obj/%.o)

$(OTHER_DEFAULTS_OBJECTS): $(B)/tests/image/defaults/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $< (other defaults)"
	@$(CC) $(MONITOR_CFLAGS) -include tests/image/other_defaults.h -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/tests/image/defaults/eremite: $(OTHER_DEFAULTS_OBJECTS) $(B)/eremite $(B)/lib/linux.image
	@echo "  LD      eremite (other defaults)"
	@$(CC) -o $@ $(OTHER_DEFAULTS_OBJECTS) $(filter-out $(OTHER_DEFAULTS:%=$(B)/obj/%.o),$(MONITOR_OBJECTS)) \
		-Wl,-z,relro,-z,now $(MONITOR_LIBS)
	@ln -sfn $(B)/lib $(@D)/lib

-include $(OTHER_DEFAULTS_OBJECTS:.o=.d)

check-build: $(B)/tests/image/defaults/eremite
