// HEALTHCHECK of the image: exit code 0 while the process answers. The image has no curl.
const url = `http://127.0.0.1:${process.env.METRICS_PORT}/healthz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
