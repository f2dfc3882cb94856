/** Transfers through the contract of an asset: from accounts, and from wallets that are contracts themselves. */
import { Address, type Asset, authorizeEntry, type Keypair, Operation, xdr } from '@stellar/stellar-sdk/base';
import { sha256 } from '../../sandbox/ledger/bytes.ts';
import { VOID } from '../../sandbox/ledger/sc-val.ts';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import {
  type ContractWallet,
  type Transfer,
  transferOperation,
  walletSignature,
} from '../../sandbox/testing/contract-wallet.ts';
import { authorizationOfSource, footprintOf, nonceKey } from '../../sandbox/testing/declared-transfer.ts';
import type { Contents } from './simulated-network.ts';

export type ContractPayment = { asset: Asset; to: string; amount: bigint };

/** Ledgers for which a signed authorization is good. */
const VALID_LEDGERS = 100;
const RESOURCES = { instructions: 5_000_000, disk_read_bytes: 5_000, write_bytes: 5_000 };
const RESOURCE_FEE_STROOPS = 10_000_000n;

/** To be sent by the account itself. */
export function transferFromAccount(from: Keypair, payment: ContractPayment): Contents {
  const transfer = { ...payment, from: from.publicKey() };
  return contentsOf(transfer, authorizationOfSource(transferOperation(transfer)), []);
}

/** To be sent by anybody. */
export async function transferFromContract(
  wallet: ContractWallet,
  payment: ContractPayment,
  at: { ledger: number; nonce: bigint },
): Promise<Contents> {
  const transfer = { ...payment, from: wallet.address };
  const bare = authorizationOfSource(transferOperation(transfer)).toXdrObject();
  const address = new Address(wallet.address).toScAddress().toXdrObject();
  const credentials: xdr.SorobanCredentialsWire = {
    type: 1,
    address: { address, nonce: at.nonce, signatureExpirationLedger: 0, signature: VOID },
  };
  const signed = await authorizeEntry(
    xdr.SorobanAuthorizationEntry.fromXdrObject({ ...bare, credentials }),
    async (_preimage, payload) => ({ signatureScVal: walletSignature(wallet, payload) }),
    at.ledger + VALID_LEDGERS,
    SANDBOX_PASSPHRASE,
  );
  return contentsOf(transfer, signed, nonceKey(signed));
}

function contentsOf(transfer: Transfer, auth: xdr.SorobanAuthorizationEntry, nonces: string[]): Contents {
  const { body } = transferOperation(transfer).toXdrObject();
  if (body.type !== 24) throw new Error('not a call');
  const func = xdr.HostFunction.fromXdrObject(body.invokeHostFunctionOp.hostFunction);
  const { readOnly, readWrite } = footprintOf(transfer);
  return {
    operations: [Operation.invokeHostFunction({ func, auth: [auth] })],
    contract: {
      read_only: readOnly,
      read_write: [...readWrite, ...nonces],
      ...RESOURCES,
      resource_fee_stroops: RESOURCE_FEE_STROOPS,
    },
  };
}

/** The same for the same seed. */
export function seededNonce(seed: string): bigint {
  return sha256(Buffer.from(seed)).readBigInt64BE();
}
