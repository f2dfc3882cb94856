import type { Behaviour } from './behaviour.ts';
import { answerLost, delay, noAnswer, truncated } from './kinds/connection.ts';
import { pruned, rpcLike, stale, wrongNetwork } from './kinds/node.ts';
import { duplicatePage, emptyPage, lostPage } from './kinds/pages.ts';
import { coreBusy, filtered, rpcError, status } from './kinds/refusals.ts';
import { stalledStream, streamCut } from './kinds/streams.ts';
import { tryAgainLater } from './kinds/submission.ts';
import type { Fault } from './script.ts';

export function behaviourOf(fault: Fault): Behaviour {
  switch (fault.kind) {
    case 'no_answer':
      return noAnswer(fault.effect);
    case 'answer_lost':
      return answerLost();
    case 'delay':
      return delay(fault.delay_ms, fault.effect);
    case 'status':
      return status(fault.status, fault.effect, fault.retry_after_seconds);
    case 'truncated':
      return truncated(fault.content_length);
    case 'try_again_later':
      return tryAgainLater(fault.taken);
    case 'rpc_error':
      return rpcError(fault.code, fault.message);
    case 'core_busy':
      return coreBusy(fault.requests);
    case 'filtered':
      return filtered();
    case 'stale':
      return stale(fault.lag_ledgers);
    case 'pruned':
      return pruned(fault.oldest_ledger, fault.last_ledgers);
    case 'duplicate_page':
      return duplicatePage();
    case 'empty_page':
      return emptyPage();
    case 'lost_page':
      return lostPage();
    case 'stalled_stream':
      return stalledStream();
    case 'stream_cut':
      return streamCut(fault.after_records);
    case 'wrong_network':
      return wrongNetwork(fault.passphrase);
    case 'rpc_like':
      return rpcLike(fault.version);
  }
}
