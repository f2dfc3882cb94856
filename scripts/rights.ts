/** The page docs/rights.md: who may do what, and what each operation refuses, as tables of the OpenAPI document. */
import { errorsOf } from '../src/api/reference/error-codes.ts';
import { ROLES } from '../src/auth/teams/roles.ts';

type Operation = {
  operationId: string;
  summary: string;
  tags: [string];
  security: object[];
  responses: Record<string, unknown>;
  'x-roles'?: string[];
  'x-for-people'?: boolean;
  'x-scopes'?: string[];
  'x-step-up'?: 'always' | 'own';
};
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, unknown> };
};

const HEAD = `<!-- "npm run openapi" writes this page from the routes. -->

# Rights

Who may call each operation. The guard of the service reads the same routes that this page is made from.

- **Roles**: the [members](teams.md#roles) who may call it. "All" is every role; "anyone" needs no login.
- **Programs**: whether a [service user](programs.md) with such a role may.
- **API keys**: the scopes, one of which an [API key](programs.md) needs. The main key of a wallet has all. None: no API key may.
- **Second factor**: "always" asks every member who has one, and all members of a team that requires one
  ([second factors](second-factors.md)). "Own" asks who has one.
- **Errors**: what the operation adds to these, which follow from the other columns and from the form of a request:
`;

const COLUMNS = ['operation', 'roles', 'programs', 'API keys', 'second factor', 'errors'];

export function rightsPage(document: Document): string {
  const common = commonCodes();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      request: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ request, operation }) => rowOf(request, operation, codesOf(operation, document), common));
    if (rows.length === 0) return '';
    const lines = [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    return `\n## ${name}\n\n${description}\n\n${lines.join('\n')}\n`;
  });
  return `${HEAD}  ${inCode([...common].sort())}.\n${sections.join('')}`;
}

function rowOf(request: string, operation: Operation, codes: string[], common: Set<string>): string[] {
  const { operationId, summary, security, 'x-roles': roles, 'x-scopes': scopes = [] } = operation;
  const is_public = security.length === 0;
  return [
    `${summary}: \`${operationId}\`<br>\`${request}\``,
    is_public ? 'anyone' : roles?.length === ROLES.length ? 'all' : (roles ?? []).join(', '),
    is_public ? '' : operation['x-for-people'] ? 'no' : 'yes',
    inCode(scopes),
    operation['x-step-up'] ?? '',
    inCode(codes.filter((code) => !common.has(code))),
  ];
}

/** What the guard and the reading of requests answer, whatever the operation. */
function commonCodes(): Set<string> {
  const route = { operation: '', url: '/v1/:id', is_change: true, asks: true, awaits_outcome: true };
  const of_key = errorsOf({ ...route, access: 'key', roles: 'everyone' });
  const of_person = errorsOf({ ...route, access: 'person', roles: 'owners' });
  return new Set([...of_key, ...of_person].map(({ code }) => code));
}

/** The codes of an operation are the names of the examples of its errors. */
function codesOf({ responses }: Operation, { components }: Document): string[] {
  return Object.values(responses).flatMap((response) => {
    const { $ref } = response as { $ref?: string };
    const declared = ($ref ? components.responses[$ref.split('/').at(-1) ?? ''] : response) as {
      content?: Record<string, { examples?: object }>;
    };
    return Object.keys(declared.content?.['application/json']?.examples ?? {});
  });
}

function inCode(words: string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
