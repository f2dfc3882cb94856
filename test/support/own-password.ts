/** As if the new member had chosen a password of their own long ago: nobody else could be that member. */
export async function haveOwnPassword(
  { query }: { query: (sql: string, values?: unknown[]) => Promise<unknown> },
  email: string,
): Promise<void> {
  const deleted = 'delete from known_passwords where user_id in (select id from users where email = $1)';
  await query(deleted, [email]);
}
