/** Which running payouts get their next rows in a step, and how many. Pure. */

/** Each costs questions to the network. A team with more running payouts has others of them in the next second. */
const PAYOUTS_OF_TEAM = 8;
const TURN_MS = 1_000;

/**
 * Chooses the payouts that get their turn. Teams take turns: a payout of each team, then the next one of each. `share`: how
 * many of `room` places it may have; those of a team are shared by its payouts.
 */
export function inTurns<T extends { owner_id: string }>(
  running: T[],
  { room, now }: { room: number; now: Date },
): { payout: T; share: number }[] {
  const teams = [...Map.groupBy(running, ({ owner_id }) => owner_id).values()];
  const turn = Math.floor(now.getTime() / TURN_MS) * PAYOUTS_OF_TEAM;
  const of_team = Math.max(room, 0) / teams.length;
  const chosen = teams.map((payouts) => {
    const from = turn % payouts.length;
    const some = [...payouts.slice(from), ...payouts.slice(0, from)].slice(0, PAYOUTS_OF_TEAM);
    return some.map((payout) => ({ payout, share: Math.ceil(of_team / some.length) }));
  });
  return Array.from({ length: PAYOUTS_OF_TEAM }, (_, index) =>
    chosen.flatMap((some) => some[index] ?? []),
  ).flat();
}
