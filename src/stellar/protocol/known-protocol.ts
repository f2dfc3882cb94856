/**
 * The highest protocol of the network that this version reads. All of its XDR is in the SDK or in missing-arms.ts, and
 * missing-arms.test.ts holds both to vectors of that protocol.
 */
export const KNOWN_PROTOCOL = 30;
