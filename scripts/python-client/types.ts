/** The types of the Python client: each object of the document is a TypedDict, everything else an expression. */
import { strict as assert } from 'node:assert';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  description?: string;
};

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Writes a text of Python. JSON's texts are texts of Python. */
export const literal = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

export const isName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !KEYWORDS.has(text);

export const pascal = (text: string): string =>
  text.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Knows the named schemas of a document, and collects the types that it is asked for. */
export class Types {
  readonly #schemas: Record<string, Schema>;
  readonly #written = new Map<string, string>();
  /** One of several answers of an operation: `"client_secret" in made` narrows the type of a final TypedDict alone. */
  readonly #alternatives = new Set<string>();
  /** Named schemas that are types by themselves: objects and enumerations. The others are written out where they are used. */
  readonly #open: string[] = [];

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
  }

  /** The schema behind references. */
  resolve(schema: Schema): Schema {
    return schema.$ref ? this.resolve(this.#named(nameOf(schema.$ref))) : schema;
  }

  /** The Python type of a schema. `name`: the class to write for an object that the document does not name. */
  of(schema: Schema, name: string): string {
    if (schema.$ref) return this.#reference(nameOf(schema.$ref));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum)
      return union(schema.enum.map((value) => (value === null ? 'None' : `Literal[${literal(value)}]`)));
    const parts = schema.anyOf ?? schema.oneOf;
    if (parts) return union(parts.map((part) => this.of(part, name)));
    if (schema.allOf?.length === 1) return this.of(schema.allOf[0] as Schema, name);
    assert(!schema.allOf, `${name} has allOf, which the Python client cannot write yet`);
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return 'Any';
    return union(types.map((type) => this.#ofType(type, schema, name)));
  }

  /** The type of an answer that is one of these. */
  oneOf(types: string[]): string {
    if (types.length > 1) for (const type of types) this.#alternatives.add(type);
    return types.join(' | ');
  }

  /** Every type that was asked for, as the text of a module. */
  text(): string {
    for (let name = this.#open.shift(); name; name = this.#open.shift()) this.#write(name, this.#named(name));
    const texts = [...this.#written].map(([name, text]) =>
      this.#alternatives.has(name) ? `@final\n${text}` : text,
    );
    return texts.join('\n\n');
  }

  #ofType(type: string, schema: Schema, name: string): string {
    switch (type) {
      case 'null':
        return 'None';
      case 'boolean':
        return 'bool';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'string':
        return 'str';
      case 'array':
        return `list[${this.of(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        return this.#object(schema, name);
      default:
        assert.fail(`${name} is of the unknown type ${type}`);
    }
  }

  #object(schema: Schema, name: string): string {
    if (schema.properties && Object.keys(schema.properties).length > 0) {
      if (!this.#written.has(name)) this.#write(name, schema);
      return name;
    }
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return `dict[str, ${this.of(values, `${name}Value`)}]`;
  }

  #reference(name: string): string {
    const schema = this.#named(name);
    const isObject = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
    if (!isObject && !schema.enum) return this.of(schema, name);
    if (!this.#written.has(name)) {
      this.#written.set(name, '');
      this.#open.push(name);
    }
    return name;
  }

  #named(name: string): Schema {
    const schema = this.#schemas[name];
    assert(schema, `the document has no schema ${name}`);
    return schema;
  }

  #write(name: string, schema: Schema): void {
    this.#written.set(name, ''); // first: a schema may hold itself
    if (schema.enum) {
      this.#written.set(
        name,
        `${name} = Literal[\n${schema.enum.map((value) => `    ${literal(value)},\n`).join('')}]\n`,
      );
      return;
    }
    const required = new Set(schema.required ?? []);
    const members = Object.entries(schema.properties ?? {}).flatMap(([member, of]) => {
      const type = this.of(of, name + pascal(member));
      const entry: [string, string, string | undefined][] = [
        [member, required.has(member) ? type : `NotRequired[${type}]`, of.description],
      ];
      if (member === 'metadata')
        entry.push(['metadata_text', 'NotRequired[str | None]', 'The source text of `metadata`.']);
      return entry;
    });
    const isClass = members.every(([member]) => isName(member));
    this.#written.set(name, isClass ? asClass(name, schema, members) : asCall(name, members));
  }
}

type Member = [name: string, type: string, description: string | undefined];

function asClass(name: string, { description }: Schema, members: Member[]): string {
  const lines = members.map(
    ([member, type, about]) => `    ${member}: ${type}\n${about ? docstring(about, 4) : ''}`,
  );
  return `class ${name}(TypedDict):\n${description ? `${docstring(description, 4)}\n` : ''}${lines.join('')}`;
}

/** A member such as \`for\` cannot be written in a class. */
function asCall(name: string, members: Member[]): string {
  const lines = members.map(([member, type]) => `        ${literal(member)}: ${literal(type)},\n`);
  return `${name} = TypedDict(\n    ${literal(name)},\n    {\n${lines.join('')}    },\n)\n`;
}

/** The text as a docstring of lines up to 100 characters. */
export function docstring(text: string, indent: number): string {
  const space = ' '.repeat(indent);
  const words = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .replace(/"$/, '" ')
    .split(/\s+/)
    .filter(Boolean);
  const lines: string[] = [];
  let line = `${space}"""`;
  for (const [index, word] of words.entries()) {
    const longer = index === 0 ? line + word : `${line} ${word}`;
    if (longer.length > 97 && index > 0) {
      lines.push(line);
      line = space + word;
    } else line = longer;
  }
  return `${[...lines, line].join('\n')}"""\n`;
}

function union(types: string[]): string {
  const literals = types.filter((type) => type.startsWith('Literal['));
  const others = types.filter((type) => !type.startsWith('Literal['));
  const one = literals.length > 0 ? [`Literal[${literals.map((type) => type.slice(8, -1)).join(', ')}]`] : [];
  const unique = [...new Set([...one, ...others])];
  return unique.includes('Any')
    ? 'Any'
    : [...unique.filter((type) => type !== 'None'), ...unique.filter((type) => type === 'None')].join(' | ');
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';
