type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The values without those that are undefined. */
export function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
