/** Which requests may wait for news. A request without a place is answered at once with what is known. */

/** `done`: ends the wait. */
export type Place = { team_id: string; wallet_id: string; done: AbortController };

export type WaitingPlaces<P extends Place> = {
  all(): IterableIterator<P>;
  /** Takes a place. Returns false when the wallet or the team has its share, or all places are taken and no team has more of them. */
  take(place: P): boolean;
  leave(place: P): void;
  /** Returns true when the place was taken from this request for one of a team that has fewer. */
  wasTaken(place: P): boolean;
};

/** Creates the places. With all places taken, the oldest request of the team with the most of them makes room for a team with fewer. */
export function createWaitingPlaces<P extends Place>(most: {
  in_all: number;
  of_team: number;
  of_wallet: number;
}): WaitingPlaces<P> {
  /** Oldest first. */
  const teams = new Map<string, Set<P>>();
  const of_wallet = new Map<string, number>();
  const taken = new WeakSet<P>();
  let count = 0;

  function remove(place: P): void {
    const team = teams.get(place.team_id);
    if (!team?.delete(place)) return;
    if (team.size === 0) teams.delete(place.team_id);
    const left = (of_wallet.get(place.wallet_id) ?? 0) - 1;
    if (left > 0) of_wallet.set(place.wallet_id, left);
    else of_wallet.delete(place.wallet_id);
    count--;
  }

  function makeRoom(size: number): boolean {
    if (count < most.in_all) return true;
    const largest = [...teams.values()].reduce((a, b) => (b.size > a.size ? b : a), new Set<P>());
    const [oldest] = largest;
    if (!oldest || largest.size <= size + 1) return false;
    remove(oldest);
    taken.add(oldest);
    oldest.done.abort();
    return true;
  }

  return {
    *all() {
      for (const team of teams.values()) yield* team;
    },
    take(place) {
      const { team_id, wallet_id } = place;
      const size = teams.get(team_id)?.size ?? 0;
      if (size >= most.of_team || (of_wallet.get(wallet_id) ?? 0) >= most.of_wallet || !makeRoom(size))
        return false;
      teams.set(team_id, (teams.get(team_id) ?? new Set<P>()).add(place));
      of_wallet.set(wallet_id, (of_wallet.get(wallet_id) ?? 0) + 1);
      count++;
      return true;
    },
    leave: remove,
    wasTaken: (place) => taken.has(place),
  };
}
