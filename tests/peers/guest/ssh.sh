# SPDX-License-Identifier: MIT
# sshd, ssh, scp and sftp. Another user than root runs the server.
# shellcheck shell=bash
echo "me:x:1000:1000::$PWD:/bin/sh" >>/etc/passwd
mkdir keys
ssh-keygen -q -t ed25519 -N '' -f keys/host
ssh-keygen -q -t ed25519 -N '' -f keys/own
cp keys/own.pub keys/authorized
: >log
chown -R me .
setpriv --reuid=1000 --regid=1000 --clear-groups /usr/sbin/sshd -D -e -f /dev/null -p 2222 -h "$PWD/keys/host" \
	-o ListenAddress=127.0.0.1 -o AuthorizedKeysFile="$PWD/keys/authorized" -o StrictModes=no -o UsePAM=no \
	-o PidFile=none -o 'Subsystem=sftp internal-sftp' 2>log &
until grep -q listening log; do sleep 0.1; done
cat >config <<END
Host there
	HostName 127.0.0.1
	Port 2222
	User me
	IdentityFile $PWD/keys/own
	UserKnownHostsFile $PWD/keys/known
	StrictHostKeyChecking accept-new
	LogLevel ERROR
END
ssh -F config there 'echo "$SSH_CONNECTION"; wc -c; exit 3' <<<input
echo "status $?"
ssh -tt -F config there "tty; exit 4" </dev/null
echo "status $?"
seq 100000 >numbers
scp -q -F config numbers there:copy
scp -q -F config there:copy again
sha256sum numbers copy again
ssh -F config -f -N -L 127.0.0.1:9000:127.0.0.1:2222 -o ExitOnForwardFailure=yes there
head -c 8 </dev/tcp/127.0.0.1/9000
echo
grep -o 'Accepted publickey for me from 127.0.0.1' log | uniq -c
kill %1
wait
