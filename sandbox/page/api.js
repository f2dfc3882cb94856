/** An error answer of the network, with a message for people. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export function get(path) {
  return request(`/explorer${path}`, {});
}

export function post(path, body) {
  return postJson(`/explorer${path}`, body);
}

/** Lets the issuer of a test asset do something: `pay`, `authorize`, `revoke` or `claw-back`. */
export function order(action, body) {
  return postJson(`/test-assets/${action}`, body);
}

function postJson(path, body) {
  const headers = { 'content-type': 'application/json' };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function request(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new Refused('no_answer', 'The network does not answer. Is it still running?');
  });
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Refused(
    answer?.error?.code ?? String(response.status),
    answer?.error?.message ?? 'The answer of the network could not be read.',
  );
}

/**
 * Calls `onLedger` with the newest ledger, at most once a frame, and `onState` with `live` or `lost`. The browser
 * connects again by itself.
 * @param {{onLedger: (ledger: {sequence: number, transaction_count: number}) => void, onState: (state: string) => void}} listener
 */
export function listen({ onLedger, onState }) {
  const events = new EventSource('/live');
  events.addEventListener('open', () => onState('live'));
  events.addEventListener('error', () => onState('lost'));
  let newest = null;
  events.addEventListener('ledger', ({ data }) => {
    if (newest === null) requestAnimationFrame(deliver);
    newest = JSON.parse(data);
  });
  function deliver() {
    const ledger = newest;
    newest = null;
    onLedger(ledger);
  }
}

/** Runs one call of `work` at a time. All calls during a run lead to one more run. */
export function oneAtATime(work) {
  let running = false;
  let again = false;
  return async function run() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      await work();
    } finally {
      running = false;
    }
    if (again) {
      again = false;
      await run();
    }
  };
}
