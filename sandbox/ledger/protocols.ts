/** The protocols that a sandbox can begin with and be upgraded to. */
export const PROTOCOLS = [26, 27, 28, 30] as const;

/** That of the public network since November 2026. */
export const NEWEST_PROTOCOL = 30;

/** From this protocol on, the network may drop a transaction set (CAP-83). */
export const DROPPED_SETS_PROTOCOL = 28;

/** From this protocol on, headers have close times in milliseconds (CAP-88). */
export const MILLISECONDS_PROTOCOL = 30;
