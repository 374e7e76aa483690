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

/** `628…@s.whatsapp.net`, `…@g.us` or `…@lid`, without a device part. */
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
}

/** An inbound message in nobody's protocol; design 2.6 says where each field of the callback comes from. */
export interface NeutralMessage {
  readonly id: string;
  readonly chat: Jid;
  /** Who wrote, in a group. */
  readonly participant?: Jid;
  readonly fromMe: boolean;
  readonly name?: string;
  /** Epoch seconds. */
  readonly at: number;
  readonly kind: MessageKind;
  readonly text?: string;
  readonly caption?: string;
  readonly matchedText?: string;
  readonly quote?: string;
  readonly location?: { latitude: string; longitude: string; name?: string; address?: string };
  readonly media?: MediaRef;
  /** What the callback has no field for; becomes `rawMessage`. Without keys and thumbnails. */
  readonly raw: Readonly<Record<string, unknown>>;
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

/** Every call is awaited: the engine tells WhatsApp that it took something only after the call has resolved. */
export interface EngineSink {
  message(message: NeutralMessage): Promise<void>;
  status(change: StatusChange): Promise<void>;
  state(state: DeviceState, cause?: string): Promise<void>;
  qr(info: QrInfo): Promise<void>;
  failure(failure: SendFailure): Promise<void>;
}

/**
 * The adapter between one device and WhatsApp (design 5.0). Nothing outside its folder sees a type of its library.
 * Groups, receipts and typing join this port together with the routes that need them.
 */
export interface WaEngine {
  readonly kind: EngineKind;
  readonly capabilities: Capabilities;
  /** A linked device connects, another waits for `pairing`. Resolves when the engine works, not when it is connected. */
  start(sink: EngineSink): Promise<void>;
  stop(): Promise<void>;
  /** Unlinks at WhatsApp and forgets the keys; resolves also when WhatsApp does not answer. */
  logout(): Promise<void>;
  /** Begins a pairing round, unless one is under way; codes arrive at `sink.qr`. With a phone a typed code is offered too. */
  pair(phone?: Jid): Promise<void>;
  info(): DeviceSnapshot;
  /** Hands a message over. Throws `EngineOffline` or `EngineRefused`; anything else means nobody knows, and is tried again. */
  send(to: Jid, content: OutContent, options: SendOptions): Promise<{ waId: string }>;
  /** The bytes of a file that came with a message. Throws when they cannot be had now; the caller tries again. */
  fetchMedia(ref: MediaRef, signal: AbortSignal): Promise<Readable>;
  /** Which of the numbers WhatsApp knows. */
  exists(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, boolean>>;
}

/** No line to WhatsApp at the moment: the message waits. */
export class EngineOffline extends Error {}

/** WhatsApp will not take this message, now or later. */
export class EngineRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
