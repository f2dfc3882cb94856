import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, type xdr } from '@stellar/stellar-sdk/base';
import { addSponsorship, newAccount, withLiabilities } from '../ledger/account.ts';
import { encodeHeader } from '../ledger/close.ts';
import { keyOf, publicKey } from '../ledger/entry.ts';
import { genesis } from '../ledger/genesis.ts';
import { StellarNode } from '../node.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { LedgerStore } from '../store/ledger-store.ts';
import { TestNetwork } from '../testing/test-network.ts';
import { accountRecord } from './account-record.ts';
import { Links } from './links.ts';

const [owner, issuer, sponsor, cosigner] = [1, 2, 3, 4].map((seed) =>
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, seed)),
) as [Keypair, Keypair, Keypair, Keypair];

/** A node whose first ledger has these entries, with `sponsor` paying all reserves. */
function nodeWith(entries: xdr.LedgerEntryDataWire[]): StellarNode {
  const { header } = genesis(SANDBOX_PASSPHRASE);
  const store = new LedgerStore(null, SANDBOX_PASSPHRASE);
  const sponsoringId = publicKey(sponsor.rawPublicKey());
  const changes = entries.map((data) => {
    const ext = { v: 1, v1: { sponsoringId, ext: { v: 0 } } } as const;
    const after = { lastModifiedLedgerSeq: 1, data, ext };
    return { key: keyOf(after), before: undefined, after };
  });
  store.begin(header, encodeHeader(header), Buffer.alloc(32), changes);
  return new StellarNode(new TestNetwork({ store }).network);
}

function trustLine(code: string, flags: number): xdr.LedgerEntryDataWire {
  const assetCode = Buffer.alloc(4);
  assetCode.write(code);
  const trustLine = {
    accountId: publicKey(owner.rawPublicKey()),
    asset: { type: 1, alphaNum4: { assetCode, issuer: publicKey(issuer.rawPublicKey()) } },
    balance: 15_000_000n,
    limit: 100_000_000n,
    flags,
    ext: { v: 1, v1: { liabilities: { buying: 1n, selling: 2n }, ext: { v: 0 } } },
  } satisfies xdr.TrustLineEntryWire;
  return { type: 1, trustLine };
}

test('an account that others pay for is shown with its sponsors, counts, liabilities and lines in order', () => {
  const { header } = genesis(SANDBOX_PASSPHRASE);
  const bare = { ...newAccount(owner.rawPublicKey(), header), balance: 70_000_000n, flags: 10 };
  const signer = { key: { type: 0, ed25519: cosigner.rawPublicKey() } as const, weight: 3 };
  const account = addSponsorship(
    withLiabilities({ ...bare, signers: [signer] }, { buying: 3n, selling: 4n }),
    {
      sponsoring: 1,
      sponsored: 5,
    },
  );
  assert.ok(account.ext.v === 1 && account.ext.v1.ext.v === 2);
  account.ext.v1.ext.v2.signerSponsoringIDs[0] = publicKey(sponsor.rawPublicKey());
  const node = nodeWith([
    { type: 0, account },
    trustLine('ZZZ', 1),
    trustLine('AAA', 2 | 4),
    trustLine('MMM', 0),
  ]);

  const record = accountRecord(node, owner.rawPublicKey(), new Links('http://localhost'));
  assert.ok(record);
  const paid = { sponsor: sponsor.publicKey() };
  assert.deepEqual([record.num_sponsoring, record.num_sponsored], [1, 5]);
  assert.equal((record as { sponsor?: string }).sponsor, sponsor.publicKey());
  assert.deepEqual(record.flags, {
    auth_required: false,
    auth_revocable: true,
    auth_immutable: false,
    auth_clawback_enabled: true,
  });
  assert.deepEqual(record.signers, [
    { weight: 3, key: cosigner.publicKey(), type: 'ed25519_public_key', ...paid },
    { weight: 1, key: owner.publicKey(), type: 'ed25519_public_key' },
  ]);
  const line = (asset_code: string, flags: Record<string, boolean>) => ({
    balance: '1.5000000',
    limit: '10.0000000',
    buying_liabilities: '0.0000001',
    selling_liabilities: '0.0000002',
    ...paid,
    last_modified_ledger: 1,
    ...flags,
    asset_type: 'credit_alphanum4',
    asset_code,
    asset_issuer: issuer.publicKey(),
  });
  const maintain = 'is_authorized_to_maintain_liabilities';
  assert.deepEqual(record.balances, [
    line('AAA', { is_authorized: false, [maintain]: true, is_clawback_enabled: true }),
    line('MMM', { is_authorized: false, [maintain]: false }),
    line('ZZZ', { is_authorized: true, [maintain]: true }),
    {
      balance: '7.0000000',
      asset_type: 'native',
      buying_liabilities: '0.0000003',
      selling_liabilities: '0.0000004',
    },
  ]);
});

test('tells when it was last changed only while that ledger is in history', () => {
  const { header } = genesis(SANDBOX_PASSPHRASE);
  const account = newAccount(owner.rawPublicKey(), header);
  const record = accountRecord(nodeWith([{ type: 0, account }]), owner.rawPublicKey(), new Links(''));
  assert.deepEqual([record?.last_modified_ledger, record?.last_modified_time], [1, '1970-01-01T00:00:00Z']);
  const network = new TestNetwork({ retention_ledgers: 2 });
  for (let ledger = 0; ledger < 3; ledger++) network.close();
  const root = accountRecord(new StellarNode(network.network), network.root.rawPublicKey(), new Links(''));
  assert.deepEqual([root?.last_modified_ledger, root?.last_modified_time], [1, null]);
});
