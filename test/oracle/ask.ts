/** Runs a SQL query and gives its rows, with every bigint and numeric as a bigint. */
export type Ask = (sql: string, values?: unknown[]) => Promise<any[]>;
