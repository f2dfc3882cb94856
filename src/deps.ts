import type { Config } from './config.ts';
import type { Connections } from './db/connections.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import type { Traces } from './lib/traces.ts';
import type { Mailer } from './outgoing/mailer.ts';
import type { HomeDomains } from './stellar/home-domains/home-domains.ts';
import type { Stellar, TrustLine } from './stellar/stellar.ts';
import type { KeyJournal } from './vault/key-journal.ts';
import type { Keys } from './vault/keys.ts';

/** What somebody else has made of a trust line of a wallet, by a transaction of this ledger. */
export type ChangedLine = {
  wallet_id: string;
  asset_code: string;
  asset_issuer: string;
  authorization: TrustLine['authorization'];
  ledger: number;
};

/** Everything a slice may use. `connect` of cli/connect.ts makes it, tests make their own, and both hand it down. */
export type Deps = Connections &
  Keys & {
    config: Config;
    stellar: Stellar;
    /** What domains of issuers say of assets; connects to nothing unless the operator allows it. */
    home_domains: HomeDomains;
    /** Returns each asset as its GET shows it, in the same order, for events. Reads the network for 5 s at most: not in a transaction. */
    showChangedLines(changed: ChangedLine[]): Promise<object[]>;
    /** Null: the operator has named no mail server. */
    mailer: Mailer | null;
    key_journal: KeyJournal;
    /**
     * Runs `work`, which seals something and commits it. A rotation of the master key may come between the two: then the database
     * refuses the row, and `work` runs once more, and seals with the new key. Everything that seals must do so within `work`.
     */
    withSealingKey<T>(work: () => Promise<T>): Promise<T>;
    clock: Clock;
    log: Log;
    metrics: Metrics;
    traces: Traces;
  };
