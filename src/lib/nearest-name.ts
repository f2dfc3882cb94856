/**
 * Finds the candidate that `name` probably means: the one with the fewest typing errors (a letter too many, missing, wrong, or
 * swapped with its neighbour). Null when even the best one has more than one error in six letters.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  let best: { candidate: string; errors: number } | null = null;
  for (const candidate of candidates) {
    const most = Math.max(1, Math.floor(candidate.length / 6));
    if (Math.abs(name.length - candidate.length) > most) continue; // as many letters are too many or missing
    const errors = typingErrors(name.toLowerCase(), candidate.toLowerCase());
    if (errors <= most && errors < (best?.errors ?? Infinity)) best = { candidate, errors };
  }
  return best?.candidate ?? null;
}

/** Computes the optimal string alignment distance: Levenshtein's, with swapped neighbours as one error. */
function typingErrors(a: string, b: string): number {
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const wrong = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? at(before, column - 2) + 1 : Infinity;
      const added = Math.min(at(previous, column), at(current, column - 1)) + 1;
      current.push(Math.min(added, at(previous, column - 1) + wrong, swapped));
    }
    [before, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}
