import { type Receipt, receiptOf } from '../oracle/receipt.ts';
import { startReceiver } from '../support/receiver.ts';

/** A receiver of webhooks that keeps a receipt of each. */
export type FlakyReceiver = { url: string; receipts: Receipt[]; calmDown(): void; close(): Promise<void> };

/** Most of the time 200, sometimes 500, and now and then no answer until it is calm. */
export async function startFlakyReceiver(random: () => number): Promise<FlakyReceiver> {
  const receipts: Receipt[] = [];
  const held: (() => void)[] = [];
  let calm = false;
  const receiver = await startReceiver((response, request) => {
    const receipt = receiptOf(receiver.url, request);
    receipts.push(receipt);
    const answer = (status: number) => {
      receipt.answered = status;
      response.writeHead(status).end();
    };
    const draw = calm ? 1 : random();
    if (draw < 0.02) held.push(() => answer(500));
    else answer(draw < 0.15 ? 500 : 200);
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
