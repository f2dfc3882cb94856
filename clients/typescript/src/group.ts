/** What the generated groups of methods stand on, and the types of what they take and give. */
import { unexpected } from './answers.ts';
import type { operations } from './contract.ts';
import { Csv } from './csv.ts';
import { type Page, Pages } from './pages.ts';
import type { CallOptions, Input, Send } from './transport.ts';

type Named = keyof operations;
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Id extends Named> = operations[Id]['responses'];
type DataOf<Answer> = Answer extends { data: infer Value } ? Value : never;

/** `data` of an answer. */
export type Data<Id extends Named> = DataOf<Json<Responses<Id>[keyof Responses<Id>]>>;
/** An item of a list. */
export type Item<Id extends Named> = Data<Id> extends { items: (infer Value)[] } ? Value : never;
/** What a list can be narrowed down by. */
export type Query<Id extends Named> = Omit<
  NonNullable<operations[Id]['parameters']['query']>,
  'cursor' | 'format'
>;
/** The members of a body. */
export type Body<Id extends Named> = operations[Id] extends { requestBody?: infer Given }
  ? Json<NonNullable<Given>>
  : never;

/** What a CSV can be narrowed down by: it has no pages. */
export type CsvQuery<Id extends Named> = Omit<Query<Id>, 'limit'>;

export class Group {
  protected readonly send: Send;

  constructor(send: Send) {
    this.send = send;
  }

  protected async dataOf<Id extends Named>(
    id: Id,
    path: Record<string, string>,
    input: object,
    options: CallOptions,
  ): Promise<Data<Id>> {
    return (await this.send(id, path, input as Input, options)).data as Data<Id>;
  }

  protected pagesOf<Id extends Named>(
    id: Id,
    path: Record<string, string>,
    query: object,
    options: CallOptions,
  ): Pages<Item<Id>> {
    return new Pages(async (cursor) => {
      const answer = await this.send(id, path, { ...query, cursor }, options);
      if (!Array.isArray(answer.data.items)) throw unexpected(answer, 'is no list');
      return answer.data as Page<Item<Id>>;
    });
  }

  protected csvOf<Id extends Named>(
    id: Id,
    path: Record<string, string>,
    query: object,
    options: CallOptions,
  ): Csv {
    return new Csv(async () => {
      const answer = await this.send(id, path, { ...query, accept: 'text/csv' }, options);
      if (!answer.csv) throw unexpected(answer, 'is no CSV');
      return answer.csv;
    });
  }
}
