/** What a load knows of itself while it runs, and what clients have heard. */
import type { Asset, Keypair } from '@stellar/stellar-sdk/base';
import type { ReturnedAddress } from '../oracle/deposit-evidence.ts';
import type { AssetCall, Call } from '../oracle/evidence.ts';
import type { EndpointCall } from '../oracle/webhook-evidence.ts';
import type { Random } from '../support/random.ts';
import type { ClientEvidence } from './evidence.ts';
import type { UnreliableService } from './killable-service.ts';
import type { Target } from './payers.ts';

export type Journal = Pick<ClientEvidence, 'answers' | 'seen_by_payers'> & {
  token: string;
  /** Every order once without an answer, for the calls whose answers were lost, and every answer. */
  calls: Call[];
  returned_addresses: ReturnedAddress[];
  endpoint_calls: EndpointCall[];
  asset_calls: AssetCall[];
  /** What wallets may hold besides the native asset, as CODE:ISSUER. */
  assets: string[];
  /** Signing secrets by webhook URL. */
  secrets: Map<string, string>;
  /** Answers that no client should ever get. */
  unexpected: string[];
};

export type CrashAssets = {
  issuer: Keypair;
  /** Wallets have it all the time, are paid it and pay it. */
  held: Asset;
  /** Nobody pays it: wallets add and remove it. */
  spare: Asset;
  /** C… that wallets pay the native asset to. */
  contracts: string[];
};

export type Place = { id: string; account: string };
export type LoadState = {
  service: UnreliableService;
  random: Random;
  journal: Journal;
  plan: Plan;
  targets: Target[];
  sink: string;
  /** Null where no assets are used. */
  assets: CrashAssets | null;
  /** Addresses of wallets that have a trust line. */
  asset_targets: Target[];
  stopping: () => boolean;
};

/** `orders_at_once` of each wallet. `native_only`: no trust lines, and no issued assets. */
export type Plan = { hook_url: string; orders_at_once: number; native_only?: boolean };
