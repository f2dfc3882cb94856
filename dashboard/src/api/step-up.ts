/**
 * Asks for a second factor, where the service has refused a request for want of one. shell/step-up-gate.tsx shows the dialog.
 * Requests that are refused while the dialog is open wait for the same answer.
 */
import { useSyncExternalStore } from 'react';
import type { FactorMethod } from './contract.ts';

/** `done`: whether the factor was proven. */
type Asked = { methods: readonly FactorMethod[]; done: (proven: boolean) => void };

const listeners = new Set<() => void>();
let asked: Asked | null = null;
let answer: Promise<boolean> | null = null;

function change(to: Asked | null): void {
  asked = to;
  for (const listener of listeners) listener();
}

/** Resolves with true when the user has proven a factor, and with false when they do not want to. */
export function askForFactor(methods: readonly FactorMethod[]): Promise<boolean> {
  answer ??= new Promise((resolve) => {
    const done = (proven: boolean) => {
      answer = null;
      change(null);
      resolve(proven);
    };
    change({ methods, done });
  });
  return answer;
}

export function useAskedFactor(): Asked | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
}
