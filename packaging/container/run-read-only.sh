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

# An array, not a function: the process in the background must be the service itself, and no shell around it.
in_image=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DATA_DIR=/data HOST=0.0.0.0 PORT=3950 METRICS_PORT=9950
  SANDBOX_PORT=8950 chroot "$image" setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all)
for file in /app/x /etc/x /var/tmp/x; do
  if "${in_image[@]}" /bin/sh -c "echo x > $file" 2>/dev/null; then
    echo "The service can write $file."
    exit 1
  fi
done

"${in_image[@]}" /app/node /app/bin/teller.js serve >"$image/tmp/log" 2>&1 &
service=$!
for _ in $(seq 120); do
  "${in_image[@]}" /app/node /app/bin/health.js && break
  kill -0 "$service" 2>/dev/null || { cat "$image/tmp/log"; exit 1; }
  sleep 0.5
done
"${in_image[@]}" /app/node /app/bin/health.js
echo 'The health check passes.'
# The launcher has replaced itself: the process that was started is the service, as its user and without capabilities.
tr '\0' ' ' <"$image/proc/$service/cmdline" | grep 'src/main.js serve'
grep -E '^(Uid|NoNewPrivs|CapEff|CapBnd):' "$image/proc/$service/status"
cp "$tour" "$image/tmp/tour.mjs"
"${in_image[@]}" /app/node /tmp/tour.mjs
kill -TERM "$service"
wait "$service"
echo 'The service stopped with exit code 0.'
