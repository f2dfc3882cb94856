/** Falsifications of what channels paid, one at a time: each must be found out. They need a run in which channels pay their fees. */
import type { Evidence } from './evidence.ts';
import { type Choice, need, type Tampering, tamperingsOf } from './withdrawal-tamper.ts';

export function channelTamperings<E extends Evidence>(
  evidence: E,
  isChosen?: Choice,
): Iterable<Tampering<E>> {
  return tamperingsOf(evidence, CHANNELS, isChosen);
}

const CHANNELS: { name: string; tamper: (copy: Evidence) => unknown }[] = [
  {
    name: 'a fee of a channel that is called the wallet’s',
    tamper: (copy) => (byChannel(copy).fee_paid_by = 'wallet'),
  },
  {
    name: 'a fee of a channel that is called the treasury’s',
    tamper: (copy) => (byChannel(copy).fee_paid_by = 'treasury'),
  },
  {
    name: 'a fee of a channel in the books of the wallet',
    tamper: (copy) => {
      const row = byChannel(copy);
      row.fee_stroops = row.fee_charged_stroops;
    },
  },
  {
    name: 'a fee that a channel paid where channels pay none',
    tamper: (copy) => {
      byChannel(copy);
      need(copy.treasury).channel_stroops = null;
    },
  },
  {
    name: 'a channel that got more than a channel holds',
    tamper: (copy) => (need(fillingOf(copy).payments[0]).amount_stroops *= 11n),
  },
  {
    name: 'a channel that was filled twice',
    tamper: (copy) => {
      const made = fillingOf(copy);
      copy.transactions.splice(copy.transactions.indexOf(made) + 1, 0, { ...made, hash: 'f'.repeat(64) });
    },
  },
  {
    name: 'a filling of what is no channel',
    tamper: (copy) => (need(fillingOf(copy).payments[0]).destination = 'GAAA'),
  },
];

function byChannel({ rows }: Evidence) {
  return need(rows.find(({ fee_paid_by, status }) => fee_paid_by === 'channel' && status === 'confirmed'));
}

function fillingOf({ transactions, treasury, channels, foreign }: Evidence) {
  return need(
    transactions.find(
      ({ source, hash, payments }) =>
        source === treasury?.account &&
        !foreign.includes(hash) &&
        payments.some(({ creates, destination }) => !creates && channels.includes(destination)),
    ),
  );
}

/** Of all falsifications here. */
export const NAMES = CHANNELS.map(({ name }) => name);
