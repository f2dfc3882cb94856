/** Floods the service from a process of its own: one event loop for both teams would measure the wait for the client of the flood. */
import { floodsOf, startFlood } from './neighbours-flood.ts';
import type { Neighbour } from './neighbours-world.ts';

/** `flood`: its name. */
export type FloodOrder = { url: string; team: Neighbour; flood: string };

const { url, team, flood } = JSON.parse(process.argv[2] ?? '{}') as FloodOrder;
const found = floodsOf().find(({ name }) => name === flood);
if (!found) throw new Error(`no flood is called ${flood}`);
const flooding = startFlood(url, team, found);
async function answer(): Promise<void> {
  process.send?.(await flooding.stop());
}
process.on('message', () => void answer());
process.on('SIGTERM', () => process.exit());
process.send?.({});
