import { Code, Stack } from '@mantine/core';
import type { AuditEntry } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { actionInWords } from '../../text/audit-actions.ts';
import { actorInWords } from './actor.ts';

/** Everything that an entry says. */
export function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { seq, at, actor, action, target, wallet_id, session_id, ip, before, after, hash } = entry;
  return (
    <Dialog title={actionInWords(action)} onClose={onClose} size="lg">
      <Stack>
        <Details
          rows={[
            ['Entry', seq],
            ['Time', <DateTime key="at" at={at} seconds />],
            ['Who', actorInWords(actor)],
            ['Id of who', actor.id],
            ['Address', ip],
            ['Session', session_id],
            ['Action', action],
            ['Concerns', target.id === null ? target.kind : `${target.kind} ${target.id}`],
            ['Wallet', wallet_id],
            ['Before', shown(before)],
            ['After', shown(after)],
            ['Hash', hash],
          ]}
        />
      </Stack>
    </Dialog>
  );
}

function shown(value: object | null) {
  if (value === null) return null;
  return (
    <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {stringifyExact(value, 2)}
    </Code>
  );
}
