/** Types of what each operation of the API takes and returns, by operationId. */
import type { AccessChange, operations } from './contract.ts';

export type OperationId = keyof operations;

type Json<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never;
type Parameters<Id extends OperationId> = operations[Id]['parameters'];
type Responses<Id extends OperationId> = operations[Id]['responses'];

export type PathOf<Id extends OperationId> = [Parameters<Id>['path']] extends [undefined]
  ? unknown
  : Parameters<Id>['path'];
export type QueryOf<Id extends OperationId> = NonNullable<Parameters<Id>['query']>;
export type BodyOf<Id extends OperationId> = Json<NonNullable<operations[Id]['requestBody']>>;

type Told<Id extends OperationId> =
  Json<Responses<Id>[keyof Responses<Id>]> extends { data: infer Data } ? Data : unknown;

/** The `data` of the success response. A change of access that others must approve first is thrown: `AwaitsApproval`. */
export type DataOf<Id extends OperationId> = [Exclude<Told<Id>, AccessChange>] extends [never]
  ? Told<Id>
  : Exclude<Told<Id>, AccessChange>;

/** Path parameters, together with everything else that is sent. */
export type Given<Id extends OperationId> = PathOf<Id> & {
  query?: QueryOf<Id>;
  headers?: { 'idempotency-key': string };
  body?: BodyOf<Id>;
  signal?: AbortSignal;
};
