import { sameBytes } from '../bytes.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

type BeginCode = 0 | -1 | -2 | -3;
const MALFORMED = -1;
const ALREADY_SPONSORED = -2;
const RECURSIVE = -3;

type EndCode = 0 | -1;
const NOT_SPONSORED = -1;

const begun = (code: BeginCode): OperationResult => ({
  code: 0,
  tr: { type: 16, beginSponsoringFutureReservesResult: { code } },
});

const ended = (code: EndCode): OperationResult => ({
  code: 0,
  tr: { type: 17, endSponsoringFutureReservesResult: { code } },
});

/** stellar-core, BeginSponsoringFutureReservesOpFrame.cpp. The sponsored account need not exist yet. */
export const beginSponsoring: OperationRules<16> = {
  type: 16,
  success: begun(0),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ beginSponsoringFutureReservesOp: { sponsoredId } }, { source }) {
    return sameBytes(sponsoredId.ed25519, source) ? begun(MALFORMED) : null;
  },

  apply({ beginSponsoringFutureReservesOp: { sponsoredId } }, { source, sponsorships }) {
    const sponsored = sponsoredId.ed25519;
    if (sponsorships.sponsorOf(sponsored) !== undefined) return begun(ALREADY_SPONSORED);
    const recursive = sponsorships.sponsorOf(source) !== undefined || sponsorships.isSponsoring(sponsored);
    if (recursive) return begun(RECURSIVE);
    sponsorships.begin(sponsored, source);
    return begun(0);
  },
};

/** stellar-core, EndSponsoringFutureReservesOpFrame.cpp. The sponsored account ends the sponsorship. */
export const endSponsoring: OperationRules<17> = {
  type: 17,
  success: ended(0),
  supported: () => true,
  threshold: () => MEDIUM,
  check: () => null,

  apply(_body, { source, sponsorships }) {
    if (sponsorships.sponsorOf(source) === undefined) return ended(NOT_SPONSORED);
    sponsorships.end(source);
    return ended(0);
  },
};
