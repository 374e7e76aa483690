import type { OutboxKind } from '@platform/outbox';
import type { ChatAddress, Escalation, PushedBubble } from '../../clients/chat.client';
import type { Handover } from '../tools/public';

/** What leaves for chat-backend when nobody waits for it. */
export const BUBBLE: OutboxKind = { name: 'bubble', effect: 'outside' };
export const IMAGE: OutboxKind = { name: 'image', effect: 'outside' };
export const NOTICE: OutboxKind = { name: 'notice', effect: 'outside' };
export const ESCALATE: OutboxKind = { name: 'escalate', effect: 'outside' };
export const PUSH_KINDS = [BUBBLE, IMAGE, NOTICE, ESCALATE];

/** One receiver, and a share of the way to it for every store: a chat that hangs holds up its own store only. */
export const PUSH_TARGET = (storeId: string): string => `chat-backend ${storeId}`;

/** Where a conversation stands in chat-backend, as far as its requests have told. */
export type PushAddress = Pick<ChatAddress, 'storeId' | 'customer' | 'chatId'> &
  Partial<Pick<ChatAddress, 'instanceId' | 'team'>>;

type Unaddressed<T extends ChatAddress> = Omit<T, keyof ChatAddress> & PushAddress;
export type PushPayload = Unaddressed<PushedBubble> | Unaddressed<Escalation>;

/**
 * What follows the conversation's id in the name of its lane: each chat of the customer has one, or a hand-over whose device is not known yet
 * would hold up what goes to another.
 */
export const laneEnd = ({ chatId, instanceId }: PushAddress): string => {
  const chat = chatId ?? instanceId;
  return chat === undefined ? '' : ` ${chat}`;
};

/** One row of a conversation's lane. */
export interface PushRow {
  readonly kind: OutboxKind;
  readonly dedupeKey: string;
  readonly payload: PushPayload;
}

/** An answer with the outbound ids of its parts: one per bubble, then one per picture. */
export interface PushedAnswer {
  readonly id: string;
  readonly reply: {
    readonly answer: readonly string[];
    readonly images: readonly string[];
    readonly messageIds: readonly string[];
  };
}

const addressOf = ({ storeId, customer, instanceId, team, chatId }: PushAddress): PushAddress => ({
  ...{ storeId, customer, instanceId, team, chatId },
});

/** The bubbles of an answer in their order, then its pictures; the same rows however often they are written. */
export const answerRows = (to: PushAddress, { id: runId, reply }: PushedAnswer): PushRow[] => {
  const contents = [
    ...reply.answer.map((text) => ({ kind: BUBBLE, content: { text } })),
    ...reply.images.map((picture) => ({ kind: IMAGE, content: { picture } })),
  ];
  return contents.map(({ kind, content }, n) => ({
    kind,
    dedupeKey: `turn:${runId}:${n}`,
    payload: { ...addressOf(to), id: reply.messageIds[n] ?? '', content, onlyIfOpen: true },
  }));
};

const URGENT: readonly string[] = ['payment_issue', 'complaint'];

/** Tells chat-backend that people are to take over, once per run. */
export const escalationRow = (to: PushAddress, runId: string, { reason, summary }: Handover): PushRow => ({
  kind: ESCALATE,
  dedupeKey: `escalate:${runId}`,
  payload: {
    ...addressOf(to),
    reason: `${reason}: ${summary}`,
    priority: URGENT.includes(reason) ? 'high' : 'medium',
  },
});

/** A message that no turn has made, such as that of a payment. `key` makes it one of its kind. */
export const noticeRow = (
  to: PushAddress,
  { key, text, onlyIfOpen }: { readonly key: string; readonly text: string; readonly onlyIfOpen: boolean },
): PushRow => ({
  kind: NOTICE,
  dedupeKey: key,
  payload: { ...addressOf(to), id: `bot-${key.replaceAll(':', '-')}`, content: { text }, onlyIfOpen },
});
