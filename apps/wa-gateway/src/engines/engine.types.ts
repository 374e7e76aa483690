import type { Readable } from 'node:stream';
import type { DeliveryStatus, MessageKind } from '@platform/contracts';

export const engineKinds = ['simulator', 'baileys', 'cloud'] as const;
export type EngineKind = (typeof engineKinds)[number];

/** Design 3.1: `created → connecting → qr → connected ⇄ reconnecting`; the rest are ends. */
export type DeviceState =
  | 'created'
  | 'connecting'
  | 'qr'
  | 'connected'
  | 'reconnecting'
  | 'qr_expired'
  | 'logged_out'
  | 'replaced'
  | 'banned'
  | 'outdated'
  | 'disconnected';

/** `628…@s.whatsapp.net`, `…@g.us`, `…@lid` or `…@bsuid`, without a device part. */
export type Jid = string;

export const capabilityNames = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'voice',
  'sticker',
  'location',
  'contact',
  'reaction',
  'poll',
  'quote',
  'mentions',
  'mark_read',
  'typing',
  'played',
  'qr',
  'pairing_code',
  'groups',
  'exists',
  'profile_pic',
  'edit_in',
] as const;
export type Capability = (typeof capabilityNames)[number];
/** A capability that is not `true` makes its route answer 501 with the reason. */
export type Capabilities = Readonly<Record<Capability, true | { readonly reason: string }>>;

/** A file: inbound, `key` is the engine's and `fetchMedia` understands it; outbound, it names a stored file (`/files/{key}`). */
export interface MediaRef {
  readonly key: string;
  readonly mimetype: string;
  readonly fileName?: string;
  readonly size?: number;
}

export type OutContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'video' | 'document' | 'audio' | 'voice' | 'sticker';
      readonly media: MediaRef;
      readonly caption?: string;
    }
  | {
      readonly kind: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
    }
  | { readonly kind: 'contact'; readonly name: string; readonly phone: Jid }
  | { readonly kind: 'poll'; readonly name: string; readonly options: readonly string[]; readonly selectable: number }
  | { readonly kind: 'reaction'; readonly id: string; readonly emoji: string };

export interface SendOptions {
  /** Chosen by the gateway. A second send with the same id is the same message (design 3.3). */
  readonly id: string;
  readonly quotedId?: string;
  readonly mentions?: readonly Jid[];
  /** What the caller named the person by, where that hides the number of the chat: it leads to them, whoever has the number now. */
  readonly hidden?: Jid;
}

/** Who said something, where and when. */
export interface Saying {
  readonly id: string;
  readonly chat: Jid;
  /** Who says it, in a group. */
  readonly participant?: Jid;
  readonly fromMe: boolean;
  readonly name?: string;
  /** Epoch seconds. */
  readonly at: number;
}

/** An inbound message in nobody's protocol; design 2.6 says where each field of the callback comes from. */
export interface NeutralMessage extends Saying {
  readonly kind: MessageKind;
  readonly text?: string;
  readonly caption?: string;
  readonly matchedText?: string;
  readonly quote?: string;
  /** Address of the chat's picture; the gateway fills it in. */
  readonly picture?: string;
  readonly location?: { latitude: string; longitude: string; name?: string; address?: string };
  readonly media?: MediaRef;
  /** What the callback has no field for; becomes `rawMessage`. Without keys and thumbnails. An edit names `editOf` here. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Somebody's thumbs-up, or whatever else it is; it has an id of its own. */
export interface NeutralReaction extends Saying {
  /** The message reacted to, by our id when it was ours. */
  readonly target: string;
  /** Empty: the reaction was taken back. */
  readonly emoji: string;
}

export interface StatusChange {
  readonly id: string;
  readonly chat: Jid;
  readonly level: DeliveryStatus;
  /** Whose receipt, in a group. */
  readonly participant?: Jid;
  /** Epoch seconds. */
  readonly at: number;
}

export interface QrInfo {
  readonly qr: string;
  readonly code?: string;
  readonly attempt: number;
  readonly expiresAt: Date;
}

export interface SendFailure {
  readonly id: string;
  /** Such as WA_463. */
  readonly code: string;
  readonly retryable: boolean;
}

/** What the engine knows about its account. */
export interface DeviceSnapshot {
  readonly linked: boolean;
  readonly number?: Jid;
  readonly pushName?: string;
  readonly platform?: string;
}

export type GroupAction = 'add' | 'remove' | 'promote' | 'demote';

export interface GroupMember {
  readonly number: Jid;
  readonly name?: string;
  readonly admin: null | 'admin' | 'superadmin';
}

export interface Group {
  readonly id: Jid;
  readonly name: string;
  readonly description?: string;
  readonly owner?: Jid;
  /** Epoch seconds. */
  readonly createdAt: number;
  /** Only administrators may write. */
  readonly announce: boolean;
  readonly members: readonly GroupMember[];
}

/** What became of one number; `status` is WhatsApp's own code, 200 when it was done. */
export interface ParticipantResult {
  readonly number: Jid;
  readonly status: number;
  readonly message: string;
}

/** Names a message at WhatsApp. */
export interface MessageKey {
  readonly id: string;
  readonly chat: Jid;
  readonly participant?: Jid;
}

/**
 * What sockets alone hear of (design 2.5); every payload also carries `instanceID`. On every engine alike:
 * messageRevoked `{number,id,fromMe,participant?}`, pollVote `{number,id,options,fromMe,participant?}` (`id` of the poll,
 * `options` the texts chosen now), groupUpdate `{group_id,action,participants?}`, identityMapped `{lid,number}`,
 * presence `{number,state,participant?}`, call `{number,id,state,video}`.
 */
export type EngineEvent = 'messageRevoked' | 'pollVote' | 'presence' | 'call' | 'groupUpdate' | 'identityMapped';

/** Where an engine takes less than design 2.2 names. */
export interface EngineLimits {
  /** Characters of a text. */
  readonly textLength?: number;
  /** Bytes of a file, by what it is sent as. */
  readonly mediaBytes?: Readonly<Partial<Record<OutContent['kind'], number>>>;
}

/** What is true of every device on an engine. */
export interface EngineTraits {
  readonly kind: EngineKind;
  readonly capabilities: Capabilities;
  readonly limits?: EngineLimits;
  /** Each device has a connection of its own to WhatsApp, and the memory for it: MAX_DEVICES of a process counts these. */
  readonly holdsConnection?: boolean;
}

/** Every call is awaited: the engine tells WhatsApp that it took something only after the call has resolved. */
export interface EngineSink {
  message(message: NeutralMessage): Promise<void>;
  /** Sockets hear of it; the receiver of callbacks too with WEBHOOK_SEND_REACTIONS, as durably as of a message. */
  reaction(reaction: NeutralReaction): Promise<void>;
  status(change: StatusChange): Promise<void>;
  /** `until`: WhatsApp has named the end of it. */
  state(state: DeviceState, cause?: string, until?: Date): Promise<void>;
  qr(info: QrInfo): Promise<void>;
  failure(failure: SendFailure): Promise<void>;
  /** WhatsApp limits what this account may send until then: campaigns pause (design 3.3). */
  restricted(until: Date, cause: string): Promise<void>;
  /** Whether the device is this process's still: another one has it when this one stood still. Rejects when nobody can tell. */
  isOurs(): Promise<boolean>;
  /**
   * Whether the login that ended the line may be that of another process of ours, which stood still in the middle of it. Each
   * is forgiven once: what follows is somebody else. Rejects when nobody can tell.
   */
  forgives(): Promise<boolean>;
  /** Neither stored nor sent to the receiver of callbacks. Never rejects. */
  event(name: EngineEvent, payload: Readonly<Record<string, unknown>>): void;
}

/**
 * The adapter between one device and WhatsApp (design 5.0). Nothing outside its folder sees a type of its library.
 * What a capability excludes is never called: routes answer 501 before (`EngineUnsupported` when somebody does).
 */
export interface WaEngine extends EngineTraits {
  /** Whether a send whose outcome nobody knows may be repeated with the same id and stays one message (design 3.3). */
  readonly repeatable: boolean;
  /** A linked device connects, another waits for `pairing`. Resolves when the engine works, not when it is connected. */
  start(sink: EngineSink): Promise<void>;
  stop(): Promise<void>;
  /** Unlinks at WhatsApp and forgets the keys; resolves also when WhatsApp does not answer. */
  logout(): Promise<void>;
  /** Begins a pairing round, unless one is in progress; codes arrive at `sink.qr`. With a phone a typed code is offered too. */
  pair(phone?: Jid): Promise<void>;
  info(): DeviceSnapshot;
  /**
   * Hands a message over. Throws `EngineOffline`, `EngineBusy`, `EngineRefused` or `EngineUncertain`; anything else means
   * that nobody knows, and is tried again where that is safe (`repeatable`).
   */
  send(to: Jid, content: OutContent, options: SendOptions): Promise<{ waId: string }>;
  /** The bytes of a file that came with a message. Throws when they cannot be had now; the caller tries again. */
  fetchMedia(ref: MediaRef, signal: AbortSignal): Promise<Readable>;
  /** Which of the numbers WhatsApp knows. */
  exists(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, boolean>>;
  /** Tells the writers that these were read. */
  markRead(keys: readonly MessageKey[]): Promise<void>;
  typing(to: Jid, on: boolean): Promise<void>;
  /** Address of the picture; undefined when there is none or it is hidden. */
  profilePicture(of: Jid): Promise<string | undefined>;
  groupCreate(name: string, participants: readonly Jid[]): Promise<{ group: Group; results: ParticipantResult[] }>;
  /** Undefined when the device is in no such group. */
  groupInfo(id: Jid): Promise<Group | undefined>;
  /** Undefined when the device is in no such group. */
  groupParticipants(
    id: Jid,
    action: GroupAction,
    participants: readonly Jid[],
  ): Promise<ParticipantResult[] | undefined>;
}
