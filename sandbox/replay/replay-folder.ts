import { AdmissionReplay } from './admission.ts';
import type { Findings } from './findings.ts';
import { Recording } from './recording.ts';
import { Replay } from './replay.ts';

/**
 * Replays a whole recording: every ledger, every submission after it, and at the end every entry.
 * @param dir folder with `meta.xdr.gz` and `submissions.jsonl`
 */
export function replayFolder(dir: string, passphrase: string): Findings {
  const recording = new Recording(dir);
  const submissions = recording.submissions();
  const replay = new Replay(passphrase);
  const admission = new AdmissionReplay(replay.network, replay.findings);
  for (const ledger of recording.ledgers()) {
    const applied = replay.close(ledger);
    const { header, state } = replay;
    admission.compare(state, header, applied, submissions.get(header.ledgerSeq) ?? []);
  }
  admission.finish();
  replay.compareEntries();
  return replay.findings;
}
