// `node schemas.mjs swagger.json FOLDER`: writes the schemas that kubeconform reads, from the OpenAPI document of Kubernetes
// (api/openapi-spec/swagger.json of the Go module k8s.io/kubernetes). Fields that a kind does not have become errors.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [source, folder] = process.argv.slice(2);
const { definitions } = JSON.parse(
  readFileSync(source, 'utf8').replaceAll('"#/definitions/', '"_definitions.json#/definitions/'),
);
for (const [name, definition] of Object.entries(definitions)) {
  if (name.endsWith('.IntOrString')) definitions[name] = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  else if (definition.properties) definition.additionalProperties = false;
}
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, '_definitions.json'), JSON.stringify({ definitions }));
for (const definition of Object.values(definitions)) {
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
    const suffix = [group.split('.')[0], version].filter(Boolean).join('-');
    writeFileSync(join(folder, `${kind}-${suffix}.json`.toLowerCase()), JSON.stringify(definition));
  }
}
