/**
 * Writes the types, operations and methods of clients/python from docs/openapi.json, or with --check says whether they are
 * up to date. It needs no Python. The methods are those for tasks (asyncio, trio): the build of the package writes those
 * for threads from them (clients/python/hatch_build.py).
 */
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { className, groupNames, groupsText, operationsText } from './python-client/groups.ts';
import { type Document, readOperations } from './python-client/operations.ts';
import { Types } from './python-client/types.ts';

const root = join(import.meta.dirname, '..');
const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));

const document: Document = read('docs', 'openapi.json');
const types = new Types(document.components.schemas);
const operations = readOperations(document, types);
const events = Object.entries(document.webhooks).map(([name, { post }]) => {
  const { schema } = post.requestBody.content?.['application/json'] ?? {};
  assert(schema?.$ref, `the body of ${name} has no name`);
  return { name, type: types.of(schema, name) };
});

const WRITTEN = 'Written by scripts/python-client.ts from docs/openapi.json.';

const models = `"""The resources of the API as types. ${WRITTEN}"""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, final

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


${types.text()}

KnownEvent = (
    ${events.map(({ type }) => type).join('\n    | ')}
)
"""Bodies of the events of this version. A type whose name ends with test is a test event: it looks like a real one, and nobody has paid."""

EVENTS = frozenset(
    (
${events.map(({ name }) => `        ${JSON.stringify(name)},\n`).join('')}    )
)
"""The names of them."""
`;

const constants = `"""The operations of the API. ${WRITTEN}"""

from __future__ import annotations

from typing import Any

from . import models
from ._core import Operation

${operationsText(operations)}`;

const groups = `"""The methods of the client, in groups. ${WRITTEN}"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _operations as op
from . import models
from ._async import AsyncCsv, AsyncDriver, AsyncGroup, AsyncListing, EventsBase, PayoutsBase, WithdrawalsBase
from ._core import Call


${groupsText(operations)}class AsyncGroups:
    """What every client has."""

    def __init__(self, driver: AsyncDriver) -> None:
${groupNames(operations)
  .map((group) => `        self.${group} = ${className(group)}(driver)\n`)
  .join('')}`;

const FILES: Record<string, string> = {
  'models.py': models,
  '_operations.py': constants,
  '_async_groups.py': groups,
};

for (const [name, text] of Object.entries(FILES)) {
  const file = join(root, 'clients', 'python', 'src', 'stellar_teller', name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`clients/python/…/${name} differs from docs/openapi.json: run "npm run openapi".`);
    process.exitCode = 1;
  }
}
