# SPDX-License-Identifier: MIT
# pip and apt with a mirror that Python's http.server serves. shellcheck shell=bash
mkdir -p simple/hello wheel/hello hello-1.2.dist-info apt deb/DEBIAN deb/usr/share/greet
cat >hello-1.2.dist-info/METADATA <<END
Metadata-Version: 2.1
Name: hello
Version: 1.2
END
printf 'Wheel-Version: 1.0\nGenerator: sh\nRoot-Is-Purelib: true\nTag: py3-none-any\n' >hello-1.2.dist-info/WHEEL
printf '%s,,\n' hello.py hello-1.2.dist-info/METADATA hello-1.2.dist-info/WHEEL hello-1.2.dist-info/RECORD \
	>hello-1.2.dist-info/RECORD
echo 'print("hello from a package")' >hello.py
python3 -m zipfile -c simple/hello/hello-1.2-py3-none-any.whl hello.py hello-1.2.dist-info
echo "<a href='hello-1.2-py3-none-any.whl'>hello-1.2-py3-none-any.whl</a>" >simple/hello/index.html
rm -r hello.py hello-1.2.dist-info
printf '%s\n' 'Package: greet' 'Version: 1.0' 'Architecture: all' 'Maintainer: me <me@localhost>' 'Description: greets' \
	>deb/DEBIAN/control
echo "greetings" >deb/usr/share/greet/text
dpkg-deb -b --root-owner-group deb apt/greet.deb >/dev/null
(cd apt && apt-ftparchive packages . >Packages && gzip -kn Packages && apt-ftparchive release . >../Release && mv ../Release .)
mkfifo ready
/usr/bin/python3 -u -m http.server --bind 127.0.0.1 8000 >ready 2>log &
read -r <ready
/usr/bin/python3 -m pip -q --no-cache-dir --disable-pip-version-check install --root-user-action=ignore \
	--index-url http://127.0.0.1:8000/simple/ --target target hello
PYTHONPATH=target python3 -c 'import hello'

mkdir -p state/lists/partial cache/archives/partial etc/apt.conf.d etc/preferences.d
echo 'deb [trusted=yes] http://127.0.0.1:8000/apt ./' >etc/sources.list
: >state/status
cat >apt.conf <<END
Dir::Etc "$PWD/etc";
Dir::State "$PWD/state";
Dir::State::status "$PWD/state/status";
Dir::Cache "$PWD/cache";
APT::Sandbox::User "root";
Acquire::Languages "none";
END
export APT_CONFIG=$PWD/apt.conf
apt-get -q update >update.log 2>&1 || cat update.log
apt-cache policy greet | head -n 3
apt-get -q download greet >download.log 2>&1 || cat download.log
dpkg-deb -f greet_1.0_all.deb Package Version
dpkg-deb --fsys-tarfile greet_1.0_all.deb | tar -xO ./usr/share/greet/text
grep -o '"GET .*\.\(whl\|deb\).*' log
kill %1
wait
