/**
 * Clients for Go that oapi-codegen and ogen generate from docs/openapi.json without options that leave anything out. Each is
 * compiled with a program (go/), which pays at a running service. Where there is no Go, they are left out.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRunningService, unique } from '../../test/support/running-service.ts';

const PROGRAMS = join(import.meta.dirname, 'go');
/** `runtime`: what the generated code imports. */
const GENERATORS = [
  {
    name: 'oapi-codegen',
    tool: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
    runtime: 'github.com/oapi-codegen/runtime@v1.9.0',
    generate: (document: string) => ['-config', join(PROGRAMS, 'oapi-codegen', 'config.yaml'), document],
  },
  {
    name: 'ogen',
    tool: 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0',
    runtime: 'github.com/ogen-go/ogen@v1.24.0',
    generate: (document: string) => ['--target', 'teller', '--package', 'teller', '--clean', document],
  },
];
type Generator = (typeof GENERATORS)[number];

/** Returns true when every program pays, and null without Go. `tools`: a folder for what is installed and generated. */
export async function checkGoPrograms(document: string, tools: string): Promise<boolean | null> {
  if (spawnSync('go', ['version']).status !== 0) return null;
  const built = GENERATORS.map((generator) => ({ generator, program: build(generator, document, tools) }));
  const world = await startRunningService();
  try {
    const results: boolean[] = [];
    for (const { generator, program } of built) {
      const pays = program !== null && (await paysWith(program, world));
      console.log(`${pays ? 'ok  ' : 'FAIL'} ${generator.name}: a program that pays`);
      results.push(pays);
    }
    return results.every(Boolean);
  } finally {
    await world.stop();
  }
}

/** Returns the path of the program, or null when it cannot be generated or compiled. The output says why. */
function build({ name, tool, runtime, generate }: Generator, document: string, tools: string): string | null {
  const folder = join(tools, 'go', name);
  const bin = join(tools, 'go', 'bin');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'teller'), { recursive: true });
  writeFileSync(join(folder, 'go.mod'), 'module example.com/program\n\ngo 1.25\n');
  copyFileSync(join(PROGRAMS, name, 'main.go'), join(folder, 'main.go'));
  const run = (command: string, args: string[]) => {
    const env = { ...process.env, GOBIN: bin, GOFLAGS: '-mod=mod' };
    const { status, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0) console.error(stderr);
    return status === 0;
  };
  const isBuilt =
    run('go', ['install', tool]) &&
    run(join(bin, name), generate(document)) &&
    run('go', ['get', runtime]) &&
    run('go', ['mod', 'tidy']) &&
    run('go', ['build', '-o', 'program', '.']);
  return isBuilt ? join(folder, 'program') : null;
}

async function paysWith(
  program: string,
  world: Awaited<ReturnType<typeof startRunningService>>,
): Promise<boolean> {
  const wallet = await world.newWallet();
  const destination = await world.newWallet();
  const env = {
    ...process.env,
    TELLER_URL: world.service.url,
    TELLER_TOKEN: world.token,
    WALLET_ID: wallet.id,
    DESTINATION: destination.account,
    IDEMPOTENCY_KEY: unique('key'),
  };
  const { status, stdout, stderr } = spawnSync(program, [], { env, encoding: 'utf8' });
  if (status !== 0) console.error(stderr);
  return status === 0 && /^[0-9a-f]{64}\n$/.test(stdout);
}
