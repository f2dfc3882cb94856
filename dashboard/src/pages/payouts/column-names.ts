/** Pure: what columns of a file are called by us, and by people. */
import type { PayoutColumn } from '../../api/contract.ts';

type Column = NonNullable<PayoutColumn['column']>;

export const COLUMN_WORDS: Record<Column, string> = {
  destination: 'Payee (address)',
  payee: 'Payee (name or address)',
  amount: 'Amount',
  reference: 'Name',
  idempotency_key: 'Key',
  memo_id: 'Memo id',
  asset_code: 'Asset code',
  asset_issuer: 'Asset issuer',
  amount_stroops: 'Amount in stroops',
};

/** Only proposed: the reader confirms all of them, and sees an example of each. */
const NAMES: Record<Column, string[]> = {
  destination: ['address', 'account', 'wallet', 'adresse', 'konto'],
  payee: ['recipient', 'to', 'empfänger', 'bénéficiaire', 'beneficiario', 'beneficiário'],
  amount: ['sum', 'value', 'betrag', 'summe', 'montant', 'importe', 'importo', 'valor'],
  reference: ['name', 'description', 'text', 'bezeichnung', 'nom', 'nombre', 'nome'],
  idempotency_key: ['key', 'id', 'schlüssel'],
  memo_id: ['memo'],
  asset_code: ['asset', 'currency', 'währung', 'devise', 'moneda'],
  asset_issuer: ['issuer'],
  amount_stroops: ['stroops'],
};

/** The column that a header seems to be; null when it seems none, or one that another header is already. */
export function proposedColumn(header: string, taken: readonly (Column | null)[]): Column | null {
  const plain = header
    .trim()
    .toLowerCase()
    .replaceAll(/[ _-]+/g, '_');
  const found = (Object.keys(NAMES) as Column[]).find(
    (each) => each === plain || NAMES[each].includes(plain),
  );
  return found === undefined || taken.includes(found) ? null : found;
}
