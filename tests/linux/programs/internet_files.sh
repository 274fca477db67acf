# SPDX-License-Identifier: MIT
#
# Shows the files that describe the network, and what programs make of them, with a listener, an idle connection and a
# closed one.
cat /etc/hosts /etc/resolv.conf
ls -l /etc/hosts | cut -c1-12
ls /etc | grep -cx -e hosts -e resolv.conf
readlink /proc/net
python3 - <<'END'
import shutil, socket, subprocess
STATES = 'ESTAB', 'ESTAB', 'LISTEN', 'TIME_WAIT'
listener = socket.create_server(('127.0.0.1', 80))
clients = [socket.create_connection(('127.0.0.1', 80)) for _ in range(2)]
servers = [listener.accept()[0] for _ in range(2)]
servers[0].close()
clients[0].close()
for name in 'sockstat', 'sockstat6', 'self/../thread-self/net/tcp':
    with open('/proc/net/' + name if '/' not in name else '/proc/' + name) as file:
        for line in file:
            words = line.split()
            print(' '.join(words if 'sockstat' in name else words[1:4]))
with open('/proc/net/snmp') as file:
    lines = [line.split() for line in file]
for names, values in zip(lines[::2], lines[1::2]):
    assert names[0] == values[0] and len(names) == len(values), (names, values)
    print(names[0], dict(zip(names, values)).get('CurrEstab'))
if shutil.which('ss') and shutil.which('netstat'):
    for command, wanted in ('ss -Htan', ' '.join(STATES)), ('netstat -tan', ' '.join(STATES)), ('ss -s', 'timewait 1'), \
            ('netstat -rn', '10.0.2.0 0.0.0.0 255.255.255.0 U 0 0 0 eth0'):
        said = subprocess.run(command.split(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
        if 'tan' in command:
            words = said.replace('-', '_').replace('ESTABLISHED', 'ESTAB').split()
            said = ' '.join(sorted(word for word in words if word in STATES))
        assert wanted in ' '.join(said.split()), (command, said)
print(socket.if_nameindex(), socket.getaddrinfo('eremite', 80, type=socket.SOCK_STREAM)[0][4])
print(socket.getaddrinfo('localhost', 80, type=socket.SOCK_STREAM)[0][4])
END
for name in lo eth0; do
	for file in address mtu operstate ifindex flags type carrier statistics/rx_bytes; do
		printf '%s ' $(cat /sys/class/net/$name/$file)
	done
	echo
done
echo '10.0.2.15 other' >>/etc/hosts && tail -1 /etc/hosts
rm /etc/hosts 2>/dev/null || echo kept
