/**
 * Why a contract refuses a transfer. The ledger has `op_trapped` for every reason, so words come from reads of our own. They
 * explain, and decide nothing: the ledger may have been different when the transaction was applied.
 */
import type { Deps } from '../../deps.ts';
import { transferInEnvelope } from '../../stellar/contracts/proven-transfer.ts';
import {
  type AccountState,
  type ContractState,
  type ContractTransfer,
  lineKey,
  type TrustLine,
} from '../../stellar/stellar.ts';
import { failureMessage } from '../../stellar/transactions/result-codes.ts';
import type { Outcome, Withdrawal } from '../engine/store.ts';

/** Both sides of a transfer as the ledger shows them. */
export type TransferSides = {
  own: AccountState | null;
  /** Null for the native asset too. */
  own_line: TrustLine | null;
  /** Whether the issuer must authorize each holder of the asset. */
  auth_required: boolean;
  /** Null when no source reads contracts. */
  state: ContractState | null;
  /** The network's protocol. */
  protocol_version: number;
};

/** @throws NetworkUnavailable */
export async function readTransferSides(
  { stellar }: Pick<Deps, 'stellar'>,
  { asset, from, to }: ContractTransfer,
): Promise<TransferSides> {
  const names = asset ? [{ account: from, asset }] : [];
  const [{ accounts, lines, latest }, state] = await Promise.all([
    stellar.readAccounts(asset ? [from, asset.issuer] : [from], names),
    stellar.readsContracts ? stellar.readContract(to, asset) : null,
  ]);
  const [own_line = null] = names.map((name) => lines.get(lineKey(name)) ?? null);
  const auth_required = asset !== null && (accounts.get(asset.issuer)?.flags.auth_required ?? false);
  const { protocol_version } = latest;
  return { own: accounts.get(from) ?? null, own_line, auth_required, state, protocol_version };
}

/** Pure: returns the reason to refuse the transfer that the ledger shows; null when it shows no reason. */
export function reasonToRefuse(
  { asset, amount_stroops }: ContractTransfer,
  { own, own_line, auth_required, state }: TransferSides,
): string | null {
  if (state?.balance ? !state.balance.authorized : auth_required) return failureMessage('op_not_authorized');
  if (asset && !own_line) return failureMessage('op_src_no_trust');
  if (own_line && own_line.authorization !== 'full') return failureMessage('op_src_not_authorized');
  const free = own_line
    ? own_line.balance_stroops - own_line.selling_liabilities_stroops
    : (own?.spendable_stroops ?? 0n);
  return free < amount_stroops ? failureMessage('op_underfunded', asset?.issuer) : null;
}

const TRAPPED = 'op_trapped';

/** Returns the same outcomes, with words for the contract transfers that were refused. `rows`: their withdrawals, by id. */
export async function explainTrapped(
  deps: Pick<Deps, 'stellar' | 'config' | 'log'>,
  outcomes: Outcome[],
  rows: Map<string, Withdrawal>,
): Promise<Outcome[]> {
  return Promise.all(
    outcomes.map(async (outcome) => {
      const { envelope_xdr } = rows.get(outcome.id) ?? {};
      if (outcome.failure?.code !== TRAPPED || !envelope_xdr) return outcome;
      const reason = await reasonNow(deps, { id: outcome.id, envelope_xdr });
      if (reason === null) return outcome;
      const message = `The contract refused the transfer, and does not say why. What the ledger shows now: ${reason}`;
      return { ...outcome, failure: { code: TRAPPED, message } };
    }),
  );
}

async function reasonNow(
  deps: Pick<Deps, 'stellar' | 'config' | 'log'>,
  { id, envelope_xdr }: { id: string; envelope_xdr: string },
): Promise<string | null> {
  const transfer = transferInEnvelope(deps.config.passphrase, envelope_xdr);
  if (!transfer) return null;
  try {
    return reasonToRefuse(transfer, await readTransferSides(deps, transfer));
  } catch (error) {
    // Whatever it is: the outcome is proven without its reason, and must be recorded.
    deps.log.warn(
      { err: error, withdrawal_id: id },
      'the reason why a contract refused a transfer could not be read',
    );
    return null;
  }
}
