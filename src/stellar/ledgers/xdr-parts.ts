/**
 * Finds parts of an XDR value without decoding it. This is a hundred times faster than the SDK, which builds an object for
 * every field. The lengths of the fields come from the SDK's schemas: the types are not described a second time here.
 */
/** The schema of a type, `xdr.….schema`. */
export type XdrSchema = { readonly kind: string; readonly name: string | undefined };

/** Called for each part: `bytes.subarray(start, end)` is a value of `type`. */
export type Visit = (type: XdrSchema, start: number, end: number) => void;

/** Takes the position where a value begins, and gives the position where it ends. `size`: of a type of fixed length. */
type Walk = ((bytes: Uint8Array, at: number, visit: Visit) => number) & { size?: number };

/**
 * A union begins with a discriminant that this version does not know: its arm is of a later protocol. `at`: the position
 * of the discriminant. Bytes that end early, or go on, are another error.
 */
export class UnknownArm extends Error {
  readonly type: string;
  readonly discriminant: number;
  readonly at: number;

  constructor(type: string, discriminant: number, at: number) {
    super(`no ${type} that we know begins with ${discriminant}`);
    this.type = type;
    this.discriminant = discriminant;
    this.at = at;
  }
}

/**
 * Creates a reader of `whole` that visits every value whose type is in `parts`. Inner values come before the value that
 * contains them. The reader throws when the bytes are not one `whole`, as far as lengths and padding show it.
 */
export function partsOf(whole: XdrSchema, parts: XdrSchema[]): (bytes: Uint8Array, visit: Visit) => void {
  const walk = compile(whole, new Set(parts), new Map());
  return (bytes, visit) => {
    if (walk(bytes, 0, visit) !== bytes.length) throw new Error(`not the bytes of one ${whole.name}`);
  };
}

/**
 * Creates a function that takes the position where a value of `type` begins, and gives the position where it ends.
 * `others`: how values of these types are walked instead. It throws like the reader of `partsOf`.
 */
export function endOf(
  type: XdrSchema,
  others: ReadonlyMap<XdrSchema, (bytes: Uint8Array, at: number) => number> = new Map(),
): (bytes: Uint8Array, at: number) => number {
  const walk = compile(type, new Set(), new Map(others));
  return (bytes, at) => {
    const end = walk(bytes, at, () => undefined);
    if (end > bytes.length) throw new Error(`the bytes of a ${type.name} end early`);
    return end;
  };
}

type CompiledWalks = Map<XdrSchema, Walk>;

function compile(type: XdrSchema, parts: Set<XdrSchema>, compiled: CompiledWalks): Walk {
  const before = compiled.get(type);
  if (before) return before;
  // A type that contains itself uses this placeholder while it is compiled.
  let made: Walk | null = null;
  compiled.set(type, (bytes, at, visit) => (made as Walk)(bytes, at, visit));
  const own = walkOf(type as Schema, (inner) => compile(inner, parts, compiled));
  made = parts.has(type) ? visiting(type, own) : own;
  compiled.set(type, made);
  return made;
}

function visiting(type: XdrSchema, own: Walk): Walk {
  return (bytes, at, visit) => {
    const end = own(bytes, at, visit);
    visit(type, at, end);
    return end;
  };
}

/** The public parts of js-xdr's schemas, by kind. */
type Schema =
  | { kind: 'struct'; entries: readonly (readonly [string, XdrSchema])[] }
  | UnionSchema
  | { kind: 'array' | 'option'; element: XdrSchema }
  | { kind: 'fixedArray'; element: XdrSchema; length: number }
  | { kind: 'opaque'; length: number }
  | { kind: 'lazy'; getSchema: () => XdrSchema }
  | { kind: 'string' | 'varOpaque'; maxLength?: number }
  | { kind: keyof typeof SIZES };
type UnionSchema = {
  kind: 'union';
  name: string;
  cases: readonly { discriminant: unknown; arm: Arm }[];
  defaultArm?: Arm;
  switchOn: { nameByValue?: ReadonlyMap<number, string> };
};
type Arm = { kind: 'void' } | { kind: 'field'; schema: XdrSchema };

const SIZES = {
  void: 0,
  bool: 4,
  enum: 4,
  int32: 4,
  uint32: 4,
  float: 4,
  int64: 8,
  uint64: 8,
  double: 8,
};

function walkOf(schema: Schema, inner: (type: XdrSchema) => Walk): Walk {
  switch (schema.kind) {
    case 'struct':
      return sequence(schema.entries.map(([, type]) => inner(type)));
    case 'union':
      return union(schema, inner);
    case 'array':
      return repeated(inner(schema.element));
    case 'fixedArray':
      return sequence(Array.from({ length: schema.length }, () => inner(schema.element)));
    case 'option': {
      const element = inner(schema.element);
      return (bytes, at, visit) => (uint32(bytes, at) === 0 ? at + 4 : element(bytes, at + 4, visit));
    }
    case 'lazy': {
      let real: Walk | null = null;
      return (bytes, at, visit) => {
        real ??= inner(schema.getSchema());
        return real(bytes, at, visit);
      };
    }
    case 'string':
    case 'varOpaque':
      return text(schema.maxLength ?? Number.POSITIVE_INFINITY);
    case 'opaque':
      return fixed(padded(schema.length));
    default:
      return fixed(SIZES[schema.kind]);
  }
}

function fixed(size: number): Walk {
  return Object.assign((_: Uint8Array, at: number) => at + size, { size });
}

/**
 * Returns the walk over bytes of variable length, padded with zeros (RFC 4506 section 4.9). Bytes that the network itself refuses are refused: a
 * signature longer than its maximum could otherwise contain the beginning of the next envelope.
 */
function text(max_length: number): Walk {
  return (bytes, at) => {
    const length = uint32(bytes, at);
    // Without this check a walk could go backwards.
    if (length > Math.min(max_length, bytes.length)) throw new Error('a length above its maximum');
    const end = at + 4 + padded(length);
    for (let fill = at + 4 + length; fill < end; fill++)
      if (bytes[fill]) throw new Error('padding that is not zero');
    return end;
  };
}

/** Returns the walk over values one after the other. Neighbours of fixed length become one step. */
function sequence(walks: Walk[]): Walk {
  const steps: Walk[] = [];
  for (const walk of walks) {
    const last = steps.at(-1);
    if (last?.size !== undefined && walk.size !== undefined)
      steps.splice(-1, 1, fixed(last.size + walk.size));
    else steps.push(walk);
  }
  const [only = fixed(0)] = steps;
  if (steps.length < 2) return only;
  return (bytes, at, visit) => {
    let end = at;
    for (const step of steps) end = step(bytes, end, visit);
    return end;
  };
}

function repeated(element: Walk): Walk {
  const { size } = element;
  if (size !== undefined) return (bytes, at) => at + 4 + uint32(bytes, at) * size;
  return (bytes, at, visit) => {
    let end = at + 4;
    // Missing bytes read as 0. Without the limit, a false count would be walked to its end.
    for (let left = uint32(bytes, at); left > 0 && end <= bytes.length; left--)
      end = element(bytes, end, visit);
    return end;
  };
}

function union(schema: UnionSchema, inner: (type: XdrSchema) => Walk): Walk {
  const walkOfArm = (arm: Arm) => (arm.kind === 'void' ? fixed(0) : inner(arm.schema));
  const arms = new Map(
    schema.cases.map(({ discriminant, arm }) => [Number(discriminant) >>> 0, walkOfArm(arm)]),
  );
  // The default is for the other values that the enum has. A later protocol may give a new value an arm of its own.
  const otherwise = schema.defaultArm && walkOfArm(schema.defaultArm);
  for (const value of schema.switchOn.nameByValue?.keys() ?? [])
    if (otherwise && !arms.has(value >>> 0)) arms.set(value >>> 0, otherwise);
  return (bytes, at, visit) => {
    const arm = arms.get(uint32(bytes, at));
    if (!arm) throw unknownArm(schema.name, bytes, at);
    return arm(bytes, at + 4, visit);
  };
}

function unknownArm(type: string, bytes: Uint8Array, at: number): Error {
  if (at + 4 > bytes.length) return new Error(`the bytes of a ${type} end early`);
  return new UnknownArm(type, uint32(bytes, at) | 0, at);
}

/** Reads a number. Missing bytes count as 0. `partsOf` refuses a value that ends after the bytes. */
export function uint32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
