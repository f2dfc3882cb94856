/** Lies by wallet, so that many can be told at the same time: what is said of a transaction depends on whose it is. */
import { xdr } from '@stellar/stellar-sdk/base';
import type { RpcCall, Treatment } from '../support/rpc-proxy.ts';
import { type ControlledService, parse, type Wallet } from './controlled-service.ts';

export type FalseAnswers = {
  aboutSubmissions(to: Wallet, treatment: Treatment): void;
  /** Sets the answer to look-ups by hash. */
  aboutOutcomes(to: Wallet, treatment: Treatment): void;
  honest(to: Wallet): void;
};

export type Refusal = 'txBadSeq' | 'txTooLate' | 'txInsufficientBalance' | 'txInsufficientFee';

/** What a node would charge at least, if it says that the fee is too low. */
const FEE_WANTED = 5_000n;

const passOn: Treatment = async (call) => call.reply(await call.forward());

export function createFalseAnswers(stage: ControlledService): FalseAnswers {
  const submissions = new Map<string, Treatment>();
  const outcomes = new Map<string, Treatment>();
  const accounts = new Map<string, string>();
  stage.proxy.treat('sendTransaction', (call) => {
    const { source, inner_hash } = parse(call.params.transaction, stage);
    accounts.set(inner_hash, source);
    return (submissions.get(source) ?? passOn)(call);
  });
  stage.proxy.treat('getTransaction', (call) =>
    (outcomes.get(accounts.get(call.params.hash) ?? '') ?? passOn)(call),
  );
  return {
    aboutSubmissions: ({ account }, treatment) => void submissions.set(account, treatment),
    aboutOutcomes: ({ account }, treatment) => void outcomes.set(account, treatment),
    honest({ account }) {
      submissions.delete(account);
      outcomes.delete(account);
    },
  };
}

/** An answer to a submission in the network's form, about the transaction of this hash. */
export function sayOfSubmission(call: RpcCall, hash: string, status: string, refusal?: Refusal): void {
  const answer = { status, hash, latestLedger: 1, latestLedgerCloseTime: '1' };
  call.result(refusal ? { ...answer, errorResultXdr: refusalXdr(refusal) } : answer);
}

function refusalXdr(refusal: Refusal): string {
  const result = xdr.TransactionResultResult[refusal]();
  const feeCharged = refusal === 'txInsufficientFee' ? FEE_WANTED : 0n;
  return new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() }).toXdr(
    'base64',
  );
}
