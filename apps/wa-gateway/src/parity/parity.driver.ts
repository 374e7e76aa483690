import type { EngineKind } from '../engines/engine.types';

/** HTTP calls to the gateway under test. */
export interface ParityClient {
  /** The code to scan, once there is one. */
  code(instanceID: string): Promise<string>;
  /** Changes with no restart of the gateway. */
  readonly url: string;
  get(path: string): Promise<{ status: number; body: unknown }>;
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  /** `data` of an answer that must be a success. */
  data<T>(reply: Promise<{ status: number; body: unknown }>): Promise<T>;
}

export type MediaUse = 'image' | 'video' | 'document' | 'audio' | 'voice' | 'sticker';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

/** What a person does on a phone. */
export type PhoneContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: MediaUse;
      readonly bytes: Buffer;
      readonly mimetype: string;
      readonly caption?: string;
      /** Documents have one. */
      readonly fileName?: string;
    }
  | (Place & { readonly kind: 'location' })
  /** `phone` is bare digits. */
  | { readonly kind: 'contact'; readonly name: string; readonly phone: string }
  | { readonly kind: 'poll'; readonly name: string; readonly options: readonly string[] }
  | { readonly kind: 'reaction'; readonly target: string; readonly emoji: string }
  /** Another text for an earlier message of this phone. */
  | { readonly kind: 'edit'; readonly target: string; readonly text: string }
  /** An earlier message of this phone is deleted for everybody. */
  | { readonly kind: 'revoke'; readonly target: string };

/** What a phone shows of a message that the device sent; members without a value are absent. */
export type ShownContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: MediaUse; readonly bytes: Buffer; readonly caption?: string; readonly fileName?: string }
  | (Place & { readonly kind: 'location' })
  | { readonly kind: 'contact'; readonly name: string; readonly phone: string }
  | { readonly kind: 'poll'; readonly name: string; readonly options: readonly string[]; readonly selectable: number }
  | { readonly kind: 'reaction'; readonly target: string; readonly emoji: string };

export interface ShownMessage {
  readonly id: string;
  readonly content: ShownContent;
  /** Id of the message it answers. */
  readonly quoted?: string;
  /** Bare digits. */
  readonly mentions?: readonly string[];
  /** `…@g.us`, when it was written in a group. */
  readonly group?: string;
}

/**
 * A customer's phone. Messages of the device go by the id that the gateway answered, also where the network has another
 * one (the driver translates); messages of phones by the id that `send` resolved to, which is that of the callback.
 */
export interface ParityPhone {
  /** Bare digits. */
  readonly number: string;
  readonly name: string;
  /** Writes to the device, or into a group both are in. Resolves when the network has it, whether the gateway runs or not. */
  send(content: PhoneContent, where?: { readonly group?: string; readonly quoted?: string }): Promise<string>;
  /** In the order of arrival. */
  shown(): Promise<ShownMessage[]>;
  /** The person opens the chat and sees everything there is. */
  read(): Promise<void>;
  /** The person listens to a voice message. */
  play(id: string): Promise<void>;
  /** Away: messages reach the server and wait there. */
  offline(on: boolean): Promise<void>;
  /** The network tells the device of this level for a message of the device, whatever was told before or is true. */
  receipt(id: string, level: 'delivered' | 'viewed' | 'played'): Promise<void>;
}

/** Misbehaviour of the network; what is not named stays as it is. */
export interface NetworkFaults {
  /** What phones send reaches the device twice, with one id. */
  readonly duplicate?: boolean;
  /** The network refuses what the device sends, for good and with a code. */
  readonly refuse?: boolean;
}

/** The network that one engine talks to, with its phones. One driver per engine; the cases are the same for all. */
export interface ParityDriver {
  readonly engine: EngineKind;
  /** Before the first gateway starts. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What the gateway's environment must say to find this network. Asked for after `start`. */
  environment(): Readonly<Record<string, string>>;
  /** A gateway has started, for the first time or again; `databaseUrl` is that of its database. */
  attach?(client: ParityClient, databaseUrl: string): Promise<void>;
  /** The gateway is about to stop. */
  detach?(): Promise<void>;
  /** Makes the device (`POST /api/new`) and brings it to `connected`, as its owner does: scans the code, or verifies. */
  link(client: ParityClient, instanceID: string): Promise<void>;
  phone(number: string, name: string): Promise<ParityPhone>;
  faults(faults: NetworkFaults): Promise<void>;
}
