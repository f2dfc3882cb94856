/** Words for the goals of the webhooks bench. */
export const compared = (value: number, at_most: number) =>
  `${value.toFixed(2)} ×, ≤ ${at_most} ${value <= at_most ? 'met' : 'missed'}`;
export const comparedAtLeast = (value: number, at_least: number) =>
  `${value.toFixed(2)} ×, ≥ ${at_least} ${value >= at_least ? 'met' : 'missed'}`;
