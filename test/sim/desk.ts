/** What everybody who asks the service for something has in common, and what they were told. */
import type { Asset } from '@stellar/stellar-sdk/base';
import type { Actor } from '../../src/audit/audit.ts';
import type { ReturnedAddress } from '../oracle/deposit-evidence.ts';
import type { AssetCall, Call, DecisionCall, InboxCall, WalletLimits } from '../oracle/evidence.ts';
import type { PayoutCall, PayoutUpload } from '../oracle/payout-evidence.ts';
import type { EndpointCall, ReturnedEndpoint } from '../oracle/webhook-evidence.ts';
import type { Random } from '../support/random.ts';
import type { SimulatedAccounts, SimulatedWallet } from './accounts.ts';
import type { SimProcess } from './process.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import type { HeldLine } from './simulated-network.ts';

export type Desk = {
  scheduler: Scheduler;
  world: Owner;
  random: Random;
  accounts: SimulatedAccounts;
  seed: string;
  calls: Call[];
  /** Deposit addresses that companies were told of. */
  addresses: ReturnedAddress[];
  /** What was asked about deposits of no address. */
  inbox: InboxCall[];
  /** Webhook endpoints that companies were told of, and what they asked for. */
  endpoints: ReturnedEndpoint[];
  endpoint_calls: EndpointCall[];
  /** Of wallets. */
  limits: WalletLimits[];
  /** What members said about withdrawals that await approvals. */
  decisions: DecisionCall[];
  /** Files that people uploaded, and what was asked of payouts. */
  payout_uploads: PayoutUpload[];
  payout_calls: PayoutCall[];
  /** Wallets whose policies ask for approvals at first. */
  approving: SimulatedWallet[];
  /** Returns the actor that the service takes this one for: another one only where the service breaks a rule. */
  seenAs: (actor: Actor) => Actor;
  /** What was asked about trust lines. */
  asset_calls: AssetCall[];
  /** The trust line that an account has just now. */
  lineOf(account: string, asset: Asset): HeldLine | undefined;
  /** A process that runs just now, if any. */
  process(): SimProcess | undefined;
  /** No new orders. */
  closing: boolean;
  /** The number of the next order. */
  serial: number;
};
