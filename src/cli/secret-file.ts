import { readFileSync } from 'node:fs';
import { OperatorError } from '../lib/errors.ts';
import { isSigningSecret } from '../outgoing/sign.ts';

/** Reads the signing secret in a file. @throws OperatorError when there is none */
export function readSecret(path: string): string {
  const text = read(path).trim();
  if (isSigningSecret(text)) return text;
  throw new OperatorError(`${path} does not hold a signing secret (whsec_ and 32 bytes in base64).`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read the file with the signing secret: ${(error as Error).message}`);
  }
}
