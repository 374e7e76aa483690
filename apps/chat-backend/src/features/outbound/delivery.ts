import type { Transaction } from '@platform/data';
import { fullJitter, type Deliver, type OutgoingRow, type Retry, type Settle, type Verdict } from '@platform/outbox';
import type { BulkPace, GatewayAnswer, GatewayClient, OutgoingMessage } from '../../clients/gateway.client';
import type { OutgoingFile } from '../media/public';
import type { Notified } from '../notifications/public';
import type { OutboundRepository } from './outbound.repository';

/** What an outbox row of this service holds; the send statement writes it. */
export interface OutboundPayload {
  readonly storeId: string;
  readonly conversationId: string;
  readonly seq: number;
  readonly pesanId: string;
  readonly role: string;
  readonly instance: string;
  readonly nohp: string;
  readonly type: string;
  readonly text: string | null;
  readonly caption: string | null;
  readonly media: OutgoingFile | null;
  readonly detail: Readonly<Record<string, string>> | null;
  readonly quotedId: string | null;
  /** Null for a reply. */
  readonly campaign?: ({ readonly id: string } & BulkPace) | null;
}

/** What a campaign has to do with its rows. */
export interface CampaignRows {
  /** In the transaction that ends the row. */
  ended(tx: Transaction, rowId: string, payload: OutboundPayload, failure: string | undefined): Promise<void>;
  isSending(payload: OutboundPayload): Promise<boolean>;
}

export interface DeliveryOptions {
  readonly gateway: GatewayClient;
  readonly repository: OutboundRepository;
  /** A link to a stored file that is good for this try. */
  readonly linkOf: (name: string) => string;
  readonly campaigns: CampaignRows;
  /** Waiting without spent tries ends after this (OUTBOX_MAX_AGE_H). */
  readonly maxAgeSeconds: number;
  /** A send will never go out: its sender was notified. */
  readonly failed?: (notified: readonly Notified[] | null) => void;
}

const OFFLINE_SECONDS = 30;
const AWAY = new Set([408, 425, 429, 503, 504]);
/** Pauses after a 500 or 502; then it is final (design 3.3). */
const SPENT_PAUSES = [1, 5, 25, 120];

/** No device, or not our key: of everything that goes there, not of this message. */
const CLOSED = new Set([401, 409]);

/**
 * What the gateway's answer means for the row: the table of design 3.3. Its HTTP status decides, `error` is hidden in production.
 * A key that is being replaced (GATEWAY_API_KEY) loses no message: it waits as for a device.
 */
export const verdictOf = (
  answer: GatewayAnswer,
  attempt: number,
  failures: number,
  maxAgeSeconds: number | undefined,
): Verdict => {
  if (answer.accepted) return { verdict: 'done', outcome: answer.accepted.id };
  const reason =
    answer.status === undefined
      ? 'the gateway did not answer'
      : `the gateway answered ${answer.status}: ${answer.message}`;
  const away: Retry = {
    verdict: 'retry',
    reason,
    spend: false,
    maxAgeSeconds,
    afterSeconds: answer.retryAfterSeconds ?? 1 + fullJitter(failures + 1, 1, 60),
  };
  if (answer.status === undefined) return { ...away, transport: true };
  if (CLOSED.has(answer.status)) return { verdict: 'hold', reason, seconds: OFFLINE_SECONDS, maxAgeSeconds };
  if (AWAY.has(answer.status)) return away;
  const pause = SPENT_PAUSES[attempt - 1];
  if ((answer.status === 500 || answer.status === 502) && pause !== undefined)
    return { verdict: 'retry', reason, spend: true, afterSeconds: Math.random() * pause };
  return { verdict: 'dead', reason };
};

/** A stored message in the gateway's terms: wa-gateway design 2.2 and design 5.1. */
export const gatewayMessage = (payload: OutboundPayload, linkOf: DeliveryOptions['linkOf']): OutgoingMessage => {
  const { pesanId, role, instance, nohp: number, quotedId, type, text, caption, media, detail, campaign } = payload;
  const bulk = campaign ? { bulk: { delay_min: campaign.delay_min, delay_max: campaign.delay_max } } : {};
  const base = { pesanId, role, instance, number, quotedId, ...bulk };
  if (media) {
    const named = media.use === 'document' ? { filename: media.filename } : {};
    return { ...base, type: media.use, url: linkOf(media.name), ...named, ...(caption === null ? {} : { caption }) };
  }
  if (type !== 'location') return { ...base, text: text ?? '' };
  const { latitude = '', longitude = '', locationName, locationAddress } = detail ?? {};
  return {
    ...base,
    latitude,
    longitude,
    ...(locationName === undefined ? {} : { locationName }),
    ...(locationAddress === undefined ? {} : { locationAddress }),
  };
};

/** Rows of a campaign that is still sending wait as long as it takes (design 3.3). */
const patienceFor = async (
  { campaigns, maxAgeSeconds }: DeliveryOptions,
  { payload, triedSeconds }: OutgoingRow<OutboundPayload>,
): Promise<number | undefined> => {
  const isOld = triedSeconds !== null && triedSeconds >= maxAgeSeconds;
  return isOld && payload.campaign && (await campaigns.isSending(payload)) ? undefined : maxAgeSeconds;
};

const REMOVED = 'the device was removed';

/** What waits for a device that its store has removed would wait for nothing: the same number, added again, is another device. */
const orRemoved = async (
  verdict: Verdict,
  { repository }: DeliveryOptions,
  { storeId, instance }: OutboundPayload,
): Promise<Verdict> =>
  verdict.verdict !== 'hold' || (await repository.hasDevice(storeId, instance))
    ? verdict
    : { verdict: 'dead', reason: REMOVED };

/** Takes one message to the gateway. The same `pesan_id` goes with every try, so that the gateway sends it once. */
export const deliverToGateway =
  (options: DeliveryOptions): Deliver<OutboundPayload> =>
  async (row, signal) => {
    const { gateway, repository, linkOf, campaigns, failed } = options;
    const { id, payload, attempt, failures } = row;
    const answer = await gateway.send(gatewayMessage(payload, linkOf), signal);
    const told = verdictOf(answer, attempt, failures, await patienceFor(options, row));
    const verdict = await orRemoved(told, options, payload);
    const keepFailure: Settle = async (tx) => {
      const reason = verdict === told ? answer.message || 'not delivered' : REMOVED;
      const notified = await repository.keepFailure(tx, payload, payload.seq, reason);
      await campaigns.ended(tx, id, payload, reason);
      tx.afterCommit(() => failed?.(notified));
    };
    const waId = answer.accepted?.id;
    const keepId: Settle = async (tx) => {
      await repository.keepWaId(tx, payload, payload.seq, waId ?? '');
      await campaigns.ended(tx, id, payload, undefined);
    };
    return { ...verdict, settle: waId ? keepId : keepFailure };
  };
