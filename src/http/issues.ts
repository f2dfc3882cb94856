import type { z } from 'zod';

/** Returns the fault of a field, as the end of a sentence that begins with its name; undefined where the message of zod is used. */
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

/** Returns an error function for zod: `message` for a value of a wrong type, `is required` for a missing one. */
export function unlessAbsent(message: string): (issue: { input?: unknown }) => string {
  return ({ input }) => (input === undefined ? 'is required' : message);
}

const NAMES: Record<string, string | undefined> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};
