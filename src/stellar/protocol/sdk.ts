/** The Stellar SDK with the XDR that it lacks. Everything in `src/` imports the SDK from here, so that no reader is without it. */
import './missing-arms.ts';

export {
  Account,
  Address,
  Asset,
  encodeMuxedAccountToAddress,
  Operation,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
