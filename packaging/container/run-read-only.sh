#!/usr/bin/env bash
# Second half of try-image.sh, in its own mount and process name spaces: what `docker run --read-only --cap-drop ALL
# --security-opt no-new-privileges --tmpfs /tmp` does. The argument is the folder of the image's file system.
set -euo pipefail
image=$1
tour=$(realpath "$(dirname "$0")/tour.mjs")
mount --bind "$image" "$image"
mount -t proc proc "$image/proc"
mount --rbind /dev "$image/dev"
mount -t tmpfs -o mode=1777 tmpfs "$image/tmp"
mount -t tmpfs -o mode=0700,uid=10001,gid=10001 tmpfs "$image/data"
mount -o remount,bind,ro "$image"

# Everything of the image's configuration that the start depends on.
in_image() {
  env -i PATH=/usr/bin:/bin DATA_DIR=/data HOST=0.0.0.0 PORT=3950 METRICS_PORT=9950 SANDBOX_PORT=8950 chroot "$image" \
    setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all "$@"
}
! in_image /bin/sh -c 'echo x > /app/x' 2>/dev/null
! in_image /bin/sh -c 'echo x > /var/tmp/x' 2>/dev/null

in_image /app/node /app/bin/teller.js serve >"$image/tmp/log" &
service=$!
for _ in $(seq 120); do
  in_image /app/node -e 'await fetch("http://127.0.0.1:9950/readyz").then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))' && break
  kill -0 "$service" || { cat "$image/tmp/log"; exit 1; }
  sleep 0.5
done
in_image /usr/bin/env METRICS_PORT=9950 /app/node /app/bin/health.js && echo 'The health check passes.'
ps -o pid,uid,args --ppid "$$" | cut -c1-150
cp "$tour" "$image/tmp/tour.mjs"
in_image /app/node /tmp/tour.mjs
kill -TERM "$service"
wait "$service" && echo 'The service stopped with exit code 0.'
