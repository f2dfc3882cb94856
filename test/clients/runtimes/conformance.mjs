/**
 * The tables of clients/cases on the built package, in plain JavaScript without imports: every runtime and a page run it.
 * Gives what went wrong, by name.
 */
export async function failuresOf(
  { verifyWebhook, WebhookVerificationError, parseExact, stringifyExact },
  tables,
) {
  const failures = [];
  const check = (name, right) => right || failures.push(name);
  for (const entry of tables.signatures.cases) {
    const { name, expected, now, headers, secrets, ...options } = entry;
    const bytes =
      entry.body_base64 === undefined
        ? new TextEncoder().encode(entry.body)
        : Uint8Array.from(atob(entry.body_base64), (char) => char.charCodeAt(0));
    const given = { ...options, now: () => now * 1000 };
    const outcome = await verifyWebhook(headers, bytes, secrets, given).catch((error) => error);
    if (expected.refused)
      check(name, outcome instanceof WebhookVerificationError && outcome.reason === expected.refused);
    else check(name, outcome.event === expected.event && hasValues(outcome, expected));
  }
  for (const { name, text, bad, ...expected } of tables.integers.reading) {
    const value = attempt(() => parseExact(text));
    check(name, bad ? value instanceof SyntaxError : hasValues(value, expected));
  }
  for (const { name, value, text, bad } of tables.integers.writing) {
    const written = attempt(() => stringifyExact(given(value)));
    check(name, bad ? written instanceof TypeError : written === text);
  }
  return failures;
}

function hasValues(value, { integers, metadata_text }) {
  return (
    Object.entries(integers).every(([pointer, digits]) => String(at(value, pointer)) === digits) &&
    Object.entries(metadata_text).every(([pointer, text]) => at(value, `${pointer}/metadata_text`) === text)
  );
}

function at(value, pointer) {
  return pointer
    .split('/')
    .slice(1)
    .reduce((inner, name) => inner?.[name], value);
}

/** `{"$integer": digits}` stands for a bigint. */
function given(value) {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== 'object' || value === null) return value;
  if ('$integer' in value) return BigInt(value.$integer);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, given(member)]));
}

function attempt(work) {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
