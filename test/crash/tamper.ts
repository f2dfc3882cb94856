/** Falsifications of true evidence, one at a time. */
import type { Evidence, Shown } from './evidence.ts';

export type Tampering = { name: string; evidence: Evidence };

export function tamperings(evidence: Evidence): Tampering[] {
  const tampering = (name: string, tamper: (copy: Evidence) => void): Tampering => {
    const copy = structuredClone(evidence);
    tamper(copy);
    return { name, evidence: copy };
  };
  return [
    tampering('a payment made twice', (copy) => {
      const { stellar_tx_hash } = rowWith(copy, (row) => row.status === 'confirmed');
      const paid = need(copy.ledger.transactions.find(({ hash }) => hash === stellar_tx_hash));
      copy.ledger.transactions.push({ ...paid, hash: 'f'.repeat(64) });
    }),
    tampering('a confirmed payment that is not on the ledger', (copy) => {
      const { stellar_tx_hash } = rowWith(copy, (row) => row.status === 'confirmed');
      copy.ledger.transactions = copy.ledger.transactions.filter(({ hash }) => hash !== stellar_tx_hash);
    }),
    tampering('a paid withdrawal called failed', (copy) => {
      rowWith(copy, (row) => row.status === 'confirmed').status = 'failed';
    }),
    tampering('a failed withdrawal called confirmed', (copy) => {
      rowWith(copy, (row) => row.status === 'failed').status = 'confirmed';
    }),
    tampering('a withdrawal that stays pending', (copy) => {
      rowWith(copy, () => true).status = 'pending';
    }),
    tampering('an outcome that changed after it was told', (copy) => {
      need(copy.said.find(({ data }) => data.status === 'confirmed')).data.status = 'failed';
    }),
    tampering('another transaction than the one that was signed', (copy) => {
      rowWith(copy, (row) => row.status === 'confirmed').inner_tx_hash = '0'.repeat(64);
    }),
    tampering('a fee that is a stroop off', (copy) => {
      const row = rowWith(copy, ({ fee_stroops }) => fee_stroops !== null);
      row.fee_stroops = (row.fee_stroops ?? 0n) + 1n;
    }),
    tampering('a lost deposit', (copy) => void walletWith(copy).deposits.pop()),
    tampering('a doubled deposit', (copy) => {
      const { deposits } = walletWith(copy);
      deposits.push(need(deposits[0]));
    }),
    tampering('a deposit that is a stroop off', (copy) => {
      need(walletWith(copy).deposits[0]).amount_stroops += 1n;
    }),
    tampering('an event that nobody acknowledged', (copy) => {
      const webhook_id = copy.receipts[0]?.webhook_id;
      copy.receipts = copy.receipts.filter((receipt) => receipt.webhook_id !== webhook_id);
    }),
    tampering('an event told with other bytes', (copy) => {
      need(copy.receipts[0]).body += ' ';
    }),
    tampering('a forged signature', (copy) => {
      need(copy.receipts[0]).signature = '0'.repeat(64);
    }),
    tampering('a ledger that was lost', (copy) => {
      copy.seen_by_payers.push('0'.repeat(64));
    }),
  ];
}

function rowWith({ wallets }: Evidence, fits: (row: Shown) => boolean): Shown {
  return need(wallets.flatMap(({ withdrawals }) => withdrawals).find(fits));
}

function walletWith({ wallets }: Evidence) {
  return need(wallets.find(({ deposits }) => deposits.length > 0));
}

function need<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the run was too short to have anything to tamper with');
  return found;
}
