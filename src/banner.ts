import type { Config } from './config.ts';
import type { DemoLogin } from './first-user.ts';

export type Started = {
  url: string;
  network: string;
  database: string;
  demo_login: DemoLogin | null;
  warnings: string[];
};

/** What a person sees when the service is up: where it is, who may log in, and what to try next. */
export function banner(started: Started): string {
  const { url, network, database, demo_login, warnings } = started;
  const lines = [
    '',
    '  Stellar Teller is running.',
    '',
    `  URL       ${url}`,
    `  Network   ${network}`,
    `  Database  ${database}`,
  ];
  if (demo_login) lines.push(`  Log in    ${demo_login.email}  ${demo_login.password}`);
  for (const warning of warnings) lines.push('', `  Note: ${warning}`);
  if (demo_login) lines.push('', '  Try this in another terminal:', '', ...nextCommands(url, demo_login));
  return `${lines.join('\n')}\n\n`;
}

function nextCommands(url: string, { email, password }: DemoLogin): string[] {
  const field = (path: string) => `node -pe 'JSON.parse(fs.readFileSync(0)).data.${path}'`;
  return [
    `  TOKEN=$(curl -s ${url}/v1/auth/login -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify({ email, password })}' | ${field('token')})`,
    '',
    `  WALLET=$(curl -s ${url}/v1/wallets -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `    -d '{"name":"Main"}' | tee /dev/stderr | ${field('id')})`,
    '',
    `  curl -s ${url}/v1/wallets/$WALLET/addresses -H "Authorization: Bearer $TOKEN" \\`,
    `    -H 'Content-Type: application/json' -d '{"metadata":{"customer":"42"}}'`,
  ];
}

export function describeNetwork(config: Config, rpc_urls: string[]): string {
  return `${config.network} (${rpc_urls.join(', ')})`;
}
