// The memory of a receiver, in a SQLite file: it credits each event once, whatever fails. Both receivers use it.
//
// | what happens | what follows |
// |---|---|
// | an event comes again, by whichever way | its id is remembered: nothing happens |
// | the credit fails, or the process dies before the commit | the event is not remembered either: it comes again, and is credited |
// | the process dies after the commit | the event comes again, and is known |
//
// An id is `webhook-id`, which the signature covers. Do the same in the database that has your customers' balances.
const { DatabaseSync } = await import('node:sqlite').catch(() => {
  console.error(
    `The receivers need SQLite, which is a part of Node from 22.13 on. This is Node ${process.versions.node}.` +
      '\nIn a checkout of the service "npx node" in place of "node" starts the Node 24 that it has.',
  );
  process.exit(1);
});

const SCHEMA = `
  create table if not exists handled (event_id text primary key, test_body text); -- the body of a test event, for its look-up
  create table if not exists credits (
    deposit_id text primary key, event_id text not null, metadata text, asset_code text not null, asset_issuer text,
    amount_stroops integer not null
  );
  create table if not exists places (stream text primary key, sequence integer not null);
`;

/** Opens the database in this file, and makes it when there is none. */
export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec(`pragma busy_timeout = 5000; ${SCHEMA}`);
  const remember = database.prepare(`
    insert into handled select id, case when body ->> '$.event' like '%.test' then body end
    from (select ? as id, ? as body) where true on conflict do nothing
  `);
  const told = database.prepare(`
    select count(*) as handled, cast(max(test_body ->> '$.data.amount_stroops') as text) as amount_stroops,
      (select count(*) from credits where credits.event_id = handled.event_id) as credited
    from handled where event_id = ? and test_body is not null
  `);
  const move = database.prepare('insert or replace into places values (?, ?)');
  const place = database.prepare('select sequence from places where stream = ?');
  place.setReadBigInts(true);
  return {
    prepare: (sql) => database.prepare(sql),

    /** Remembers the event and runs `work`, in one transaction. Does nothing, and returns false, when the event is known. */
    once(event_id, body, work) {
      database.exec('begin immediate'); // `work` awaits nothing, so no other event gets into its transaction
      try {
        const is_new = remember.run(event_id, body).changes === 1;
        if (is_new) work();
        database.exec('commit');
        return is_new;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },

    /**
     * Returns the answer to a look-up, which shows an exam what no status shows. It knows test events alone: a stranger who asks
     * learns nothing of customers.
     */
    lookUp(url) {
      const event_id = new URLSearchParams(url.split('?')[1]).get('handled');
      return event_id === null ? null : JSON.stringify(told.get(event_id));
    },

    /** Returns the number of the last event that was read from the service, of a wallet or an endpoint. */
    placeIn: (stream) => place.get(stream)?.sequence ?? 0n,
    /** Keeps this number. Call it when all events up to it are handled. */
    moveTo: (stream, sequence) => move.run(stream, sequence),
  };
}
