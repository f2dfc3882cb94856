/**
 * The network gave no answer that can be used. The caller may ask again: nothing was started. The HTTP layer answers
 * 503 `network_unavailable`. `message` reaches callers of the API; `cause` has the answers of the sources, for the log.
 */
export class NetworkUnavailable extends Error {
  readonly retry_after_seconds: number | undefined;
  /** The network's protocol, where it is above what this version reads; else null. */
  readonly protocol_ahead: number | null;
  /** Whether the log tells of it once a minute, so that nobody else needs to (fail-over.ts). */
  readonly is_told: boolean;

  constructor(
    message: string,
    more: {
      retry_after_seconds?: number;
      protocol_ahead?: number | null;
      is_told?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'NetworkUnavailable';
    this.retry_after_seconds = more.retry_after_seconds;
    this.protocol_ahead = more.protocol_ahead ?? null;
    this.is_told = more.is_told ?? false;
  }
}
