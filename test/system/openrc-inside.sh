# Has OpenRC start, reload, restart and stop the service in namespaces of its own, and prints what it saw: for `openrc.test.ts`.
set -eu
program=$1
mount --make-rprivate /
for folder in /run /var/lib /var/log /mnt; do mount -t tmpfs none "$folder"; done
mkdir -p /mnt/upper /mnt/work /mnt/opt
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc
cp "$program" /mnt/opt/lurecheck && mount --bind /mnt/opt /opt
# What its first runlevel leaves behind.
for state in started starting stopping stopped inactive wasinactive hotplugged failed scheduled crashed exclusive options daemons tmp; do
	mkdir -p "/run/openrc/$state"
done
touch /run/openrc/softlevel
ip link set lo up
exec 2>&1
lurecheck=/opt/lurecheck

ready() { until $lurecheck healthcheck --listen "$1" 2>/dev/null; do sleep 0.1; done; }
child() { cat "/proc/$(cat /run/supervise-lurecheck.pid)/task/$(cat /run/supervise-lurecheck.pid)/children" | tr -d ' '; }

echo "== install"
$lurecheck service install --no-start | grep -v "^run     \(useradd\|adduser\|addgroup\)"
echo 'LURECHECK_LISTEN=127.0.0.1:8099' >>/etc/lurecheck/environment
sh -n /etc/init.d/lurecheck
rc-service -D -q lurecheck start
ready 127.0.0.1:8099
stat -c '%U:%G' "/proc/$(child)"
grep NoNewPrivs "/proc/$(child)/status" | tr '\t' ' '
stat -c '%a %U:%G %n' /var/lib/lurecheck /run/lurecheck /var/log/lurecheck.err
$lurecheck service status | sed -E 's/(process +)[0-9]+/\1…/; s/, [0-9.]+ MB//'
echo "== reload"
before=$(child)
rc-service -D -q lurecheck reload
[ "$before" = "$(child)" ] && ready 127.0.0.1:8099
echo "== killed"
kill -KILL "$before"
until [ "$(child)" != "$before" ] && [ -n "$(child)" ]; do sleep 0.1; done
ready 127.0.0.1:8099
echo "== stop"
rc-service -D -q lurecheck stop
set +e
$lurecheck service status; echo $?
echo "== wrong settings"
echo 'LURECHECK_RATE_LIMIT=many' >>/etc/lurecheck/environment
rc-service -D -q lurecheck start
until [ -s /var/log/lurecheck.err ]; do sleep 0.1; done
head -1 /var/log/lurecheck.err
rc-service -D -q lurecheck stop
echo "== purge"
$lurecheck service remove --purge | grep -v userdel
