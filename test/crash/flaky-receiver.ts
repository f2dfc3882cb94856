import { startReceiver } from '../support/receiver.ts';
import type { Receipt } from './evidence.ts';

/** A receiver of webhooks that keeps a receipt of each. */
export type FlakyReceiver = { url: string; receipts: Receipt[]; calmDown(): void; close(): Promise<void> };

/** Most of the time 200, sometimes 500, and now and then no answer at all. */
export async function startFlakyReceiver(random: () => number): Promise<FlakyReceiver> {
  const receipts: Receipt[] = [];
  const held: (() => void)[] = [];
  let calm = false;
  const receiver = await startReceiver((response, { path, headers, body }) => {
    const draw = calm ? 1 : random();
    const answered = draw < 0.02 ? null : draw < 0.15 ? 500 : 200;
    receipts.push({
      url: `${receiver.url}${path}`,
      body: body.toString(),
      signature: `${headers['x-svc-signature']}`,
      webhook_id: `${headers['webhook-id']}`,
      answered,
    });
    if (answered !== null) response.writeHead(answered).end();
    else held.push(() => response.writeHead(500).end());
  });
  return {
    url: receiver.url,
    receipts,
    calmDown() {
      calm = true;
      for (const release of held.splice(0)) release();
    },
    close: receiver.close,
  };
}
