/**
 * What the answers of older versions of stellar-rpc lack. From its release notes and the types of its `protocol`
 * folder: v23.0.0 brought `events`, `extXdr` and the ranges of getEvents, v25.0.0 the header in getLatestLedger and
 * `params: {}`, v27.1.0 the close times in getHealth; v30.0.0 removed `inSuccessfulContractCall`. The ledgers themselves are
 * the same at every version.
 */
import { invalidParams } from './errors.ts';

/** Versions that a node can answer like, oldest first. */
export const RPC_VERSIONS = ['22', '23', '27.0', '27.1', '28', '30'] as const;

export type RpcVersion = (typeof RPC_VERSIONS)[number];

export const NEWEST_RPC_VERSION: RpcVersion = '30';

/** The release that stands for each version. */
const RELEASES: Record<RpcVersion, string> = {
  '22': '22.1.5',
  '23': '23.0.4',
  '27.0': '27.0.0',
  '27.1': '27.1.0',
  '28': '28.0.0',
  '30': '30.0.0',
};

/** Fields that a version brought. A path leads through every record of a list. */
const BROUGHT: { since: RpcVersion; method: string; paths: string[] }[] = [
  { since: '23', method: 'getTransaction', paths: ['events'] },
  { since: '23', method: 'getTransactions', paths: ['transactions.events'] },
  { since: '23', method: 'getLedgerEntries', paths: ['entries.extXdr'] },
  {
    since: '23',
    method: 'getEvents',
    paths: [
      'oldestLedger',
      'oldestLedgerCloseTime',
      'latestLedgerCloseTime',
      'events.operationIndex',
      'events.transactionIndex',
    ],
  },
  { since: '27.0', method: 'getLatestLedger', paths: ['closeTime', 'headerXdr', 'metadataXdr'] },
  { since: '27.1', method: 'getHealth', paths: ['latestLedgerCloseTime', 'oldestLedgerCloseTime'] },
];

/** Fields that a version removed. Version 22 had more: see below. */
const REMOVED: typeof BROUGHT = [
  { since: '30', method: 'getEvents', paths: ['events.inSuccessfulContractCall'] },
];

/** Methods without parameters that refused even an empty object before v25. */
const WITHOUT_PARAMS = new Set(['getFeeStats', 'getHealth', 'getLatestLedger', 'getVersionInfo']);

type Fields = Record<string, unknown>;

/** `version` of getVersionInfo. */
export function releaseOf(version: RpcVersion): string {
  return RELEASES[version];
}

/**
 * `protocolVersion` of getVersionInfo: the highest protocol that the server supports. A server of an older version than
 * the network's protocol cannot exist, but the sandbox plays one.
 */
export function supportedProtocol(version: RpcVersion, { ledgerVersion }: { ledgerVersion: number }): number {
  return Math.max(Math.floor(Number(version)), ledgerVersion);
}

/** @throws RpcError -32602 when the method takes no parameters at this version, and there are some */
export function checkParamsAt(version: RpcVersion, method: string, params: unknown): void {
  const given = params !== undefined && params !== null;
  if (given && WITHOUT_PARAMS.has(method) && isBefore(version, '27.0'))
    throw invalidParams('no parameters accepted');
}

/** The answer as a node of this version gives it. Changes the answer. */
export function answerAt(version: RpcVersion, method: string, answer: unknown): unknown {
  for (const { since, paths, ...brought } of BROUGHT) {
    if (brought.method === method && isBefore(version, since)) for (const path of paths) drop(answer, path);
  }
  for (const { since, paths, ...removed } of REMOVED) {
    if (removed.method === method && !isBefore(version, since)) for (const path of paths) drop(answer, path);
  }
  if (version === '22') addFieldsOf22(method, answer as Fields);
  return answer;
}

function isBefore(version: RpcVersion, since: RpcVersion): boolean {
  return RPC_VERSIONS.indexOf(version) < RPC_VERSIONS.indexOf(since);
}

function drop(value: unknown, path: string): void {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const fields = value as Fields;
  if (rest.length === 0) delete fields[name];
  else for (const record of fields[name] as unknown[]) drop(record, rest.join('.'));
}

/** Fields that v23.0.0 removed. */
function addFieldsOf22(method: string, answer: Fields): void {
  if (method === 'getEvents') {
    for (const event of answer.events as Fields[]) event.pagingToken = event.id;
  }
  if (method === 'getVersionInfo') {
    answer.commit_hash = answer.commitHash;
    answer.build_time_stamp = answer.buildTimestamp;
    answer.captive_core_version = answer.captiveCoreVersion;
    answer.protocol_version = answer.protocolVersion;
  }
}
