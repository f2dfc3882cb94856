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
/** What the schemas of an operation do not give away. */
export type OperationExamples = {
  body?: object;
  /** The body as CSV. */
  csv_body?: string;
  /** What differs in `data` of an answer, by status. */
  answers?: Record<number, object>;
  /** What is answered as CSV. */
  csv?: string;
};

export type ErrorAnswer = { code: string; status: number };
export type Operation = {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Media };
  responses: Responses;
  callbacks?: Record<string, Record<string, { post: Operation }>>;
  /** What it can answer beside success, for the one who writes the document. */
  'x-errors'?: ErrorAnswer[];
  /** Likewise: what its schemas do not give away. */
  'x-examples'?: OperationExamples;
  [more: `x-${string}`]: unknown;
};
export type Document = {
  components: { schemas: Record<string, Schema>; [more: string]: unknown };
  paths: Record<string, Record<string, Operation>>;
  [more: string]: unknown;
};
