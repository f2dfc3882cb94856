import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Payout, PayoutReport } from '../../api/contract.ts';
import { useMe } from '../../api/me.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { hasWrongColumns } from './columns-step.tsx';
import type { DecimalMark } from './decimal-mark.tsx';
import { type ChosenColumn, rememberColumns, rememberedColumns } from './known-columns.ts';
import { type Question, questionsOf } from './questions.ts';

/** How a file is read. What is checked and what is kept are read in one way. */
type Reading = { csv: string; decimal?: DecimalMark; columns?: ChosenColumn[] };
const NOTHING: ReadonlySet<Question> = new Set();
type Checked = { report: PayoutReport; reading: Reading };

/** The file that is entered, what the service says of it, and the draft that it becomes. Any change needs another check. */
export function useNewPayout(walletId: string) {
  const user_id = useMe()?.id ?? '';
  const [name, setName] = useState('');
  const [reading, setReading] = useState<Reading>({ csv: '' });
  const [meant, setMeant] = useState<ReadonlySet<Question>>(NOTHING);
  const bodyOf = (of: Reading) => ({
    ...of,
    makes_keys: true,
    ...withoutUndefined({ name: name.trim() === '' ? undefined : name.trim() }),
  });
  const preview = (of: Reading) =>
    api('createPayout', {
      id: walletId,
      query: { preview: true },
      body: bodyOf(of),
    }) as Promise<PayoutReport>;
  const check = useMutation({
    mutationFn: async (of: Reading): Promise<Checked> => {
      const report = await preview(of);
      const known =
        hasWrongColumns(report) && !of.columns ? rememberedColumns(user_id, report.columns) : null;
      if (known === null) return { report, reading: of };
      const again = { ...of, columns: known };
      return { report: await preview(again), reading: again };
    },
  });
  const make = useMake(walletId);
  function forget() {
    setMeant(NOTHING);
    check.reset();
    make.reset();
  }
  function checkAs(next: Reading) {
    forget();
    setReading(next);
    check.mutate(next);
  }
  const checked = check.data?.reading ?? reading;
  const questions = questionsOf(check.data?.report);
  const is_meant = questions.every((question) => meant.has(question));
  return {
    name,
    reading: checked,
    questions,
    meant,
    is_meant,
    check,
    make,
    /** Answers a question of the check. */
    mean(question: Question, is_meant: boolean) {
      const others = [...meant].filter((each) => each !== question);
      setMeant(new Set(is_meant ? [...others, question] : others));
    },
    rename(text: string) {
      setName(text);
      const { has_made_keys, errors } = check.data?.report ?? {};
      if (has_made_keys || errors?.some(({ field }) => field === 'name')) forget();
    },
    change(csv: string) {
      setReading({ csv });
      forget();
    },
    checkNow: () => checkAs(checked),
    answer: (decimal: DecimalMark) => checkAs({ ...checked, decimal }),
    chooseColumns(columns: ChosenColumn[]) {
      rememberColumns(user_id, columns);
      checkAs({ ...checked, columns });
    },
    keep: () =>
      make.mutate({
        ...bodyOf(checked),
        name: name.trim(),
        confirm_duplicates: questions.length > 0 && is_meant,
      }),
  };
}

type Made = Reading & { name: string; makes_keys: boolean; confirm_duplicates: boolean };

function useMake(walletId: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Made) => (await api('createPayout', { id: walletId, body })) as Payout, // without preview
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['wallet', walletId, 'payouts'] });
      await navigate({ to: '/wallets/$walletId/payouts/$payoutId', params: { walletId, payoutId: id } });
    },
  });
}
