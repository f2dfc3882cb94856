/** Who issues what in a simulation, who holds it from the start, and who exchanges it. */
import {
  Asset,
  AuthClawbackEnabledFlag,
  type AuthFlag,
  AuthRequiredFlag,
  AuthRevocableFlag,
  type Keypair,
  Operation,
} from '@stellar/stellar-sdk/base';
import { type ContractWallet, contractWallet } from '../../sandbox/testing/contract-wallet.ts';
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import { toUnits } from '../support/ledger.ts';
import type { Random } from '../support/random.ts';
import { transferFromAccount } from './asset-contracts.ts';
import { type Contracts, deployContracts } from './contracts.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import { applyContents, applyOperations, RICH_STROOPS } from './stage.ts';

/** An issued asset, and what its issuer can do with the trust lines of others. */
export type Issue = { asset: Asset; issuer: Keypair; power: 'none' | 'approves' | 'takes back' };

export type Market = {
  /** Strangers with money, the issuer of the second of `assets` first. */
  payers: Keypair[];
  /** Native and issued: what is exchanged for each other. */
  assets: readonly [Asset, Asset];
  /** Every issued asset. */
  issues: readonly Issue[];
  /** Of those, the one that is rarely paid: wallets add and remove it. */
  spare: Issue;
  /** Takes only a little of the exchanged asset. */
  narrow: Keypair;
  /** A stranger's wallet that is a contract. */
  contract: ContractWallet;
  contracts: Contracts;
};

const PAYERS = 8;
const PLENTY = '1000000';
const FLAGS = {
  none: 0,
  approves: AuthRequiredFlag | AuthRevocableFlag,
  'takes back': AuthRevocableFlag | AuthClawbackEnabledFlag,
};
/** Room for a few of the smallest payments. */
const NARROW_LIMIT = '5';

/** `wallets` have nothing issued; some of them get trust lines. `receivers`: the first has none. */
export function openMarket(world: {
  network: SimulatedNetwork;
  seed: string;
  random: Random;
  wallets: Keypair[];
  receivers: Keypair[];
}): Market {
  const { network, seed, random, wallets, receivers } = world;
  const key = (name: string) => seededKeypair(`${seed}/${name}`, 0);
  const [issuer, approver, taker, maker, narrow] = [
    key('issuer'),
    key('approver'),
    key('taker'),
    key('maker'),
    key('narrow'),
  ] as [Keypair, Keypair, Keypair, Keypair, Keypair];
  const others = Array.from({ length: PAYERS }, (_, index) => seededKeypair(`${seed}/payers`, index));
  const issueOf = (code: string, by: Keypair, power: Issue['power']): Issue => {
    return { asset: new Asset(code, by.publicKey()), issuer: by, power };
  };
  const usd = issueOf('USD', issuer, 'none');
  const spare = issueOf('EUR', issuer, 'none');
  // A code of the longer kind, and the same code of two issuers.
  const issues = [
    usd,
    issueOf('Regulated12', approver, 'approves'),
    issueOf('USD', taker, 'takes back'),
    spare,
  ];
  applyOperations(
    network,
    network.root,
    [issuer, approver, taker, maker, narrow, ...others].map((one) =>
      Operation.createAccount({ destination: one.publicKey(), startingBalance: toUnits(RICH_STROOPS) }),
    ),
  );
  for (const [from, power] of [[approver, 'approves'] as const, [taker, 'takes back'] as const])
    applyOperations(network, from, [Operation.setOptions({ setFlags: FLAGS[power] as AuthFlag })]);
  for (const issue of issues) {
    const trusting = wallets.filter((_, index) => issue !== spare && (index === 0 || random.chance(0.5)));
    const takers = issue === spare ? [] : receivers.slice(1);
    hold(network, issue, { rich: [maker, ...others], poor: [...takers, ...trusting] });
  }
  const limit = Operation.changeTrust({ asset: usd.asset, limit: NARROW_LIMIT });
  applyOperations(network, narrow, [limit]);
  // The trust line that its issuer does not approve.
  const [regulated] = issues.filter(({ power }) => power === 'approves');
  if (regulated) applyOperations(network, narrow, [Operation.changeTrust({ asset: regulated.asset })]);
  const contract = contractWallet(key('contract'));
  const contracts = deployContracts(network, seed, usd.asset);
  openExchange(network, maker, usd.asset);
  for (const [from, asset] of [[network.root, Asset.native()] as const, [issuer, usd.asset] as const])
    applyContents(
      network,
      from,
      transferFromAccount(from, { asset, to: contract.address, amount: RICH_STROOPS }),
    );
  return {
    payers: [issuer, ...others],
    assets: [Asset.native(), usd.asset],
    issues,
    spare,
    narrow,
    contract,
    contracts,
  };
}

/** Trust lines, approved where they must be, and plenty of the asset for the `rich`. */
function hold(
  network: SimulatedNetwork,
  { asset, issuer, power }: Issue,
  { rich, poor }: { rich: Keypair[]; poor: Keypair[] },
): void {
  const all = [...rich, ...poor];
  const approvals = all.map((key) =>
    Operation.setTrustLineFlags({ trustor: key.publicKey(), asset, flags: { authorized: true } }),
  );
  applyOperations(
    network,
    issuer,
    [
      ...all.map((key) => Operation.changeTrust({ asset, source: key.publicKey() })),
      ...(power === 'approves' ? approvals : []),
      ...rich.map((key) => Operation.payment({ destination: key.publicKey(), asset, amount: PLENTY })),
    ],
    [issuer, ...all],
  );
}

/** Not the same price both ways, and none that comes out even. */
function openExchange(network: SimulatedNetwork, maker: Keypair, usd: Asset): void {
  const native = Asset.native();
  applyOperations(network, maker, [
    Operation.manageSellOffer({ selling: native, buying: usd, amount: '400000', price: { n: 3, d: 7 } }),
    Operation.manageSellOffer({ selling: usd, buying: native, amount: '400000', price: { n: 5, d: 2 } }),
  ]);
}
