/**
 * The `data` of test events has all members of the real resource, with values that cannot exist: an account of the all-zero key,
 * a hash of zeros, ids that end in `_sample`. A receiver cannot book them.
 */
export const NO_ACCOUNT = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';
export const NO_HASH = '0'.repeat(64);
export const SAMPLE_STROOPS = 10_000_000n;

/** Whose endpoint gets the event. `at`: the time of its resource. */
export type SampleFor = { wallet_id: string; endpoint_id: string; at: string };
