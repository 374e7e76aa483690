import type { ServiceTokens } from '@platform/auth';
import { Rejected, TooMany, Unavailable, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { path, peer, type HttpClient, type PeerCall, type PeerOptions } from '@platform/http';
import type { Retry } from '@platform/outbox';
import { cut } from '@platform/runtime';
import type { ChatAddress, ChatClient, PushVerdict } from './chat.client';

const NAME = 'chat-backend';
/** It fetches a picture within 20 s before it answers. */
const TIME = { text: 10_000, picture: 30_000, escalation: 10_000 };
const MOST_REASON = 1_000;
/** So long a hand-over waits for its device or team to be known, and what is pushed to its chat behind it. */
const UNTOLD_SECONDS = 900;
const MOST_PAUSE_SECONDS = 300;
/** A share of hanging calls of one store does not open it for the others. */
const BREAKER = { failures: 20 };

/** The chat is a person's, or over. */
class Dropped extends Rejected {}
/** No repeat can turn it. */
class Hopeless extends Rejected {}
/** It has not been told of the device or the team, or not of the one that they are called now. */
class Untold extends Hopeless {}

const REFUSALS: NonNullable<PeerOptions['refusals']> = {
  status_changed: Dropped,
  chat_handled: Dropped,
  chat_finished: Dropped,
  // The id stands in another chat: in this one it would have been a success
  duplicate: Hopeless,
  chat_not_found: Hopeless,
  device_not_found: Untold,
  team_not_found: Untold,
  413: Hopeless,
  422: Hopeless,
};

const pauseOf = (failure: unknown): Pick<Retry, 'afterSeconds'> =>
  failure instanceof TooMany || failure instanceof Unavailable
    ? { afterSeconds: Math.min(failure.retryAfterSeconds, MOST_PAUSE_SECONDS) }
    : {};

const again = (failure: unknown): Retry => ({
  verdict: 'retry',
  reason: failure instanceof Error ? failure.message : 'no answer',
  ...pauseOf(failure),
  spend: true,
  transport: failure instanceof UpstreamTimedOut || failure instanceof UpstreamFailed,
});

const verdictOf = (failure: unknown): PushVerdict => {
  if (failure instanceof Dropped) return { verdict: { verdict: 'done', outcome: 'dropped' }, dropped: true };
  if (failure instanceof Hopeless)
    return { verdict: { verdict: 'dead', reason: `chat-backend refuses: ${failure.code ?? failure.message}` } };
  return { verdict: again(failure) };
};

const addressOf = ({ customer, instanceId, team, chatId }: ChatAddress) => ({
  ...{ nohp: customer, instance: instanceId, team },
  ...(chatId === undefined ? {} : { chatId }),
});

/** Without an address nobody is there who could send or hand over. */
export const noChat = (): ChatClient => {
  const nowhere = (): Promise<PushVerdict> =>
    Promise.resolve({ verdict: { verdict: 'dead', reason: 'CHAT_URL is not set' } });
  return { push: nowhere, escalate: nowhere };
};

/**
 * chat-backend over HTTP (design 2.8), with a token of role `bot` for each store, from whose claim chat-backend takes the tenant. It
 * answers 200 to refusals too: `result: false` is one.
 */
export const httpChat = (http: HttpClient, tokens: ServiceTokens): ChatClient => {
  const chat = peer(NAME, http, {
    timeoutMs: TIME.text,
    breaker: BREAKER,
    token: (storeId) => tokens.for(NAME, storeId),
    refusals: REFUSALS,
  });
  const tell = (call: Omit<PeerCall, 'method'>, failed = verdictOf): Promise<PushVerdict> =>
    chat.ask({ ...call, method: 'POST' }).then((): PushVerdict => ({ verdict: { verdict: 'done' } }), failed);
  return {
    push: ({ id, content, onlyIfOpen, ...to }, signal) => {
      const condition = onlyIfOpen ? { if_status: 'open' } : {};
      const json = { ...addressOf(to), pesan_id: id, ...condition };
      const { storeId } = to;
      return 'text' in content
        ? tell({ path: path('/v1/send_message'), storeId, signal, json: { ...json, pesan: content.text } })
        : tell({
            ...{ path: path('/v1/send_image'), storeId, signal, timeoutMs: TIME.picture },
            json: { ...json, url: content.picture },
          });
    },
    escalate: ({ reason, priority, ...to }, signal) =>
      tell(
        {
          ...{ path: path('/v1/chats/request-escalate'), storeId: to.storeId, signal, timeoutMs: TIME.escalation },
          form: { ...addressOf(to), alasan: cut(reason, MOST_REASON), prioritas: priority },
        },
        // A text is late by then, a hand-over is not: the customer was promised a person
        (failure) =>
          failure instanceof Untold
            ? { verdict: { ...again(failure), maxAgeSeconds: UNTOLD_SECONDS } }
            : verdictOf(failure),
      ),
  };
};
