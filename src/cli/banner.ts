import type { Config } from '../config.ts';
import type { DemoLogin } from './first-user.ts';

export type Started = {
  url: string;
  network: string;
  database: string;
  metrics: string;
  demo_login: DemoLogin | null;
  warnings: string[];
};

/** Returns the text for a person when the service is up: URLs, the demo login and commands to try. */
export function banner({ url, network, database, metrics, demo_login, warnings }: Started): string {
  const lines = ['  Stellar Teller is running.', ''];
  lines.push(`  URL       ${url}`, `  Network   ${network}`, `  Database  ${database}`);
  lines.push(`  Metrics   ${metrics}`);
  if (demo_login) lines.push(`  Log in    ${demo_login.email}  ${howToLogIn(demo_login)}`);
  for (const warning of warnings) lines.push('', `  Note: ${warning}`);
  lines.push('', '  Try this in another terminal:', '', ...nextCommands(url, demo_login));
  return `\n${lines.join('\n')}\n\n`;
}

function howToLogIn({ password, disabled }: DemoLogin): string {
  if (disabled) return 'is disabled (see "teller user enable")';
  return password ?? 'with the password that you have set';
}

/** Returns commands for any shell with curl. Node reads the responses, because it is certainly installed. */
function nextCommands(url: string, demo_login: DemoLogin | null): string[] {
  const login = {
    email: demo_login?.email ?? 'YOUR-EMAIL',
    password: demo_login?.password ?? 'YOUR-PASSWORD',
  };
  const json = `-H 'Content-Type: application/json'`;
  const bearer = `-H "Authorization: Bearer $TOKEN"`;
  const field = (name: string) => `node -pe 'JSON.parse(fs.readFileSync(0)).data.${name}'`;
  return [
    `  TOKEN=$(curl -s ${url}/v1/auth/login ${json} \\`,
    `    -d '${JSON.stringify(login)}' | ${field('token')})`,
    '',
    `  WALLET=$(curl -s ${url}/v1/wallets ${bearer} ${json} \\`,
    `    -d '{"name":"Main"}' | ${field('id')})`,
    '',
    `  curl -s ${url}/v1/wallets/$WALLET/addresses ${bearer} ${json} \\`,
    `    -d '{"metadata":{"customer":"42"}}'`,
  ];
}

/** Describes the network with only the origins of its URLs: the path of a hosted node's URL often contains its access key. */
export function describeNetwork(config: Config): string {
  const urls = [...config.rpc_urls, ...config.horizon_urls];
  return `${config.network} (${urls.map((url) => new URL(url).origin).join(', ')})`;
}
