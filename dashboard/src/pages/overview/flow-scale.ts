/** Pure: the scale of the chart. Deposits go up from zero and withdrawals down, in the same measure. */

/** How many parts between two lines of the chart are wanted. */
const PARTS = 4;
/** The steps that people read at once. */
const STEPS = [1, 2, 5, 10];

/** `top` and `bottom`: the ends of the chart, `bottom` zero or below. `lines`: the values at which the chart has a line, zero among them. */
export type FlowScale = { top: number; bottom: number; lines: number[] };

/** Returns the scale for the largest deposits and the largest withdrawals of a day, both zero or above. */
export function flowScale(deposits: number, withdrawals: number): FlowScale {
  const step = readableStep((deposits + withdrawals) / PARTS);
  const below = Math.ceil(withdrawals / step);
  const above = Math.max(Math.ceil(deposits / step), below === 0 ? 1 : 0); // an empty chart has a height too
  const lines = Array.from({ length: above + below + 1 }, (_, index) => (index - below) * step);
  return { top: above * step, bottom: below === 0 ? 0 : -below * step, lines };
}

function readableStep(wanted: number): number {
  if (wanted <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = STEPS.find((each) => each * power >= wanted) ?? 10;
  return step * power;
}
