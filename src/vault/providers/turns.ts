/** Lets a fixed number of works run at once; the others wait, in their order. */
type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(count: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < count) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
