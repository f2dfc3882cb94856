/**
 * Part of `npm run check`: refuses words that docs/glossary.md has replaced, in code, file names and documents. Without
 * it two words for one idea, or one word for two, come back.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type RetiredWord = {
  name: string;
  pattern: RegExp;
  /** What to write instead. */
  use: string;
  /** Files that may use the word, and why. */
  except?: { files: RegExp; reason: string };
};

export type Finding = { file: string; line: number; found: string; use: string };

/** Matches each word as a whole word and as a part of an identifier (`old_word`, `oldWord`), not inside another word. */
function words(...all: string[]): RegExp {
  const anyCase = all.map((word) => `${word}|${capital(word)}|${word.toUpperCase()}`).join('|');
  const capitals = all.map(capital).join('|');
  return new RegExp(`(?<![A-Za-z])(?:${anyCase})(?![a-z])|(?<=[a-z])(?:${capitals})(?![a-z])`, 'g');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export const RETIRED: RetiredWord[] = [
  {
    name: 'lane',
    pattern: words('lane', 'lanes'),
    use: '"transaction source" (tx_source), or EndpointSender of webhooks',
    except: {
      files: /^sandbox\/|^src\/stellar\/contracts\/contract-prices/,
      reason: 'stellar-core has lanes, and a setting of them',
    },
  },
  { name: 'stray', pattern: words('stray', 'strays'), use: '"unmatched transaction"' },
  {
    name: 'flight',
    // "in flight", "in-flight", "in_flight" and "inFlight" are the words to use.
    pattern:
      /(?<![A-Za-z])(?<!(?<![A-Za-z])[Ii][Nn][-_ ])(?:flights?|Flights?|FLIGHTS?)(?![a-z])|(?<=[a-z])(?<![iI]n)Flights?(?![a-z])/g,
    use: '"in-flight submission" (Submissions)',
  },
  { name: 'boarded', pattern: words('boarded'), use: '"assigned"' },
  { name: 'landed', pattern: words('landed'), use: '"drained", or "is in a ledger"' },
  { name: 'in the air', pattern: /\bin the air\b/gi, use: '"in flight"' },
  {
    name: 'accounted',
    pattern:
      /(?<![A-Za-z])[Aa]ccount(?:ed|ing)(?![a-z])|(?<=[a-z])Account(?:ed|ing)(?![a-z])|\baccountFor\b/g,
    use: '"processed"; "the withdrawal cursor"',
  },
  {
    name: 'settle',
    // "settled" (has an outcome), `settled_at` and the role `settler` are fixed by the API.
    pattern:
      /(?<![A-Za-z])(?:settles?|settling|Settles?|Settling)(?![a-z])|\b(?:announceSettled|settle(?:_c|C)ursor)\b/g,
    use: '"record an outcome", "the outcome is known", or waitFor',
    except: { files: /^sandbox\/ledger\//, reason: 'the ledger settles trades and fees' },
  },
  {
    name: 'Settler',
    pattern: /\bSettler\b|\bsettler\.ts\b|\bcreateSettler\b/g,
    use: 'WithdrawalEngine, engine.ts (only the role is called settler)',
  },
  {
    name: 'judge',
    pattern: words('judge', 'judged', 'judges', 'judging', 'judgement', 'judgements', 'judgment'),
    use: '"rank", "classify", "check", "evaluate" or "resolve"',
  },
  {
    name: 'look-ahead',
    pattern: /\b[Ll]ook-ahead\b|(?<![A-Za-z])lookAhead|LookAhead|\blook_ahead\b|\bOutlook\b/g,
    use: '"prefetch", or inspectAccounts() and Inspection',
  },
  {
    name: 'trouble',
    pattern: words('trouble', 'troubles'),
    use: '"blocked_reason", "stop_reason" or "problem"',
  },
  { name: 'intake', pattern: words('intake', 'intakes'), use: '"claims" (Claims)' },
  { name: 'show.ts', pattern: /\bshow\.ts\b/g, use: 'schema.ts' },
  {
    name: 'dispatch.ts',
    pattern: /(?<!sandbox\/rpc\/)\bdispatch\.ts\b/g,
    use: 'sign-batch.ts',
    except: { files: /^sandbox\//, reason: 'a file there dispatches JSON-RPC methods' },
  },
  {
    name: 'pace',
    pattern: /\bcreatePace\b|\bPace\b|\bpace\.ts\b/g,
    use: '"adaptive poll" (createAdaptivePoll)',
  },
  {
    name: 'every()',
    pattern: /\bevery\.ts\b|\bevery\((?:deps|clock)\b/g,
    use: '"throttle" (createThrottle)',
  },
  { name: 'fair turns', pattern: /\b[Ff]air[-_ ]?[Tt]urns\b/g, use: '"fair queue" (createFairQueue)' },
  {
    name: 'next turn',
    pattern: /\bnext-turn\b|\bnextTurn\b/g,
    use: 'setImmediate of node:timers/promises',
  },
  {
    name: 'window.ts',
    pattern: /(?<!congestion-)\bwindow\.ts\b|\bcreateWindow\b/g,
    use: '"congestion window"',
  },
  {
    name: 'follow()',
    pattern:
      /(?<![A-Za-z])follow\(|\b[Ff]ollowers?\b|\bfollow(?:Ledgers|Deposits|Outcomes)\b|\bfollow\.ts\b/g,
    use: '"ingest" (ingestOutcomes, ingestDeposits)',
    except: {
      files: /^(sandbox|clients|examples|test\/clients)\//,
      reason: 'a replay follows recorded changes; a client follows events, and neither reads a network',
    },
  },
  { name: 'poisoned', pattern: words('poison', 'poisoned', 'poisons'), use: '"quarantined"' },
  { name: 'first_sent_at', pattern: /\bfirst_sent_at\b|\bfirstSentAt\b/g, use: 'committed_at' },
  { name: 'first_sent_ledger', pattern: /\bfirst_sent_ledger\b|\bfirstSentLedger\b/g, use: 'signed_ledger' },
  {
    name: 'chain',
    // "a chain of ledger hashes" is plain English.
    pattern: /\bdeps\.chain\b|\bcreateChain\b|\bsrc\/chain\b|\.\/chain\/|\btype Chain\b|: Chain\b/g,
    use: 'stellar/ (Stellar, deps.stellar, createStellar)',
    except: { files: /^sandbox\//, reason: 'the sandbox keeps chains of ledgers' },
  },
  { name: 'twin', pattern: words('twin', 'twins'), use: '"duplicate" (--allow-duplicate)' },
  {
    name: 'held wallet',
    pattern: /\bheld wallets?\b|\bwallets? (?:is|are|was|were|stays?) held\b/gi,
    use: '"blocked"',
  },
  { name: 'hungry', pattern: words('hungry'), use: '"wants a claim" (wantsClaim)' },
  {
    name: 'words of the pages',
    pattern:
      /\b(?:looser|[Ss]tricter rules?|rule of now|Made by|ledger time|Beside the member)\b|'(?:Settled|Number)'/g,
    use: '"a change that allows more" or "less", "today’s rule", "Created by", "Completed", "Entry"',
    except: {
      files: /^(?!dashboard\/)/,
      reason: 'the API and its documents have terms that a page must not ask of its readers',
    },
  },
  // From here on: plain English, and no terms. These words make a reader go back in the sentence.
  { name: 'anew', pattern: /\b[Aa]new\b/g, use: '"again", or the verb that says it ("rewrite", "restart")' },
  {
    name: 'meanwhile',
    pattern: words('meanwhile'),
    use: 'the time that is meant: "before the answer", "while it waits", "until then"',
  },
  { name: 'gives whether', pattern: /\b[Gg]ives whether\b/g, use: '"returns true when"' },
  {
    name: 'is none',
    // "there is none" is plain English.
    pattern: /(?<!\b[Tt]here (?:still )?)\b(?:is|are) none\b/g,
    use: 'the noun: "is not an address", "is invalid", "means no limit"',
  },
  {
    name: 'is told',
    // Somebody "was told": that is plain English for an answer that a caller has got.
    pattern: /\b(?:[Ii]s|[Aa]re) (?:(?:also|not|only|still|then) )?told\b/g,
    use: '"is reported", "is shown", "gets an event", or the sentence from its subject',
  },
  {
    name: 'who',
    // A title ("Who may approve what.") and a question are plain English: neither is the subject of a sentence after another one.
    pattern: /\bWhoever\b|(?<=[.:!] )Who\b(?![^.]*\?)|(?<=;) who(?:ever)? (?!they\b)/g,
    use: 'the noun: "a member who", "a process that"',
  },
];

/** Files whose subject is the words themselves, or whose text comes from elsewhere. */
const UNCHECKED = [
  'package-lock.json',
  'scripts/retired-words.ts',
  'test/scripts/retired-words.test.ts',
  'sandbox/testing/recordings/',
];
const CHECKED = /\.(?:ts|tsx|js|mjs|cjs|md|sql|html|css|json)$/;

/** Finds retired words in the path and the text of a file. The glossary's own list of retired words is skipped. */
export function findRetiredWords(file: string, text: string): Finding[] {
  const lines = [file, ...withoutRetiredList(file, text).split('\n')];
  return RETIRED.filter(({ except }) => !except?.files.test(file)).flatMap(({ pattern, use }) =>
    lines.flatMap((line, number) =>
      Array.from(line.matchAll(pattern), ([found]) => ({ file, line: number, found, use })),
    ),
  );
}

function withoutRetiredList(file: string, text: string): string {
  if (file !== 'docs/glossary.md') return text;
  const [before = '', list = ''] = text.split(/^(?=## Retired words$)/m);
  const after = list.slice(2).search(/^## /m);
  return after === -1 ? before : before + list.slice(2 + after);
}

/** All files of the working tree that git does not ignore. */
function checkedFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`git ls-files: ${stderr}`);
  return [...new Set(stdout.split('\0'))].filter(
    (file) => CHECKED.test(file) && !UNCHECKED.some((start) => file.startsWith(start)),
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''; // deleted, and not yet in a commit
    throw error;
  }
}

if (import.meta.main) {
  const findings = checkedFiles().flatMap((file) => findRetiredWords(file, textOf(file)));
  for (const { file, line, found, use } of findings) {
    const place = line === 0 ? `${file} (its name)` : `${file}:${line}`;
    console.error(`${place}: "${found}" is retired; use ${use}`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
