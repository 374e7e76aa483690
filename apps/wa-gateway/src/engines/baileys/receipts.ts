import type { DeliveryStatus } from '@platform/contracts';
import type { BinaryNode } from './baileys.library';
import { isGroup, sameUser } from './people';

export interface Account {
  readonly id: string;
  readonly lid?: string;
}

export interface Receipt {
  readonly ids: readonly string[];
  readonly chat: string;
  readonly participant?: string;
  readonly participantNumber?: string;
  readonly level: DeliveryStatus;
  /** Epoch seconds; undefined when the node does not say. */
  readonly at?: number;
}

/** Anything else is between clients: `sender`, `inactive`, `retry`, `read-self`, `peer_msg`, `hist_sync` … (design 3.4). */
const LEVELS: Readonly<Record<string, DeliveryStatus | undefined>> = {
  '': 'delivered',
  read: 'viewed',
  played: 'played',
};

const childrenOf = ({ content }: BinaryNode): BinaryNode[] => (Array.isArray(content) ? content : []);

const secondsOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/**
 * What a raw `receipt` says of our messages; nothing when it is no news or our own. The library's events know less: they
 * merge delivered and read, and call `sender`, `read` and `played` all the same in groups.
 */
export const receiptOf = (node: BinaryNode, me: Account): Receipt | undefined => {
  const { id, from = '', type = '', participant, participant_pn: participantNumber, t } = node.attrs;
  const level = LEVELS[type];
  const reader = participant ?? from;
  if (id === undefined || level === undefined || sameUser(reader, me.id) || sameUser(reader, me.lid)) return undefined;
  const items = childrenOf(node).flatMap((list) => childrenOf(list));
  const further = items.flatMap(({ attrs }) => (attrs.id === undefined ? [] : [attrs.id]));
  return {
    ids: [id, ...further],
    chat: from,
    ...(isGroup(from) && participant !== undefined ? { participant, participantNumber } : {}),
    level,
    at: secondsOf(t),
  };
};

export interface Acknowledgement {
  readonly id: string;
  readonly chat: string;
  readonly at?: number;
  /** WhatsApp's code when it refused the message. */
  readonly error?: string;
}

/** The server's answer to a message of ours. */
export const acknowledgementOf = ({ attrs }: BinaryNode): Acknowledgement | undefined =>
  attrs.id === undefined
    ? undefined
    : { id: attrs.id, chat: attrs.from ?? '', at: secondsOf(attrs.t), ...(attrs.error ? { error: attrs.error } : {}) };
