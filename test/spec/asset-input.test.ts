/** API.md section 5: every operation that takes an asset refuses what names none with 400 and the path, and keeps nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Account, Keypair, MuxedAccount, StrKey } from '@stellar/stellar-sdk/base';
import type { Answer } from '../support/api.ts';
import { type Issuer, newIssuer } from '../support/issuers.ts';
import { mistyped } from '../support/mistyped.ts';
import { assertError, joinService, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const { ledger, token } = world;

/** The tables that these requests write. The service also makes channel accounts and deposits by itself, in other tables. */
const TABLES = ['withdrawals', 'deposit_addresses', 'wallets'];

let usdc: Issuer;
let other: Issuer;
let wallet: Wallet;
let destination: string;
before(async () => {
  usdc = await newIssuer(ledger);
  other = await newIssuer(ledger, 'EURC');
  wallet = await world.newWallet();
  const foreign = await world.newWallet();
  for (const [holder, { fields }] of [
    [wallet, usdc],
    [foreign, other],
  ] as const) {
    const body = fields;
    assert.equal((await world.api('POST', `/v1/wallets/${holder.id}/assets`, { token, body })).status, 201);
  }
  await usdc.pay(wallet.account, 1_000n);
  destination = (await usdc.holder(0n)).publicKey();
});

/** What is there of the wallet's, on the ledger and in the database. */
async function kept() {
  const rows: number[] = [];
  for (const table of TABLES) rows.push(await world.countOf(table));
  const native = (await ledger.account(wallet.account))?.balance; // a transaction would have a fee
  return {
    rows,
    native,
    usdc: await usdc.balanceOf(wallet.account),
    paid: await usdc.balanceOf(destination),
  };
}

type Fault = { path: string; message: string };

/** Exactly these faults, in words that make a sentence after the name of the field. */
function assertFaults(answer: Answer, faults: Fault[], what: string): void {
  assertError(answer, 400, 'invalid_request');
  assert.deepEqual(answer.body.error.details, faults, `${what}: ${answer.text}`);
}

const add = (fields: object): Promise<Answer> =>
  world.api('POST', `/v1/wallets/${wallet.id}/assets`, { token, body: fields });
const withdraw = (fields: object, key?: string): Promise<Answer> =>
  world.withdraw(wallet, { destination, amount_stroops: 1n, ...fields }, key === undefined ? {} : { key });
const preview = (fields: object): Promise<Answer> => {
  const body = { destination, amount_stroops: 1n, ...fields };
  return world.api('POST', `/v1/wallets/${wallet.id}/withdraw/preview`, { token, body });
};
const payOnSandbox = (fields: object): Promise<Answer> => {
  const body = { destination, amount_stroops: 1n, ...fields };
  return world.api('POST', '/v1/sandbox/pay', { token, body });
};

/** The operations with an asset in their body. */
const OPERATIONS: [string, (fields: object) => Promise<Answer>][] = [
  ['POST …/assets', add],
  ['POST …/withdraw', withdraw],
  ['POST …/withdraw/preview', preview],
  ['POST /v1/sandbox/pay', payOnSandbox],
];

const CODE = 'must have 1 to 12 characters A–Z a–z 0–9';
const ISSUER = 'must be the address of an issuer (G…)';
const TOGETHER = 'is required: asset_code and asset_issuer come together';
const code = (message: string): Fault[] => [{ path: '/asset_code', message }];
const issuer = (message: string): Fault[] => [{ path: '/asset_issuer', message }];

/** Texts that are no code and no issuer, by what is wrong with them. */
const NO_CODES: Record<string, string> = {
  'of 0 characters': '',
  'of 13 characters': 'ABCDEFGHIJKLM',
  'with a hyphen': 'US-C',
  'with a space behind': 'USDC ',
  'with a space before': ' USDC',
  'with a line break': 'USDC\n',
  'with a digit of another script': 'USD٣',
  'with full-width letters': 'ＵＳＤＣ',
  'with a Cyrillic letter': 'USD\u0421',
  'with a zero-width space': 'US\u200BDC',
};
const noIssuers = (address: string): Record<string, string> => ({
  'in lower case': address.toLowerCase(),
  'with a wrong checksum': mistyped(address),
  'one character short': address.slice(0, -1),
  'one character long': `${address}A`,
  'with a space behind': `${address} `,
  'with a space before': ` ${address}`,
  'with a line break': `${address}\n`,
  'that is empty': '',
  'that is muxed': new MuxedAccount(new Account(address, '0'), '7').accountId(),
  'that is a contract': StrKey.encodeContract(Keypair.random().rawPublicKey()),
  'that is a seed': StrKey.encodeEd25519SecretSeed(Keypair.random().rawPublicKey()),
  'that is a federation name': 'anna*example.com',
});

/** For all operations with a body alike. */
function malformed(): [string, object, Fault[]][] {
  const { asset_code, asset_issuer } = usdc.fields;
  return [
    ...Object.entries(NO_CODES).map(([what, text]): [string, object, Fault[]] => [
      `a code ${what}`,
      { asset_code: text, asset_issuer },
      code(CODE),
    ]),
    ...Object.entries(noIssuers(asset_issuer)).map(([what, text]): [string, object, Fault[]] => [
      `an issuer ${what}`,
      { asset_code, asset_issuer: text },
      issuer(ISSUER),
    ]),
    ['a number as code', { asset_code: 7n, asset_issuer }, code('must be a string')],
    ['a list as code', { asset_code: ['USDC'], asset_issuer }, code('must be a string')],
    ['a boolean as issuer', { asset_code, asset_issuer: true }, issuer('must be a string')],
    ['an object as issuer', { asset_code, asset_issuer: {} }, issuer('must be a string')],
    ['both wrong', { asset_code: '', asset_issuer: 'G' }, [...code(CODE), ...issuer(ISSUER)]],
    [
      'native spelt as issued',
      { asset_code: 'native', asset_issuer },
      issuer('must be absent for the native asset'),
    ],
    [
      'the asset as one text',
      { asset_code, asset_issuer, asset: usdc.text },
      [{ path: '/asset', message: 'is not a known field' }],
    ],
  ];
}

/** One of two fields; `null` means absent. Both are required where an asset is added. */
function halves(): [string, object, Fault[]][] {
  const { asset_code, asset_issuer } = usdc.fields;
  return [
    ['a code alone', { asset_code }, issuer(TOGETHER)],
    ['a code with null', { asset_code, asset_issuer: null }, issuer(TOGETHER)],
    ['an issuer alone', { asset_issuer }, code(TOGETHER)],
    ['an issuer with null', { asset_code: null, asset_issuer }, code(TOGETHER)],
    ['XLM', { asset_code: 'XLM' }, issuer(TOGETHER)],
    ['NATIVE', { asset_code: 'NATIVE' }, issuer(TOGETHER)],
    ['Native with null', { asset_code: 'Native', asset_issuer: null }, issuer(TOGETHER)],
  ];
}

/** Well-formed, and nothing that the operation can act on. */
function unknown(): [string, object][] {
  const { asset_code, asset_issuer } = usdc.fields;
  return [
    ['an unknown code', { asset_code: 'XYZ', asset_issuer }],
    ['the code in lower case', { asset_code: 'usdc', asset_issuer }],
    ['an unknown issuer', { asset_code, asset_issuer: Keypair.random().publicKey() }],
    ['NATIVE with an issuer', { asset_code: 'NATIVE', asset_issuer }],
    ['XLM with an issuer', { asset_code: 'XLM', asset_issuer }],
    ['the asset of another wallet', other.fields],
  ];
}

for (const [operation, call] of OPERATIONS) {
  describe(operation, () => {
    it('400 names the field of what is no asset; nothing is kept', async () => {
      const before = await kept();
      for (const [what, fields, faults] of malformed()) assertFaults(await call(fields), faults, what);
      assert.deepEqual(await kept(), before);
    });

    it('400 names the field that is missing; nothing is kept', async () => {
      const before = await kept();
      const message = (faults: Fault[]) =>
        call === add ? faults.map(({ path }) => ({ path, message: 'is required' })) : faults;
      for (const [what, fields, faults] of halves()) assertFaults(await call(fields), message(faults), what);
      assert.deepEqual(await kept(), before);
    });
  });
}

describe('a well-formed asset that is unknown', () => {
  it('400 from POST …/withdraw: the wallet does not have it; the key stays free', async () => {
    const before = await kept();
    const key = unique('free');
    for (const [what, fields] of unknown()) {
      const answer = await withdraw(fields, key);
      assertFaults(answer, code('is not an asset of this wallet'), what);
    }
    assert.deepEqual(await kept(), before);
    const paid = await withdraw(usdc.fields, key);
    assert.equal(paid.body.data.status, 'confirmed', paid.text);
  });

  it('the preview says so, and that nothing would be sent', async () => {
    const before = await kept();
    for (const [what, fields] of unknown()) {
      const { status, body, text } = await preview(fields);
      assert.equal(status, 200, text);
      assert.equal(body.data.would_send, false, what);
      assert.match(body.data.problems[0].message, /does not have the asset/, what);
    }
    assert.deepEqual(await kept(), before);
  });

  it('400 from POST …/assets where the issuer is no account, or the wallet’s own', async () => {
    const before = await kept();
    const { asset_code } = usdc.fields;
    const absent = { asset_code, asset_issuer: Keypair.random().publicKey() };
    assertFaults(await add(absent), issuer('is no account of this network'), 'an unknown issuer');
    const own = await add({ asset_code, asset_issuer: wallet.account });
    assertFaults(
      own,
      issuer('is the account of this wallet, which needs no trust line for what it issues'),
      'the wallet',
    );
    assert.deepEqual(await kept(), before);
  });

  it('400 from POST /v1/sandbox/pay where it is no test asset', async () => {
    const before = await kept();
    for (const [what, fields] of [
      ...unknown(),
      ['an asset that is not one of its test assets', usdc.fields] as const,
    ])
      assertFaults(
        await payOnSandbox(fields),
        issuer('must be the issuer of a test asset: see getService'),
        what,
      );
    assert.deepEqual(await kept(), before);
  });
});

describe('native where an issued asset is meant', () => {
  it('POST …/assets requires both fields', async () => {
    const before = await kept();
    const both = [...code('is required'), ...issuer('is required')];
    for (const fields of [{}, { asset_code: null, asset_issuer: null }])
      assertFaults(await add(fields), both, JSON.stringify(fields));
    assertFaults(await add({ asset_code: 'native' }), issuer('is required'), 'native');
    assert.deepEqual(await kept(), before);
  });

  it('a withdrawal without the fields, with null, or of `native` is native', async () => {
    for (const fields of [
      {},
      { asset_code: null, asset_issuer: null },
      { asset_code: 'native' },
      { asset_code: 'native', asset_issuer: null },
    ]) {
      const { body } = await preview(fields);
      assert.deepEqual([body.data.asset_code, body.data.asset_issuer], ['native', null]);
    }
  });
});

describe('a body that names a field twice', () => {
  it('400 invalid_json, and nothing is kept: two readers could see two assets', async () => {
    const before = await kept();
    const { asset_code, asset_issuer } = usdc.fields;
    const twice = `"asset_code":"${asset_code}","asset_issuer":"${asset_issuer}","asset_code":"EURC"`;
    const payment = `"destination":"${destination}","amount_stroops":1`;
    const path = `/v1/wallets/${wallet.id}`;
    const escaped = twice.replace('"asset_code":"EURC"', '"\\u0061sset_code":"EURC"');
    const absent = `"asset_issuer":null,"asset_code":"${asset_code}","asset_issuer":"${asset_issuer}"`;
    for (const asset of [twice, escaped, absent]) {
      const answers = [
        await world.api('POST', `${path}/assets`, { token, body: `{${asset}}` }),
        await world.withdraw(wallet, `{${payment},${asset}}`),
        await world.api('POST', `${path}/withdraw/preview`, { token, body: `{${payment},${asset}}` }),
        await world.api('POST', '/v1/sandbox/pay', { token, body: `{${payment},${asset}}` }),
      ];
      for (const answer of answers) {
        assertError(answer, 400, 'invalid_json');
        assert.match(answer.body.message, /^The body has the member "asset_(code|issuer)" twice\.$/);
      }
    }
    assert.deepEqual(await kept(), before);
  });
});

describe('CODE:ISSUER in a path or query', () => {
  const WRONG = [{ path: 'asset', message: 'must be native or CODE:ISSUER' }];

  /** Texts that are no asset, as they are before they are encoded. */
  function texts(): Record<string, string> {
    const { asset_code, asset_issuer } = usdc.fields;
    return {
      'a code alone': 'USDC',
      XLM: 'XLM',
      NATIVE: 'NATIVE',
      'native with a space': 'native ',
      'native spelt as issued': `native:${asset_issuer}`,
      'native with a colon': 'native:',
      'a colon': ':',
      'no code': `:${asset_issuer}`,
      'no issuer': `${asset_code}:`,
      'a third part': `${usdc.text}:1`,
      'a space as separator': `${asset_code} ${asset_issuer}`,
      'a hyphen as separator, as explorers write it': `${asset_code}-${asset_issuer}`,
      'a full-width colon': `${asset_code}：${asset_issuer}`,
      'an asset that is encoded twice': encodeURIComponent(usdc.text),
      'issuer before code': `${asset_issuer}:${asset_code}`,
      ...Object.fromEntries(
        Object.entries(NO_CODES).map(([what, text]) => [`a code ${what}`, `${text}:${asset_issuer}`]),
      ),
      ...Object.fromEntries(
        Object.entries(noIssuers(asset_issuer)).map(([what, text]) => [
          `an issuer ${what}`,
          `${asset_code}:${text}`,
        ]),
      ),
    };
  }

  for (const [operation, method, path] of [
    ['GET …/assets/CODE:ISSUER', 'GET', 'assets/'],
    ['DELETE …/assets/CODE:ISSUER', 'DELETE', 'assets/'],
    ['GET …/statistics?asset=', 'GET', 'statistics?asset='],
  ] as const) {
    it(`${operation}: 400 for what is no asset; nothing is kept`, async () => {
      const before = await kept();
      for (const [what, text] of Object.entries(texts())) {
        const url = `/v1/wallets/${wallet.id}/${path}${encodeURIComponent(text)}`;
        assertFaults(await world.api(method, url, { token }), WRONG, what);
      }
      assert.deepEqual(await kept(), before);
    });
  }

  it('the native asset is no asset that can be shown alone or removed', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await world.api(method, `/v1/wallets/${wallet.id}/assets/native`, { token });
      assertFaults(answer, [{ path: 'asset', message: 'must be an issued asset' }], method);
    }
  });

  it('404 from DELETE for an asset that the wallet does not have, with nothing kept', async () => {
    const before = await kept();
    for (const [what, fields] of unknown()) {
      const { asset_code, asset_issuer } = fields as typeof usdc.fields;
      const path = `/v1/wallets/${wallet.id}/assets/${asset_code}:${asset_issuer}`;
      assert.equal((await world.api('DELETE', path, { token })).status, 404, what);
    }
    assert.deepEqual(await kept(), before);
  });

  it('the colon may be encoded or not', async () => {
    for (const text of [usdc.text, encodeURIComponent(usdc.text), usdc.text.replace(':', '%3a')]) {
      const { status, body } = await world.api('GET', `/v1/wallets/${wallet.id}/assets/${text}`, { token });
      assert.deepEqual([status, body.data.status], [200, 'active']);
      const statistics = `/v1/wallets/${wallet.id}/statistics?asset=${text}&days=1`;
      assert.equal((await world.api('GET', statistics, { token })).status, 200);
    }
  });

  it('statistics take one asset, once', async () => {
    const path = `/v1/wallets/${wallet.id}/statistics`;
    const twice = await world.api('GET', `${path}?asset=native&asset=${usdc.text}`, { token });
    assertFaults(twice, [{ path: 'asset', message: 'is given more than once' }], 'twice');
    const fields = await world.api('GET', `${path}?asset_code=USDC`, { token });
    assertFaults(fields, [{ path: 'asset_code', message: 'is not a known field' }], 'the name of a body');
  });
});

describe('operations that take no asset', () => {
  it('400 where one is named: it would be ignored', async () => {
    const { fields } = usdc;
    const faults = [
      { path: '/asset_code', message: 'is not a known field' },
      { path: '/asset_issuer', message: 'is not a known field' },
    ];
    const path = `/v1/wallets/${wallet.id}`;
    const refund = await world.api('POST', `${path}/deposits/dep_1/refund`, { token, body: fields });
    assertFaults(refund, faults, 'a refund pays back the asset of its deposit');
    const address = await world.api('POST', `${path}/addresses`, { token, body: fields });
    assertFaults(address, faults, 'an address takes any asset');
    const listed = await world.api('GET', `${path}/withdrawals?asset=${usdc.text}`, { token });
    assertFaults(listed, [{ path: 'asset', message: 'is not a known field' }], 'withdrawals');
  });
});

describe('the OpenAPI document', () => {
  it('has patterns that say the same as the service', async () => {
    const { schemas } = (await world.api('GET', '/openapi.json')).body.components;
    const pattern = (name: string) => new RegExp(schemas[name].pattern, 'u');
    const { asset_code, asset_issuer } = usdc.fields;
    for (const text of [asset_code, 'a', 'ABCDEFGHIJKL', 'native', '0'])
      assert.match(text, pattern('AssetCode'));
    for (const [what, text] of Object.entries(NO_CODES))
      assert.doesNotMatch(text, pattern('AssetCode'), what);
    assert.match(asset_issuer, pattern('AssetIssuer'));
    // No pattern can compute a checksum.
    for (const [what, text] of Object.entries(noIssuers(asset_issuer)))
      if (text !== mistyped(asset_issuer)) assert.doesNotMatch(text, pattern('AssetIssuer'), what);
    for (const text of ['native', usdc.text]) assert.match(text, pattern('AssetText'));
    for (const [what, text] of Object.entries({
      'native spelt as issued': `native:${asset_issuer}`,
      XLM: 'XLM',
      long: `${usdc.text}:1`,
    }))
      assert.doesNotMatch(text, pattern('AssetText'), what);
  });
});
