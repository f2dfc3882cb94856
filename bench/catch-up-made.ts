/**
 * Ledgers as large as those of the public network, made by the sandbox. Their accounts are the same in every process: the
 * bench gives its wallets the accounts that the ledgers of its node pay.
 */
import { createHash } from 'node:crypto';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../sandbox/passphrase.ts';
import { ledgerCloseMetaXdr } from '../sandbox/rpc/ledger-close-meta.ts';
import { TestNetwork } from '../sandbox/testing/test-network.ts';

/** LedgerCloseMetas in XDR of one network. */
export type Templates = { name: string; passphrase: string; metas: Buffer[] };

const LEDGERS = 3;
const TRANSACTIONS = 230;
/** 650 operations. */
const OPERATIONS = [3, 3, 3, 3, 2, 3];
const ACCOUNTS_AT_ONCE = 46;
const BALANCE = '1000';

/** What all payments of the ledgers pay. */
export type PaidAsset = 'native' | 'issued';

export function madeLedgers(paid: PaidAsset = 'native'): Templates {
  const net = new TestNetwork();
  const payers = Array.from({ length: TRANSACTIONS }, (_, index) => payer(index));
  for (let first = 0; first < TRANSACTIONS; first += ACCOUNTS_AT_ONCE)
    net.applied(net.build(net.root, payers.slice(first, first + ACCOUNTS_AT_ONCE).map(created)));
  const asset = paid === 'native' ? Asset.native() : issuedTo(net, payers);
  const metas = Array.from({ length: LEDGERS }, () => {
    for (const [index, payer] of payers.entries()) {
      const destination = (payers[(index * 7 + 1) % 40] as Keypair).publicKey(); // some are paid more than others
      const payment = Operation.payment({ destination, asset, amount: '0.5' });
      const count = OPERATIONS[index % OPERATIONS.length];
      net.submit(
        net.build(
          payer,
          Array.from({ length: count ?? 1 }, () => payment),
          { fee: '1000' },
        ),
      );
    }
    const { ledgerSeq } = net.close().header;
    const { store } = net.network;
    const stored = store.ledger(ledgerSeq);
    if (!stored) throw new Error(`no ledger ${ledgerSeq}`);
    return ledgerCloseMetaXdr(stored, store.transactionsOf(ledgerSeq));
  });
  return { name: 'made by the sandbox', passphrase: SANDBOX_PASSPHRASE, metas };
}

/** So much of an issued asset as they have of the native one. */
function issuedTo(net: TestNetwork, holders: Keypair[]): Asset {
  const issuer = payer(TRANSACTIONS);
  net.applied(net.build(net.root, [created(issuer)]));
  const asset = new Asset('USDC', issuer.publicKey());
  for (const holder of holders) net.submit(net.build(holder, [Operation.changeTrust({ asset })]));
  net.close();
  for (let first = 0; first < holders.length; first += ACCOUNTS_AT_ONCE) {
    const some = holders.slice(first, first + ACCOUNTS_AT_ONCE);
    const pay = (key: Keypair) => Operation.payment({ destination: key.publicKey(), asset, amount: BALANCE });
    net.applied(net.build(issuer, some.map(pay)));
  }
  return asset;
}

function payer(index: number): Keypair {
  return Keypair.fromRawEd25519Seed(createHash('sha256').update(`payer ${index}`).digest());
}

function created(key: Keypair) {
  return Operation.createAccount({ destination: key.publicKey(), startingBalance: BALANCE });
}
