/** Reads the text that Prometheus reads. */

export type Sample = { name: string; labels: Record<string, string>; value: number };

/** Every sample, in the order of the text. */
export function samplesOf(text: string): Sample[] {
  return [...text.matchAll(/^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, of]) => [label, of]),
      ),
      value: Number(value),
    }),
  );
}

/** The sum of the samples with this name and at least these labels; NaN where there is none. */
export function sampleOf(text: string, name: string, labels: Record<string, string> = {}): number {
  const found = samplesOf(text).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, of]) => sample.labels[label] === of),
  );
  return found.length === 0 ? Number.NaN : found.reduce((sum, { value }) => sum + value, 0);
}

/** The names of metrics that the text declares, with those that a histogram makes of its own. */
export function declaredNames(text: string): Set<string> {
  const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    declared.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}
