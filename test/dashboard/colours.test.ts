/** The dashboard, the page of the sandbox and the API reference look like one product. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COLOURS } from '../../dashboard/src/shell/colours.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the custom properties of the first rule of `css` whose text begins with `rule`. */
function propertiesOf(css: string, rule: string): Map<string, string> {
  const [, body = ''] = css.slice(css.indexOf(rule)).match(/\{([^}]*)\}/) ?? [];
  return new Map(
    [...body.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

for (const scheme of ['light', 'dark'] as const) {
  const { page, surface, text, dimmed, line, accent } = COLOURS[scheme];

  test(`the page of the sandbox has the colours of the dashboard, ${scheme}`, () => {
    const css = read('sandbox/page/page.css');
    const found = propertiesOf(scheme === 'dark' ? css.slice(css.indexOf('@media (prefers')) : css, ':root');
    const shown = ['ground', 'surface', 'ink', 'dim', 'line', 'accent'].map((name) => found.get(name));
    assert.deepEqual(shown, [page, surface, text, dimmed, line, accent]);
  });

  test(`the API reference has the colours of the dashboard, ${scheme}`, () => {
    const found = propertiesOf(read('src/api/reference/page.ts'), `.${scheme}-mode {`);
    const shown = ['background-1', 'color-1', 'color-2', 'border-color', 'color-accent'].map((name) =>
      found.get(`scalar-${name}`),
    );
    assert.deepEqual(shown, [page, text, dimmed, line, accent]);
    if (scheme === 'dark') assert.equal(found.get('scalar-background-2'), surface);
  });
}
