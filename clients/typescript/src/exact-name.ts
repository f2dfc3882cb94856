/**
 * Names of 64-bit integers. The generator of contract.ts checks that they agree with the document of the API. The dashboard reads
 * them too.
 */
export const EXACT_NAME: RegExp = /(^|_)(stroops|memo_id|sequence)$|^next_after$/;
