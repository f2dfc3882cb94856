/** A class for each group of methods of the TypeScript client. */
import { type Content, type Operation, operations, type Placed, partsOf, queryNames } from './document.ts';

/** Of a comment. */
const WIDTH = 100;

/** A class for each group, with a method for each operation. */
export function classesText(): string {
  const groups = Map.groupBy(operations, ({ operation }) => placeOf(operation).group);
  return `import type { Csv } from './csv.ts';
import { type Body, type CsvQuery, type Data, Group, type Item, type Query } from './group.ts';
import type { Pages } from './pages.ts';
import type { CallOptions, Send } from './transport.ts';

${[...groups].map(([group, members]) => classOf(group, members)).join('\n')}
/** Every group of methods. */
export class Operations {
${[...groups.keys()].map((group) => `  readonly ${group}: ${classNameOf(group)};`).join('\n')}

  constructor(send: Send) {
${[...groups.keys()].map((group) => `    this.${group} = new ${classNameOf(group)}(send);`).join('\n')}
  }
}
`;
}

function classOf(group: string, members: Placed[]): string {
  const methods = members.flatMap((member) => [methodOf(member), ...csvMethodOf(member)]);
  return `export class ${classNameOf(group)} extends Group {
${methods.join('\n\n')}
}
`;
}

function methodOf({ path, method, operation }: Placed): string {
  const { operationId: id, summary, description = '', parameters = [], requestBody } = operation;
  const { arguments_, filled } = pathOf(path);
  const takes = (header: string) => parameters.some(({ name }) => name === header);
  const key = parameters.find(({ name }) => name === 'idempotency-key');
  const with_key = key ? ` & { idempotency_key${key.required ? '' : '?'}: string }` : '';
  const prefer = takes('prefer') ? ' & { prefer?: string }' : '';
  const is_list = parameters.some(({ name }) => name === 'cursor');
  const beside = method === 'GET' ? [] : queryNames(operation);
  const in_query = beside.length > 0 ? ` & Pick<Query<'${id}'>, '${beside.join("' | '")}'>` : '';
  const in_url = method === 'GET' ? parameters.filter((parameter) => parameter.in === 'query') : [];
  const needs_query = in_url.some(({ required }) => required);
  const takes_body = hasMembers(requestBody);
  const input =
    (in_url.length > 0 && `query: Query<'${id}'>${needs_query ? '' : ' = {}'}`) ||
    (!takes_body && with_key && !key?.required && `body:${with_key.slice(2)} = {}`) ||
    ((takes_body || prefer) &&
      `body: Body<'${id}'>${with_key}${prefer}${in_query}${key?.required || isNeeded(requestBody) ? '' : ' = {}'}`);
  const given = input ? input.slice(0, input.indexOf(':')) : '{}';
  const signature = [...arguments_.map((name) => `${name}: string`), input, 'options: CallOptions = {}'];
  const result = is_list ? `Pages<Item<'${id}'>>` : `Promise<Data<'${id}'>>`;
  return `${comment(summary, description)}
  ${placeOf(operation).method}(${signature.filter(Boolean).join(', ')}): ${result} {
    return this.${is_list ? 'pagesOf' : 'dataOf'}('${id}', {${filled}}, ${given}, options);
  }`;
}

/** Beside a list the method that gives everything of it as CSV, where the service has one. */
function csvMethodOf({ path, operation }: Placed): string[] {
  const { operationId: id, summary, parameters = [], 'x-client': client } = operation;
  const place = client.csv;
  if (!place) return [];
  const { arguments_, filled } = pathOf(path);
  // Some operations have the form in their query too.
  const form = parameters.some(({ name }) => name === 'format') ? "{ ...query, format: 'csv' }" : 'query';
  const signature = [
    ...arguments_.map((name) => `${name}: string`),
    `query: CsvQuery<'${id}'> = {}`,
    'options: CallOptions = {}',
  ];
  return [
    `${comment(summary, 'Everything as CSV, without pages.')}
  ${camelCase(place.split('.')[1] ?? '')}(${signature.join(', ')}): Csv {
    return this.csvOf('${id}', {${filled}}, ${form}, options);
  }`,
  ];
}

/** The parts of a path, the arguments of a method for them, and what the method sends. */
function pathOf(path: string): { arguments_: string[]; filled: string } {
  const in_path = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const arguments_ = in_path.map((name) => (name === 'id' ? 'wallet_id' : name));
  const filled = in_path.map((name, index) =>
    name === arguments_[index] ? name : `${name}: ${arguments_[index]}`,
  );
  return { arguments_, filled: filled.join(', ') };
}

function hasMembers(body: Content | undefined): body is Content {
  return partsOf(body).some(({ properties = {} }) => Object.keys(properties).length > 0);
}

/** A body with nothing that must be there may be left out. */
function isNeeded(body: Content | undefined): boolean {
  return partsOf(body).some(({ required = [] }) => required.length > 0);
}

function comment(summary: string, description: string): string {
  const lines = [''];
  for (const word of description.replaceAll('*/', '*\\/').split(' ').filter(Boolean)) {
    if (`${lines.at(-1)} ${word}`.length > WIDTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  const text = description === '' ? [` ${summary}.`] : [` ${summary}.`, '', ...lines];
  return ['  /**', ...text.map((line) => `   *${line}`), '   */'].join('\n');
}

function placeOf({ 'x-client': client }: Operation): { group: string; method: string } {
  const [group = '', method = ''] = client.method.split('.').map(camelCase);
  return { group, method };
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function classNameOf(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Operations`;
}
