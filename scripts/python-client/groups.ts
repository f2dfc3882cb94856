/** The methods of both Python clients, which differ in `await` alone. */
import type { Argument, Operation } from './operations.ts';
import { docstring, literal, pascal } from './types.ts';

export type Kind = 'sync' | 'async';

/** Groups with methods that are written by hand. */
const BASE_OF: Record<string, string> = { withdrawals: 'WithdrawalsBase', events: 'EventsBase' };

/** The constants that the methods call with. */
export function operationsText(operations: Operation[]): string {
  const lines = operations.map((operation) => {
    const { id, http_method, path, answer, pages, statuses_with_data } = operation;
    const flags = (['repeatable', 'held', 'public'] as const).filter((flag) => operation[flag]);
    const given = [
      ...[id, http_method, path].map(literal),
      ...(pages ? [`pages=${literal(pages)}`] : []),
      ...flags.map((flag) => `${flag}=True`),
      ...(statuses_with_data.length > 0 ? [`statuses_with_data=(${statuses_with_data.join(', ')},)`] : []),
    ];
    const head = `${constant(operation)}: Operation[${qualified(answer)}] = Operation(`;
    const line = `${head}${given.join(', ')})\n`;
    return line.length <= 101 ? line : `${head}\n    ${given.join(', ')}\n)\n`;
  });
  const all = operations.map((operation) => `    ${constant(operation)},\n`).join('');
  return `${lines.join('')}\nALL: tuple[Operation[Any], ...] = (\n${all})\n`;
}

export function groupsText(operations: Operation[], kind: Kind): string {
  const groups = Map.groupBy(operations, ({ group }) => group);
  const classes = [...groups].map(([group, members]) => {
    const methods = members.map((operation) => methodText(operation, kind));
    const base = BASE_OF[group] ?? (kind === 'sync' ? 'Group' : 'AsyncGroup');
    return `class ${className(group)}(${base}):\n${methods.join('\n')}\n\n`;
  });
  return classes.join('');
}

export const groupNames = (operations: Operation[]): string[] => [
  ...new Set(operations.map(({ group }) => group)),
];

export const className = (group: string): string => pascal(group);

function methodText(operation: Operation, kind: Kind): string {
  const { method, args, answer, pages, about } = operation;
  const listing = kind === 'sync' ? 'Listing' : 'AsyncListing';
  const isAwaited = kind === 'async' && !pages;
  const positional = args.filter(({ in: where }) => where === 'path');
  const named = args.filter(({ in: where }) => where !== 'path').sort(byRequired);
  const parameters = [
    'self',
    ...positional.map(parameter),
    ...(named.length > 0 ? ['*', ...named.map(parameter)] : []),
  ];
  const returned = pages ? `${listing}[${qualified(answer)}]` : qualified(answer);
  const head = `    ${isAwaited ? 'async ' : ''}def ${method}(${parameters.join(', ')}) -> ${returned}:\n`;
  const signature =
    head.length <= 101
      ? head
      : `    ${isAwaited ? 'async ' : ''}def ${method}(\n${parameters.map((one) => `        ${one},\n`).join('')}    ) -> ${returned}:\n`;
  return `${signature}${docstring(about, 8)}${callText(operation, isAwaited)}`;
}

function callText(operation: Operation, isAwaited: boolean): string {
  const { args, pages, has_body } = operation;
  const members = (where: Argument['in']) => {
    const pairs = args.filter((one) => one.in === where).map(({ name, wire }) => `${literal(wire)}: ${name}`);
    const line = `{${pairs.join(', ')}}`;
    return line.length <= 80
      ? line
      : `{\n${pairs.map((pair) => `                ${pair},\n`).join('')}            }`;
  };
  const has = (where: Argument['in']) => args.some((one) => one.in === where);
  const given = [
    `op.${constant(operation)}`,
    ...(has('path') ? [`path=${members('path')}`] : []),
    ...(has('query') ? [`query=${members('query')}`] : []),
    ...(has_body ? [`body=${members('body')}`] : []),
    ...args.filter((one) => one.in === 'header').map(({ name }) => `${name}=${name}`),
  ];
  const call = `${isAwaited ? 'await ' : ''}self._${pages ? 'list' : 'call'}`;
  const line = `        return ${call}(${given.join(', ')})\n`;
  if (line.length <= 101) return line;
  return `        return ${call}(\n${given.map((one) => `            ${one},\n`).join('')}        )\n`;
}

function parameter({ name, type, required }: Argument): string {
  if (required) return `${name}: ${qualified(type)}`;
  return `${name}: ${qualified(type).replace(/ \| None$/, '')} | None = None`;
}

const byRequired = (a: Argument, b: Argument): number => Number(b.required) - Number(a.required);

const constant = ({ id }: Operation): string => id.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Classes are of the module `models`: a method named like a type must not hide it. */
function qualified(type: string): string {
  return type.replace(/"[^"]*"|\b[A-Z]\w*\b(?!\[)/g, (word) =>
    /^"|^(None|Any|Literal|True|False)$/.test(word) ? word : `models.${word}`,
  );
}
