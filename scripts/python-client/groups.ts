/** The methods of the Python client for tasks. hatch_build.py writes those for threads from them. */
import type { Argument, Operation } from './operations.ts';
import { docstring, literal, pascal } from './types.ts';

/** Characters, the line break included. */
const LINE = 101;

/** Some operations have the form of their answer in the query too. */
const FORMAT: Argument = { name: '"csv"', wire: 'format', type: 'str', required: true, in: 'query' };

/** Groups with methods that are written by hand. */
const BASE_OF: Record<string, string> = {
  withdrawals: 'WithdrawalsBase',
  events: 'EventsBase',
  payouts: 'PayoutsBase',
};

/** The constants that the methods call with. */
export function operationsText(operations: Operation[]): string {
  const lines = operations.map((operation) => {
    const { id, http_method, path, answer, pages, timeout_seconds, statuses_with_data } = operation;
    const flags = (['repeatable', 'makes', 'public'] as const).filter((flag) => operation[flag]);
    const given = [
      ...[id, http_method, path].map(literal),
      ...(pages ? [`pages=${literal(pages)}`] : []),
      ...flags.map((flag) => `${flag}=True`),
      ...(timeout_seconds ? [`timeout_seconds=${timeout_seconds}`] : []),
      ...(statuses_with_data.length > 0 ? [`statuses_with_data=(${statuses_with_data.join(', ')},)`] : []),
    ];
    const head = `${constant(operation)}: Operation[${qualified(answer)}] = Operation(`;
    const line = `${head}${given.join(', ')})\n`;
    return line.length <= LINE ? line : `${head}\n    ${given.join(', ')}\n)\n`;
  });
  const all = operations.map((operation) => `    ${constant(operation)},\n`).join('');
  return `${lines.join('')}\nALL: tuple[Operation[Any], ...] = (\n${all})\n`;
}

export function groupsText(operations: Operation[]): string {
  const groups = Map.groupBy(operations, ({ group }) => group);
  const classes = [...groups].map(([group, members]) => {
    const methods = members.flatMap((operation) => [methodText(operation), ...csvText(operation)]);
    const base = BASE_OF[group] ?? 'AsyncGroup';
    return `class ${className(group)}(${base}):\n${methods.join('\n')}\n\n`;
  });
  return classes.join('');
}

export const groupNames = (operations: Operation[]): string[] => [
  ...new Set(operations.map(({ group }) => group)),
];

export const className = (group: string): string => pascal(group);

function methodText(operation: Operation): string {
  const { method, args, answer, pages, about } = operation;
  const returned = pages ? `AsyncListing[${qualified(answer)}]` : qualified(answer);
  const head = `    ${pages ? '' : 'async '}def ${method}(`;
  const call = pages ? 'self._list' : 'await self._call';
  return `${signature(head, args, returned)}${docstring(about, 8)}${callText(operation, call)}`;
}

/** Beside a list the method that gives everything of it as CSV, where the service has one. */
function csvText(operation: Operation): string[] {
  const { csv, args, about } = operation;
  if (!csv) return [];
  const taken = args.filter(({ name }) => name !== 'limit' && name !== 'cursor');
  const sent = csv.has_format ? [...taken, FORMAT] : taken;
  const head = signature(`    def ${csv.method}(`, taken, 'AsyncCsv');
  const text = `${about.split('. ')[0]}. Everything as CSV, without pages.`;
  return [`${head}${docstring(text, 8)}${callText({ ...operation, args: sent }, 'self._csv')}`];
}

function signature(head: string, args: Argument[], returned: string): string {
  const positional = args.filter(({ in: where }) => where === 'path');
  const named = args.filter(({ in: where }) => where !== 'path').sort(byRequired);
  const all = [
    'self',
    ...positional.map(parameter),
    ...(named.length > 0 ? ['*', ...named.map(parameter)] : []),
  ];
  const line = `${head}${all.join(', ')}) -> ${returned}:\n`;
  if (line.length <= LINE) return line;
  return `${head}\n${all.map((one) => `        ${one},\n`).join('')}    ) -> ${returned}:\n`;
}

function callText(operation: Operation, call: string): string {
  const args = [...operation.args, ...operation.fixed];
  const given = [
    `op.${constant(operation)}`,
    ...members(args, 'path', 'path'),
    ...members(args, 'query', 'query'),
    ...members(args, 'body', 'body'),
    ...members(args, 'headers', 'header'),
  ];
  const line = `        return ${call}(Call(${given.join(', ')}))\n`;
  if (line.length <= LINE) return line;
  const lines = given.map((one) => `                ${one},\n`).join('');
  return `        return ${call}(\n            Call(\n${lines}            )\n        )\n`;
}

/** A dictionary of the arguments that go there; nothing when there are none. */
function members(args: Argument[], name: string, where: Argument['in']): string[] {
  const pairs = args.filter((one) => one.in === where).map((one) => `${literal(one.wire)}: ${one.name}`);
  if (pairs.length === 0) return [];
  const line = `${name}={${pairs.join(', ')}}`;
  if (line.length <= 84) return [line];
  return [`${name}={\n${pairs.map((pair) => `                    ${pair},\n`).join('')}                }`];
}

function parameter({ name, type, required }: Argument): string {
  if (required) return `${name}: ${qualified(type)}`;
  return `${name}: ${qualified(type).replace(/ \| None$/, '')} | None = None`;
}

const byRequired = (a: Argument, b: Argument): number => Number(b.required) - Number(a.required);

const constant = ({ name }: Operation): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Classes are of the module `models`: a method named like a type must not hide it. */
function qualified(type: string): string {
  return type.replace(/"[^"]*"|\b[A-Z]\w*\b(?!\[)/g, (word) =>
    /^"|^(None|Any|Literal|True|False)$/.test(word) ? word : `models.${word}`,
  );
}
