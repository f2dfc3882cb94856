/** The settings of the key provider: ours, and AWS's own variables, as programs for AWS read them. */

/** What config.ts has read. */
type Settings = {
  KEY_PROVIDER: 'local' | 'aws-kms' | 'pkcs11';
  KEY_CACHE_SECONDS: number;
  AWS_KMS_KEY_ID?: string | undefined;
  PKCS11_MODULE?: string | undefined;
  PKCS11_TOKEN_LABEL?: string | undefined;
  PKCS11_KEY_LABEL?: string | undefined;
  PKCS11_PIN_FILE?: string | undefined;
};

export type KeyProviderConfig =
  | { kind: 'aws-kms'; key_id: string; region: string; endpoint: URL }
  | { kind: 'pkcs11'; module: string; token_label: string; key_label: string; pin_file: string };

/** The variables that each provider needs. */
const NEEDED = {
  local: [],
  'aws-kms': ['AWS_KMS_KEY_ID'],
  pkcs11: ['PKCS11_MODULE', 'PKCS11_TOKEN_LABEL', 'PKCS11_KEY_LABEL', 'PKCS11_PIN_FILE'],
} as const;
const ALL = [...NEEDED['aws-kms'], ...NEEDED.pkcs11];

/** Returns a fault for each setting that is missing, and for each that belongs to another provider. */
export function keyProviderFaults(settings: Settings, environment: NodeJS.ProcessEnv): string[] {
  const { KEY_PROVIDER: kind } = settings;
  const needed: readonly string[] = NEEDED[kind];
  const faults = ALL.flatMap((name) => {
    const isSet = settings[name] !== undefined;
    if (needed.includes(name) && !isSet) return [`${name} is required with KEY_PROVIDER=${kind}`];
    if (!needed.includes(name) && isSet) return [`${name} is not for KEY_PROVIDER=${kind}`];
    return [];
  });
  if (kind === 'local' && settings.KEY_CACHE_SECONDS > 0)
    faults.push('KEY_CACHE_SECONDS is not for KEY_PROVIDER=local, which has nothing to keep');
  if (environment.PKCS11_PIN)
    faults.push('PKCS11_PIN is not read: put the PIN into a file, and set PKCS11_PIN_FILE to its path');
  if (kind === 'aws-kms' && settings.AWS_KMS_KEY_ID) {
    const region = regionOf(settings.AWS_KMS_KEY_ID, environment);
    if (!region)
      faults.push('AWS_REGION is required with KEY_PROVIDER=aws-kms, unless AWS_KMS_KEY_ID is an ARN');
    const endpoint = endpointText(environment);
    if (endpoint && !isEndpoint(endpoint))
      faults.push(
        'AWS_ENDPOINT_URL_KMS or AWS_ENDPOINT_URL must be a URL without path, https:// unless its host is loopback',
      );
  }
  return faults;
}

/** Returns the settings of the key provider; null for `local`. Call it when there are no faults. */
export function keyProviderConfig(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): KeyProviderConfig | null {
  const { KEY_PROVIDER, AWS_KMS_KEY_ID: key_id = '' } = settings;
  if (KEY_PROVIDER === 'local') return null;
  if (KEY_PROVIDER === 'pkcs11')
    return {
      kind: KEY_PROVIDER,
      module: settings.PKCS11_MODULE ?? '',
      token_label: settings.PKCS11_TOKEN_LABEL ?? '',
      key_label: settings.PKCS11_KEY_LABEL ?? '',
      pin_file: settings.PKCS11_PIN_FILE ?? '',
    };
  const region = regionOf(key_id, environment) ?? '';
  const endpoint = endpointText(environment) ?? `https://kms.${region}.${domainOf(region)}`;
  return { kind: KEY_PROVIDER, key_id, region, endpoint: new URL(endpoint) };
}

/** Returns the region of the key. A key can be used in its own region only, so its ARN comes first. */
function regionOf(key_id: string, { AWS_REGION, AWS_DEFAULT_REGION }: NodeJS.ProcessEnv): string | undefined {
  const [, , , of_key] = key_id.startsWith('arn:') ? key_id.split(':') : [];
  return of_key || AWS_REGION?.trim() || AWS_DEFAULT_REGION?.trim() || undefined;
}

function endpointText({ AWS_ENDPOINT_URL_KMS, AWS_ENDPOINT_URL }: NodeJS.ProcessEnv): string | undefined {
  return AWS_ENDPOINT_URL_KMS?.trim() || AWS_ENDPOINT_URL?.trim() || undefined;
}

/** Says whether data keys may pass there: in clear on this machine only. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url?.pathname !== '/' || url.search !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns the domain of AWS in a region. Source: AWS General Reference, "AWS Key Management Service endpoints and quotas". */
function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}
