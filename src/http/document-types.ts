/** The parts of an OpenAPI document that are read or changed here. */
export type Schema = {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  [more: string]: unknown;
};

export type Media = Record<string, { schema: Schema; example?: unknown; examples?: object }>;
export type Responses = Record<string, { description: string; content?: Media; headers?: object }>;
export type Parameter = {
  name: string;
  required?: boolean;
  description?: string | undefined;
  schema: Schema;
  example?: unknown;
};
export type ErrorAnswer = { code: string; status: number };
export type Operation = {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Media };
  responses: Responses;
  /** What it can answer beside success, for the one who writes the document. */
  'x-errors'?: ErrorAnswer[];
  [more: `x-${string}`]: unknown;
};
export type Document = {
  components: { schemas: Record<string, Schema>; [more: string]: unknown };
  paths: Record<string, Record<string, Operation>>;
  [more: string]: unknown;
};
