/** An error answer of JSON-RPC 2.0, with the codes and messages of stellar-rpc. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** @param data the reason, where the message is only a code */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(INVALID_PARAMS, message, data);
}

export function invalidRequest(message: string): RpcError {
  return new RpcError(INVALID_REQUEST, message);
}
