/** Lies by wallet, so that many can be told at the same time: what is said of a transaction depends on whose it is. */
import type { Treatment } from '../support/rpc-proxy.ts';
import { parse, type Stage, type Wallet } from './stage.ts';

export type Liar = {
  aboutSubmissions(to: Wallet, treatment: Treatment): void;
  aboutOutcomes(to: Wallet, treatment: Treatment): void;
  honest(to: Wallet): void;
};

const passOn: Treatment = async (call) => call.reply(await call.forward());

export function createLiar(stage: Stage): Liar {
  const submissions = new Map<string, Treatment>();
  const outcomes = new Map<string, Treatment>();
  const accounts = new Map<string, string>();
  stage.proxy.treat('sendTransaction', (call) => {
    const { source, hash } = parse(call.params.transaction, stage);
    accounts.set(hash, source);
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
