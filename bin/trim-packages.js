// Removes from node_modules what no program here reads: 136 of 470 MB. npm runs this at the end of `npm ci`, on any Node.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundled-node.js';

const modules = join(root, 'node_modules');
const system = `${process.platform}-${process.arch}`;

const unread = [
  `node-${system}/include`, // C headers, to compile parts of Node
  `node-${system}/share`, // the manual page
  '@stellar/stellar-sdk/dist', // bundles for browsers
  '@stellar/stellar-sdk/lib/axios', // the SDK with another HTTP client
  '@stellar/stellar-sdk/lib/cjs', // the SDK for programs that use require()
  ...ofOtherSystems('sodium-native/prebuilds'),
];
for (const folder of unread) rmSync(join(modules, folder), { recursive: true, force: true });

/** Returns the folders in `folder` that hold the programs of other systems; none where the program of this system is not there. */
function ofOtherSystems(folder) {
  if (!existsSync(join(modules, folder, system))) return [];
  const others = readdirSync(join(modules, folder)).filter((name) => name !== system);
  return others.map((name) => `${folder}/${name}`);
}
