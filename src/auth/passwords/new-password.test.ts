import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { faultOfNewPassword } from './new-password.ts';

const fault = (password: string) => faultOfNewPassword(password, 'Jane.Doe@example.com');

test('a common password is refused, in any case of its letters', async () => {
  for (const password of [
    'password',
    'Password1',
    'PASSWORD123',
    '12345678',
    'qwertyuiop',
    'iloveyou',
    'ｐａｓｓｗｏｒｄ',
  ])
    assert.match((await fault(password)) ?? '', /most common/, password);
});

test('so is one that contains only the e-mail address, its name, or the name of this service', async () => {
  const own = ['jane.doe@example.com', 'JaneDoeExampleCom', 'jane-doe', 'jane.doe jane.doe'];
  const service = ['stellarteller', 'Stellar Teller', 'stellar-teller', 'stellar_teller!', 'TellerTeller'];
  for (const password of [...own, ...service, 'jane doe stellar teller'])
    assert.match((await fault(password)) ?? '', /only the e-mail address or the name/, password);
});

test('a common word or a name inside of a longer password does no harm', async () => {
  for (const password of [
    'password of a blue lighthouse',
    'jane.doe likes 7 herons',
    'stellar teller 9x!kd',
    '--------',
  ])
    assert.equal(await fault(password), null, password);
});

test('random passwords, those of the tour among them, are taken', async () => {
  for (const password of ['tg479zbyj8r3sscd', 'correct horse battery staple', 'kzrmwq8f'])
    assert.equal(await fault(password), null, password);
});

test('a long password is checked in time that is proportional to its length', async () => {
  for (const part of ['stellar', 'jane', '-', 'a1B2']) {
    const start = performance.now();
    await fault(part.repeat(1_000_000 / part.length));
    assert.ok(performance.now() - start < 60_000); // by its square it would be longer
  }
});
