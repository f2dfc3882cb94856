/** Values of the examples in the API reference that several operations share: those of one wallet of one shop. */
export const WALLET = 'wal_01kf3m8z6q2r5t7v9x1c3e5g7j';
export const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
export const CUSTOMER = 'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H';
export const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
export const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAQAAAAAAAAAHEW6';
export const HASH = '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889';
export const MEMO_ID = 4503599627370497;
export const PASSWORD = 'brackish walnut tide 41';
export const CHALLENGE = 'q4v7l2Zb9RkXw1sY6nT3pC8dF5gH0jMa';
export const CLIENT_ID = sampleId('svu');
export const CLIENT_SECRET = 'svc_cs_6rZ8xQpT2vN4mK1sW7yB3cD5fG9hJ0lA';

export function sampleId(prefix: string): string {
  return `${prefix}_01kf3m8z6q2r5t7v9x1c3e5g7k`;
}
