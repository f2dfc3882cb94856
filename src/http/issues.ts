import type { z } from 'zod';

/** What is wrong with a field, as the end of a sentence that begins with its name. Undefined: zod's own words. */
export function sayWhatIsWrong(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_big':
      return issue.origin === 'string' ? `must have at most ${issue.maximum} characters` : undefined;
    case 'too_small':
      return issue.origin === 'string' ? `must have at least ${issue.minimum} characters` : undefined;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time like 2026-01-31T12:00:00Z' : undefined;
    default:
      return undefined;
  }
}

/** For a field whose wrong type deserves words of its own. */
export function unlessAbsent(message: string): (issue: { input?: unknown }) => string {
  return ({ input }) => (input === undefined ? 'is required' : message);
}

const NAMES: Record<string, string | undefined> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};
