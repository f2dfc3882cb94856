/** Pure: what a team does first with a wallet, and what of it is done. */
import type { LoginOperation } from '../../api/me.ts';

export type FirstStep = { words: string; to: StepPage; isDone: boolean };
type StepPage = '/wallets/$walletId/addresses' | '/wallets/$walletId/developers' | '/team' | '/security';

/** What is so; undefined while it is not read. */
export type Facts = {
  address: boolean | undefined;
  deposit: boolean | undefined;
  endpoint: boolean | undefined;
  exam: boolean | undefined;
  colleague: boolean | undefined;
  factor: boolean | undefined;
};

type Reader = { isPublic: boolean; may: (operation: LoginOperation) => boolean };

/**
 * Returns the steps that the role of the reader may do, in their order. None for a role that sets up nothing; undefined while a fact
 * is missing.
 */
export function firstSteps(facts: Facts, { isPublic, may }: Reader): FirstStep[] | undefined {
  const mayCreate = may('createDepositAddress');
  const mayRegister = may('registerWebhook');
  const steps: [shown: boolean, fact: keyof Facts, to: StepPage, words: string][] = [
    [mayCreate, 'address', '/wallets/$walletId/addresses', 'Create a deposit address'],
    [mayCreate && !isPublic, 'deposit', '/wallets/$walletId/addresses', 'Make a test payment to an address'],
    [mayRegister, 'endpoint', '/wallets/$walletId/developers', 'Add a webhook endpoint'],
    [mayRegister, 'exam', '/wallets/$walletId/developers', 'Let your receiver pass the exam'],
    [may('createInvitation'), 'colleague', '/team', 'Invite a colleague'],
    [mayCreate || mayRegister, 'factor', '/security', 'Add a second factor to your login'],
  ];
  const shown = steps.filter(([isShown]) => isShown);
  const found = shown.map(([, fact, to, words]) => ({ words, to, isDone: facts[fact] }));
  return found.every(isKnown) ? found : undefined;
}

const isKnown = (step: Omit<FirstStep, 'isDone'> & { isDone: boolean | undefined }): step is FirstStep =>
  step.isDone !== undefined;
