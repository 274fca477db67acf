# SPDX-License-Identifier: MIT
#
# curl and libxml2 of Debian's sources, unchanged, by their own configure scripts and makefiles: build/tests/packages/.
# They are configured again when the compiler or the C library's headers change, and linked again with each kernel.

PACKAGES := $(B)/obj/packages
PACKAGE_IMAGES := $(addprefix $(B)/tests/packages/,curl get_curl xmllint get_xml)
PACKAGE_CONFIGURE := ./configure --host=x86_64-eremite-elf CC=$(B)/eremite-cc --disable-shared
PACKAGE_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror

$(eval $(call APP_SOURCE,curl,curl,7.88.1-10+deb12u15,curl_7.88.1.orig.tar.gz,$\
	cdb38b72e36bc5d33d5b8810f8018ece1baa29a8f215b4495e495ded82bbf3c7))
$(eval $(call APP_SOURCE,libxml2,libxml2,2.9.14+dfsg-1.3~deb12u6,libxml2_2.9.14+dfsg.orig.tar.xz,$\
	4fe913dec8b1ab89d13b489b419a8203176ea39e931eaa0d25b17eafb9c279e9))

$(PACKAGES)/curl/.built: CONFIGURE_OPTIONS := --without-ssl --without-zlib --disable-ldap
$(PACKAGES)/libxml2/.built: CONFIGURE_OPTIONS := --without-python --without-lzma --without-zlib
$(PACKAGES)/curl/.built: PACKAGE_MAKE := -C lib
$(PACKAGES)/libxml2/.built: PACKAGE_MAKE := libxml2.la

$(PACKAGES)/%/.built: $(B)/source/%/.unpacked $(OBJECT_INPUTS) | $(IMAGE_INPUTS)
	@echo "  CONFIG  $*"
	@rm -rf $(@D) && mkdir -p $(@D) && cp -rp $(B)/source/$*/. $(@D)
	@cd $(@D) && { $(PACKAGE_CONFIGURE) $(CONFIGURE_OPTIONS) && $(APP_MAKE) $(PACKAGE_MAKE); } $(call LOGGED,eremite.log)
	@touch $@

# $(call PACKAGE_LINK,package,folder): links the program $@ in its folder, by the package's makefile.
PACKAGE_LINK = rm -f $(PACKAGES)/$(1)/$(2)/$(@F) && { $(APP_MAKE) -C $(PACKAGES)/$(1)/$(2) $(@F) \
	$(call LOGGED,$(PACKAGES)/$(1)/link.log); } && cp $(PACKAGES)/$(1)/$(2)/$(@F) $@

$(B)/tests/packages/curl: $(PACKAGES)/curl/.built $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   curl"
	@$(call PACKAGE_LINK,curl,src)

$(B)/tests/packages/xmllint: $(PACKAGES)/libxml2/.built $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   xmllint"
	@$(call PACKAGE_LINK,libxml2,.)

$(B)/tests/packages/get_curl: tests/packages/get_curl.c tests/packages/http_server.h $(PACKAGES)/curl/.built $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $<"
	@$(B)/eremite-cc $(PACKAGE_CFLAGS) -I$(PACKAGES)/curl/include -o $@ $< $(PACKAGES)/curl/lib/.libs/libcurl.a

$(B)/tests/packages/get_xml: tests/packages/get_xml.c tests/packages/http_server.h $(PACKAGES)/libxml2/.built $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $<"
	@$(B)/eremite-cc $(PACKAGE_CFLAGS) -I$(PACKAGES)/libxml2/include -o $@ $< $(PACKAGES)/libxml2/.libs/libxml2.a -lm
