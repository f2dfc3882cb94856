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
  create table if not exists handled (event_id text primary key);
  create table if not exists credits (
    deposit_id text primary key, metadata text, asset_code text not null, asset_issuer text, amount_stroops integer not null
  );
  create table if not exists places (stream text primary key, sequence integer not null);
`;

/** Opens the database in this file, and makes it when there is none. */
export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec(`pragma busy_timeout = 5000; ${SCHEMA}`);
  const remember = database.prepare('insert into handled values (?) on conflict do nothing');
  const move = database.prepare('insert or replace into places values (?, ?)');
  const place = database.prepare('select sequence from places where stream = ?');
  place.setReadBigInts(true);
  return {
    prepare: (sql) => database.prepare(sql),

    /** Remembers the event and runs `work`, in one transaction. Does nothing, and returns false, when the event is known. */
    once(event_id, work) {
      database.exec('begin immediate'); // `work` awaits nothing, so no other event gets into its transaction
      try {
        const is_new = remember.run(event_id).changes === 1;
        if (is_new) work();
        database.exec('commit');
        return is_new;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },

    /** Returns the number of the last event that was read from the service, of a wallet or an endpoint. */
    placeIn: (stream) => place.get(stream)?.sequence ?? 0n,
    /** Keeps this number. Call it when all events up to it are handled. */
    moveTo: (stream, sequence) => move.run(stream, sequence),
  };
}
