/** The withdrawals that are refused: none leaves a row, a payment or a used key. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { Account, Keypair, MuxedAccount, Operation, StrKey } from '@stellar/stellar-sdk/base';
import type { Answer } from '../support/api.ts';
import { mistyped } from '../support/mistyped.ts';
import { rawCall } from '../support/raw-http.ts';
import { assertError, assertFault, joinService, unique } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const wallet = await world.newWallet();
const payee = (await world.ledger.fund()).publicKey();

const muxed = (account: string, id: string) => new MuxedAccount(new Account(account, '0'), id).accountId();

/** The key of each test, which is free again after it: nothing was kept. */
let key: string;
let balance: bigint | undefined;
let rows: number;
beforeEach(async () => {
  rows = await world.countOf('withdrawals');
  key = unique('refused');
  balance = (await world.ledger.account(wallet.account))?.balance;
});

async function assertNothingKept(): Promise<void> {
  assert.equal(await world.countOf('withdrawals'), rows, 'no row is kept');
  assert.equal((await world.ledger.account(wallet.account))?.balance, balance);
}

const withdraw = (body: unknown): Promise<Answer> => world.withdraw(wallet, body, { key });

describe('amount_stroops must be an integer greater than 0', () => {
  // biome-ignore format: a table
  const refused = [
    '0', '-0', '-1', '1.0', '1.5', '1e7', '1E7', '1e0', '10e-1', '"1"', '"abc"', '""', 'true', 'false', '[]', '[1]',
    '{}', '9223372036854775808', '18446744073709551616', '-9223372036854775809', '1e400', '0.0000001',
    `1${'0'.repeat(400)}`,
  ];
  for (const literal of refused) {
    it(`${literal.slice(0, 25)} is refused with 400 at /amount_stroops`, async () => {
      assertFault(
        await withdraw(`{"destination":"${payee}","amount_stroops":${literal}}`),
        '/amount_stroops',
      );
      await assertNothingKept();
    });
  }

  for (const literal of ['01', '+1', '0x10', '1_000', 'NaN', 'Infinity', '1n', '.5', '1.']) {
    it(`${literal} is not JSON: 400`, async () => {
      const answer = await withdraw(`{"destination":"${payee}","amount_stroops":${literal}}`);
      assertError(answer, 400, 'invalid_json');
      await assertNothingKept();
    });
  }

  it('is required, and null means absent', async () => {
    assertFault(await withdraw({ destination: payee }), '/amount_stroops');
    assertFault(await withdraw({ destination: payee, amount_stroops: null }), '/amount_stroops');
    await assertNothingKept();
  });
});

describe('memo_id is an integer from 0 to 18446744073709551615', () => {
  for (const literal of ['-1', '18446744073709551616', '1.0', '1e3', '"1"', '""', 'true', '[]', '{}']) {
    it(`${literal} is refused with 400 at /memo_id`, async () => {
      const body = `{"destination":"${payee}","amount_stroops":1,"memo_id":${literal}}`;
      assertFault(await withdraw(body), '/memo_id');
      await assertNothingKept();
    });
  }
});

describe('unknown and repeated members are refused', () => {
  it('a misspelt memoid must not send money without its memo', async () => {
    assertFault(await withdraw({ destination: payee, amount_stroops: 1, memoid: 5 }), '/memoid');
    await assertNothingKept();
  });

  for (const name of ['__proto__', 'constructor', 'toString', 'status', 'fee', 'Amount_stroops', '']) {
    it(`a member named "${name}" is one`, async () => {
      const body = `{"destination":"${payee}","amount_stroops":1,"${name}":{"memo_id":1}}`;
      assertError(await withdraw(body), 400, 'invalid_request');
      await assertNothingKept();
    });
  }

  it('a member given twice is refused, the same value or not, escaped or not', async () => {
    for (const second of ['"amount_stroops":2', '"amount_stroops":1', '"amount\\u005fstroops":2']) {
      const answer = await withdraw(`{"destination":"${payee}","amount_stroops":1,${second}}`);
      assertError(answer, 400);
    }
    await assertNothingKept();
  });

  for (const body of ['[]', '"text"', '5', 'null', 'true', '[{"destination":"x"}]', '{}', '']) {
    it(`a body ${body || 'of nothing'} is refused with 400`, async () => {
      assertError(await withdraw(body), 400);
      await assertNothingKept();
    });
  }
});

it('a reference of more than 100 characters, one with a control character, and another type: 400 at /reference', async () => {
  for (const reference of ['x'.repeat(101), '🧾'.repeat(101), 'two\tparts', 'two\nlines', 5, true, ['x']])
    assertFault(await withdraw({ destination: payee, amount_stroops: 5, reference }), '/reference');
  assertError(await withdraw({ destination: payee, amount_stroops: 5, reference: 'a\u0000b' }), 400);
  await assertNothingKept();
});

describe('a destination that is no valid G…, M…, C… or W… strkey is refused with 400 at /destination', () => {
  const key_bytes = Keypair.random().rawPublicKey();
  const account = StrKey.encodeEd25519PublicKey(key_bytes);
  const spoilt = muxed(account, '5');
  const cases: Record<string, string> = {
    'a secret seed S…': Keypair.random().secret(),
    'a contract with a wrong checksum': mistyped(StrKey.encodeContract(key_bytes)),
    // Invalid muxed contracts of another implementation (sandbox/testing/recordings/protocol-30).
    'a muxed contract with a wrong checksum':
      'WA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAEGHA',
    'a muxed contract with one letter less':
      'WA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAEGH',
    'a muxed contract with other bits in its version':
      'W47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAHHWW',
    'a contract alone under W': 'WA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSQ7',
    'a pre-authorised hash T…': StrKey.encodePreAuthTx(key_bytes),
    'a hash X…': StrKey.encodeSha256Hash(key_bytes),
    'a federation name': 'bob*example.com',
    'a wrong checksum': mistyped(account),
    'a muxed address with a wrong checksum': spoilt.slice(0, -1) + (spoilt.endsWith('Q') ? 'A' : 'Q'),
    'lower case': account.toLowerCase(),
    'one letter less': account.slice(0, -1),
    'one letter more': `${account}A`,
    'padding characters': `${spoilt}===`,
    'a space before': ` ${account}`,
    'a line break after': `${account}\n`,
    'the empty string': '',
    'a very long text': 'G'.repeat(10_000),
    'letters that upper case to ASCII': account.replace(/^G./, 'Gı'),
    'an e-mail address': 'bob@example.com',
    // SEP-23's own examples of invalid strkeys.
    'length 54': 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'.slice(0, 54),
    'unused trailing bits not zero': 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLR',
    'length 6 modulo 8': 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'.slice(0, -1),
    'a wrong algorithm in the version byte': 'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I',
    'a wrong version byte': 'M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
  };
  for (const [name, destination] of Object.entries(cases)) {
    it(name, async () => {
      assertFault(await withdraw({ destination, amount_stroops: 5 }), '/destination');
      await assertNothingKept();
    });
  }

  it('a NUL in it is refused too', async () => {
    assertError(await withdraw({ destination: `${account}\u0000`, amount_stroops: 5 }), 400);
    await assertNothingKept();
  });

  it('another type, or none', async () => {
    for (const destination of [5, true, [payee], { account: payee }, null, undefined]) {
      assertFault(await withdraw({ destination, amount_stroops: 5 }), '/destination');
    }
    await assertNothingKept();
  });
});

describe('whom the money is for must be clear', () => {
  it('M… and a memo_id that differs from its id: 400 ambiguous_destination', async () => {
    for (const [id, memo_id] of [
      ['5', 6n],
      ['0', 1n],
      ['18446744073709551615', 18446744073709551614n],
      ['9007199254740993', 9007199254740992n], // equal as doubles
    ] as const) {
      const answer = await withdraw({ destination: muxed(payee, id), amount_stroops: 5, memo_id });
      assertError(answer, 400, 'ambiguous_destination');
    }
    await assertNothingKept();
  });

  it('SEP-29: a destination that requires a memo and gets none: 400 memo_required; with memo_id or M… it is paid', async () => {
    const shop = await world.ledger.fund();
    await world.ledger.apply(shop, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
    const destination = shop.publicKey();
    const answer = await withdraw({ destination, amount_stroops: 5 });
    assertError(answer, 400, 'memo_required');
    await assertNothingKept();

    const other = await world.newWallet();
    const muxed_destination = muxed(destination, '7');
    const paid = [
      await world.withdraw(other, { destination, amount_stroops: 5, memo_id: 0 }, { key }),
      await world.withdraw(other, { destination: muxed_destination, amount_stroops: 5 }),
    ];
    for (const { status, body } of paid) {
      assert.equal(status, 201);
      assert.equal(body.data.status, 'confirmed');
    }
  });
});

describe('Idempotency-Key is required on every withdrawal', () => {
  const body = () => JSON.stringify({ destination: payee, amount_stroops: 5 });
  const send = (headers: Record<string, string | string[]>) =>
    rawCall(world.service.url, 'POST', `/v1/wallets/${wallet.id}/withdraw`, {
      headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json', ...headers },
      body: body(),
    });

  it('missing: 400, nothing stored, no payment', async () => {
    const { status, body: answer } = await send({});
    assert.equal(status, 400);
    assert.equal(answer.error.code, 'idempotency_key_missing');
    await assertNothingKept();
  });

  const malformed: Record<string, string | string[]> = {
    'of nothing': '',
    'of spaces only': '   ',
    'of 256 characters': 'k'.repeat(256),
    'beyond ASCII': 'schlüssel',
    'with a tab': 'a\tb',
    'given twice': ['one', 'two'],
  };
  for (const [name, value] of Object.entries(malformed)) {
    it(`${name}: 400`, async () => {
      const { status, body: answer } = await send({ 'idempotency-key': value });
      assert.equal(
        status,
        400,
        JSON.stringify(answer, (_, member) => `${member}`),
      );
      await assertNothingKept();
    });
  }

  it('with another body at fault too, both faults get one 400', async () => {
    const answer = await world.withdraw(
      wallet,
      { destination: 'x', amount_stroops: 0 },
      { key: 'k'.repeat(256) },
    );
    assertError(answer, 400);
    await assertNothingKept();
  });
});
