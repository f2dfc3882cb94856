/** Contracts that customers pay, and addresses of contracts that must not be paid. */
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import { deployerKeypair, type TestContractState, walletAddress } from '../../sandbox/test-contracts.ts';
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import { toUnits } from '../support/ledger.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import { applyOperations, RICH_STROOPS } from './stage.ts';

export type Contracts = {
  /** The first transfer of an asset to one of them makes an entry, which costs more than later ones. */
  live: string[];
  /** An archived one, one that does not exist, and the contracts of these assets. */
  refused: string[];
};

const LIVE = 4;

/** As the sandbox deploys them (sandbox/test-contracts.ts): by data entries of one account. */
export function deployContracts(network: SimulatedNetwork, seed: string, issued: Asset): Contracts {
  const named = (name: string) => walletAddress(SANDBOX_PASSPHRASE, seededKeypair(`${seed}/${name}`, 0));
  const live = Array.from({ length: LIVE }, (_, index) => named(`contract ${index}`));
  const [archived, absent] = [named('archived contract'), named('absent contract')];
  const deployer = deployerKeypair(SANDBOX_PASSPHRASE);
  const deployed = (address: string, state: TestContractState) =>
    Operation.manageData({ name: address, value: state });
  applyOperations(network, network.root, [
    Operation.createAccount({
      destination: deployer.publicKey(),
      startingBalance: toUnits(RICH_STROOPS),
    }),
  ]);
  applyOperations(network, deployer, [
    ...live.map((address) => deployed(address, 'live')),
    deployed(archived, 'archived'),
  ]);
  const of_assets = [Asset.native(), issued].map((asset) => asset.contractId(SANDBOX_PASSPHRASE));
  return { live, refused: [archived, absent, ...of_assets] };
}
