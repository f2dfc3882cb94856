/** `teller sandbox pay`, `authorize`, `revoke`, `claw-back`, `contract`, `upgrade`: test money, contracts and the protocol on the network of a running sandbox. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../config.ts';

/** Those of the sandbox, which is loaded only when it is needed. */
const PROTOCOLS = [26, 27, 28, 30] as const;
const NEWEST_PROTOCOL = 30;

const AMOUNT = 'amount in units, like 25 or 0.5';

export function sandboxCommands(sandbox: Command): void {
  sandbox
    .command('pay')
    .description('pay an address from a funded test account, for example to see a deposit arrive')
    .argument('<destination>', 'G… or M… address')
    .argument('<amount>', AMOUNT)
    .option('--asset <asset>', 'a test asset, CODE or CODE:ISSUER, paid by its issuer (default: native)')
    .option('--memo-id <id>', 'memo id of the payment, for a G… address')
    .action(async (destination: string, amount: string, options: { memoId?: string; asset?: string }) => {
      const { payOnSandbox } = await import('../sandbox/sandbox-network.ts');
      const { memoId: memo_id, asset } = options;
      const order = { destination, amount, memo_id, asset };
      process.stdout.write(await payOnSandbox(await sandboxConfig(), order));
    });

  sandbox
    .command('contract')
    .description('make a contract (C…) that can be paid, like a smart wallet')
    .action(async () => {
      const { deployOnSandbox } = await import('../sandbox/sandbox-network.ts');
      process.stdout.write(await deployOnSandbox(await sandboxConfig()));
    });

  sandbox
    .command('upgrade')
    .description('upgrade the protocol of the network with its next ledger')
    .addOption(protocolOption('protocol to upgrade to').default(NEWEST_PROTOCOL))
    .action(async ({ protocol }: { protocol: number }) => {
      const { upgradeSandbox } = await import('../sandbox/sandbox-network.ts');
      process.stdout.write(await upgradeSandbox(await sandboxConfig(), protocol));
    });

  forTrustLine(sandbox, 'authorize', 'let a trust line receive and send, as the issuer').action(
    (address: string, { asset }: Named) => change('authorize', { address, asset }),
  );
  forTrustLine(sandbox, 'revoke', 'forbid a trust line to receive and send, as the issuer').action(
    (address: string, { asset }: Named) => change('revoke', { address, asset }),
  );
  forTrustLine(sandbox, 'claw-back', 'take an amount out of a trust line, as the issuer')
    .argument('<amount>', AMOUNT)
    .action((address: string, amount: string, { asset }: Named) =>
      change('claw-back', { address, asset, amount }),
    );
}

/** Makes the option `--protocol`, for the commands that begin or upgrade a sandbox. */
export function protocolOption(description: string): Option {
  return new Option('--protocol <number>', `${description}: ${PROTOCOLS.join(', ')}`).argParser((text) => {
    const known = PROTOCOLS.find((protocol) => `${protocol}` === text);
    if (known === undefined) throw new InvalidArgumentError(`It must be one of ${PROTOCOLS.join(', ')}.`);
    return known;
  });
}

/** Reads the configuration, and adds the URL of the sandbox that these commands are about. */
async function sandboxConfig(): Promise<Config> {
  const config = readConfig(process.env);
  const { findSandboxUrl } = await import('../sandbox/sandbox-network.ts');
  return { ...config, rpc_urls: [await findSandboxUrl(config)] };
}

type Named = { asset: string };

function forTrustLine(sandbox: Command, name: string, description: string): Command {
  return sandbox
    .command(name)
    .description(description)
    .argument('<address>', 'G… or M… address of the holder')
    .requiredOption('--asset <asset>', 'a test asset, CODE or CODE:ISSUER');
}

async function change(
  action: 'authorize' | 'revoke' | 'claw-back',
  order: { address: string; asset: string; amount?: string },
): Promise<void> {
  const { changeTrustLine } = await import('../sandbox/sandbox-network.ts');
  process.stdout.write(await changeTrustLine(await sandboxConfig(), action, order));
}
