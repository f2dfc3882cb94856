/** Withdrawals to contracts: what a source says of a transfer is checked, and never trusted. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Address, Asset, Keypair, nativeToScVal, xdr } from '@stellar/stellar-sdk/base';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import type { Answer } from '../support/api.ts';
import { assertRefused } from '../support/refused-withdrawal.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import {
  assertError,
  startRunningService,
  startSecond,
  unique,
  type Wallet,
} from '../support/running-service.ts';
import type { TestService } from '../support/service.ts';

/** Four times what a first transfer declares. */
const LIKELY_FEE = 4n * 454_650n;

const world = await startRunningService();
after(() => world.stop());
const { ledger } = world;
const { rpc_url } = world.service;
const native = Asset.native();
const { contract: smart } = await deployTestContract(rpc_url);

const refused = (wallet: Wallet, body: object, check: (answer: Answer) => void, service?: TestService) =>
  assertRefused(world, wallet, { body, check, service });

describe('a simulation is checked, never trusted', () => {
  type Answered = {
    transactionData: string;
    results: { auth: string[] }[];
    error?: string;
    restorePreamble?: object;
  };

  let proxy: Awaited<ReturnType<typeof startRpcProxy>>;
  let deceived: Awaited<ReturnType<typeof startSecond>>;
  before(async () => {
    proxy = await startRpcProxy(rpc_url);
    deceived = await startSecond(world, { STELLAR_RPC_URL: proxy.url });
  });
  after(async () => {
    await deceived?.stop();
    await proxy?.close();
  });

  it('an answer that names other entries, another authorization or other limits is no answer: 503', async () => {
    const wallet = await world.newWallet();
    const stranger = Keypair.random();
    const strange = xdr.LedgerKey.account(
      new xdr.LedgerKeyAccount({ accountId: xdr.PublicKey.publicKeyTypeEd25519(stranger.rawPublicKey()) }),
    ).toXdrObject();
    const data = (change: (wire: any) => void) => (answer: Answered) => {
      const wire: any = xdr.SorobanTransactionData.fromXdr(answer.transactionData, 'base64').toXdrObject();
      change(wire);
      answer.transactionData = xdr.SorobanTransactionData.fromXdrObject(wire).toXdr('base64');
    };
    const foreign = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: invocationOf(native, wallet.account, stranger.publicKey(), 10_000_000_000n),
    }).toXdr('base64');
    const lies: Record<string, (answer: Answered) => void> = {
      'another account is written': data(({ resources }) => resources.footprint.readWrite.push(strange)),
      'another account is read': data(({ resources }) => resources.footprint.readOnly.push(strange)),
      'an entry is named twice': data(({ resources: { footprint } }) =>
        footprint.readOnly.push(footprint.readWrite[0]),
      ),
      'the destination is not named': data(({ resources: { footprint } }) => {
        footprint.readWrite = footprint.readWrite.filter(({ type }: { type: number }) => type !== 6);
      }),
      'an account is restored': data((wire) => {
        const place = wire.resources.footprint.readWrite.findIndex(
          ({ type }: { type: number }) => type === 0,
        );
        wire.ext = { v: 1, resourceExt: { archivedSorobanEntries: [place] } };
      }),
      'a place outside the list is restored': data((wire) => {
        wire.ext = { v: 1, resourceExt: { archivedSorobanEntries: [9] } };
      }),
      'too many instructions': data(({ resources }) => {
        resources.instructions = 400_000_001;
      }),
      'a resource fee of 0': data((wire) => {
        wire.resourceFee = 0n;
      }),
      'another authorization': (answer) => {
        answer.results = [{ auth: [foreign] }];
      },
      'a second authorization': (answer) => {
        answer.results[0]?.auth.push(foreign);
      },
      'no data': (answer) => {
        answer.transactionData = 'AAAA';
      },
    };
    const order = { destination: smart, amount_stroops: 1 };
    for (const [name, lie] of Object.entries(lies)) {
      proxy.treat('simulateTransaction', async (call) => {
        const answer = await call.forward();
        lie(answer.result);
        call.reply(answer);
      });
      await refused(
        wallet,
        order,
        (answer) => void assert.equal(answer.status, 503, `${name}: ${answer.text}`),
        deceived,
      );
    }
    proxy.honest();
    const { status } = await deceived.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
      token: world.token,
      body: order,
      headers: { 'idempotency-key': unique('key') },
    });
    assert.equal(status, 201);
  });

  it('a fee far above the network’s prices, a failure and a preamble are refused: 422', async () => {
    const wallet = await world.newWallet();
    const feeOf = (resourceFee: bigint) => (answer: Answered) => {
      const wire: any = xdr.SorobanTransactionData.fromXdr(answer.transactionData, 'base64').toXdrObject();
      wire.resourceFee = resourceFee;
      answer.transactionData = xdr.SorobanTransactionData.fromXdrObject(wire).toXdr('base64');
    };
    const answers: [string, (answer: Answered) => void][] = [
      ['fee_above_limit', feeOf(LIKELY_FEE)],
      ['fee_above_limit', feeOf(2n ** 32n)], // more than an envelope can declare
      [
        'transfer_would_fail',
        (answer) => {
          answer.error = 'HostError: Error(Contract, #10)';
        },
      ],
      [
        'transfer_would_fail',
        (answer) => {
          answer.restorePreamble = { transactionData: answer.transactionData, minResourceFee: '1' };
        },
      ],
    ];
    for (const [code, change] of answers) {
      proxy.treat('simulateTransaction', async (call) => {
        const answer = await call.forward();
        change(answer.result);
        call.reply(answer);
      });
      const order = { destination: smart, amount_stroops: 1 };
      await refused(wallet, order, (answer) => void assertError(answer, 422, code), deceived);
    }
  });

  function invocationOf(
    asset: Asset,
    from: string,
    to: string,
    amount: bigint,
  ): xdr.SorobanAuthorizedInvocation {
    const call = new xdr.InvokeContractArgs({
      contractAddress: new Address(asset.contractId(ledger.passphrase)).toScAddress(),
      functionName: 'transfer',
      args: [
        nativeToScVal(from, { type: 'address' }),
        nativeToScVal(to, { type: 'address' }),
        nativeToScVal(amount, { type: 'i128' }),
      ],
    });
    const called = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call);
    return new xdr.SorobanAuthorizedInvocation({ function: called, subInvocations: [] });
  }
});
