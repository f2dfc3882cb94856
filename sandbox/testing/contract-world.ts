import type { FeeBumpTransaction, Keypair, Transaction, xdr } from '@stellar/stellar-sdk/base';
import { Asset, Operation, StrKey, scValToNative } from '@stellar/stellar-sdk/base';
import { Api, type Server } from '@stellar/stellar-sdk/rpc';
import type { Sandbox, SandboxOptions } from '../launch.ts';
import { rootKeypair } from '../ledger/genesis.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import type { ContractWallet, Transfer } from './contract-wallet.ts';
import { contractWallet, prepareTransfer } from './contract-wallet.ts';
import { type Ending, fund, sandboxFor, signed } from './rpc-client.ts';

type AnyTransaction = Transaction | FeeBumpTransaction;

/** Result of a transaction, in the terms of the SDK. */
export type Applied = {
  /** `success`, `invokeHostFunctionTrapped`, or another result of the only operation. */
  outcome: string;
  /** Topics and data of the operation's events, as plain values. */
  events: { topics: unknown[]; data: unknown }[];
  feeCharged: bigint;
  /** Why the host stopped: the detail in the diagnostic event. */
  error: string | undefined;
  ledger: number;
  meta: xdr.TransactionMetaV4;
};

/** A sandbox over RPC with an issuer of USD, two accounts that trust it, and a wallet that is a contract. */
export class ContractWorld {
  readonly sandbox: Sandbox;
  readonly server: Server;
  readonly issuer: Keypair;
  readonly alice: Keypair;
  readonly bob: Keypair;
  readonly usd: Asset;
  readonly wallet: ContractWallet;

  private constructor(sandbox: Sandbox, server: Server, keys: Keypair[]) {
    this.sandbox = sandbox;
    this.server = server;
    [this.issuer, this.alice, this.bob] = keys as [Keypair, Keypair, Keypair];
    this.usd = new Asset('USD', this.issuer.publicKey());
    this.wallet = contractWallet(this.alice);
  }

  /** Alice has 100 USD, Bob none. */
  static async start(t: Ending, options: Partial<SandboxOptions> = {}): Promise<ContractWorld> {
    const { sandbox, server } = await sandboxFor(t, options);
    const world = new ContractWorld(sandbox, server, await fund(sandbox, 3));
    const { issuer, alice, bob, usd } = world;
    const trust = Operation.changeTrust({ asset: usd, limit: '1000' });
    await world.classic(alice, trust);
    await world.classic(bob, trust);
    await world.classic(
      issuer,
      Operation.payment({ destination: alice.publicKey(), asset: usd, amount: '100' }),
    );
    return world;
  }

  async classic(source: Keypair, operation: xdr.Operation): Promise<void> {
    await this.sent(await signed(this.server, source, [operation]));
    this.sandbox.closeLedger();
  }

  /** Prepares by simulation, signs with `source`, submits, and closes a ledger. */
  async transfer(source: Keypair, transfer: Transfer): Promise<Applied> {
    const transaction = await prepareTransfer(this.server, source, transfer);
    transaction.sign(source);
    return await this.applied(transaction);
  }

  async applied(transaction: AnyTransaction): Promise<Applied> {
    await this.sent(transaction);
    this.sandbox.closeLedger();
    const found = await this.server.getTransaction(Buffer.from(transaction.hash()).toString('hex'));
    if (found.status === Api.GetTransactionStatus.NOT_FOUND) throw new Error('not in the ledger');
    if (found.resultMetaXdr.type !== 'v4') throw new Error('not the meta of this protocol');
    const meta = found.resultMetaXdr.value;
    return {
      outcome: outcomeOf(found.resultXdr),
      events: (found.events.contractEventsXdr[0] ?? []).map(plain),
      feeCharged: found.resultXdr.feeCharged,
      error: found.diagnosticEventsXdr?.map(({ event }) => String(plain(event).data))[0],
      ledger: found.ledger,
      meta,
    };
  }

  /** @throws when the transaction is refused, with the name of the result */
  async sent(transaction: AnyTransaction): Promise<void> {
    const answer = await this.server.sendTransaction(transaction);
    if (answer.status !== 'PENDING') throw new Error(answer.errorResult?.result.type ?? answer.status);
  }

  /** Balance of an account or a contract, in stroops. */
  async balance(holder: string, asset = Asset.native()): Promise<bigint> {
    if (StrKey.isValidContract(holder)) {
      const { balanceEntry } = await this.server.getSACBalance(holder, asset, SANDBOX_PASSPHRASE);
      return BigInt(balanceEntry?.amount ?? 0);
    }
    if (asset.isNative()) return (await this.server.getAccountEntry(holder)).balance;
    return (await this.server.getTrustline(holder, asset)).balance;
  }

  /** Total of the native asset, in stroops. */
  async coins(): Promise<bigint> {
    const keys = [rootKeypair(SANDBOX_PASSPHRASE), this.issuer, this.alice, this.bob];
    const holders = [...keys.map((key) => key.publicKey()), this.wallet.address];
    const balances = await Promise.all(holders.map((holder) => this.balance(holder)));
    const { headerXdr } = await this.server.getLatestLedger();
    return balances.reduce((sum, balance) => sum + balance, headerXdr.feePool);
  }
}

function outcomeOf({ result }: xdr.TransactionResult): string {
  const inner = result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed';
  const own = inner ? result.innerResultPair.result.result : result;
  if (own.type === 'txSuccess') return 'success';
  const [operation] = own.type === 'txFailed' ? own.results : [];
  return operation?.type === 'opInner' ? operation.tr.value.type : own.type;
}

function plain({ body }: xdr.ContractEvent): { topics: unknown[]; data: unknown } {
  const { topics, data } = body.value;
  return { topics: topics.map((topic) => scValToNative(topic)), data: scValToNative(data) };
}
