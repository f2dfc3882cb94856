/** What is due when, soonest first; of the same time, in the order it was asked for: a binary heap. */
export type Timer = { at_ms: number; serial: number; fire: () => void; cancelled: boolean };

export class Timers {
  readonly #heap: Timer[] = [];
  #serial = 0;

  add(at_ms: number, fire: () => void): Timer {
    const timer = { at_ms, serial: this.#serial++, fire, cancelled: false };
    this.#heap.push(timer);
    this.#up(this.#heap.length - 1);
    return timer;
  }

  /** The soonest that was not cancelled. */
  take(): Timer | undefined {
    for (;;) {
      const first = this.#heap[0];
      const last = this.#heap.pop();
      if (first === undefined || last === undefined) return undefined;
      if (this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#down(0);
      }
      if (!first.cancelled) return first;
    }
  }

  #up(index: number): void {
    for (let child = index; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfSooner(child, parent)) return;
      child = parent;
    }
  }

  #down(index: number): void {
    for (let parent = index; ; ) {
      const left = 2 * parent + 1;
      if (left >= this.#heap.length) return;
      const right = left + 1;
      const child = right < this.#heap.length && this.#sooner(right, left) ? right : left;
      if (!this.#swapIfSooner(child, parent)) return;
      parent = child;
    }
  }

  #sooner(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a] as Timer, this.#heap[b] as Timer];
    return one.at_ms < other.at_ms || (one.at_ms === other.at_ms && one.serial < other.serial);
  }

  #swapIfSooner(child: number, parent: number): boolean {
    if (!this.#sooner(child, parent)) return false;
    const held = this.#heap[child] as Timer;
    this.#heap[child] = this.#heap[parent] as Timer;
    this.#heap[parent] = held;
    return true;
  }
}
