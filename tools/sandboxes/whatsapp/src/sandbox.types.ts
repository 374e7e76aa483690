import type { BinaryNode, proto } from 'baileys';

export interface WhatsAppSandboxOptions {
  /** Port of the socket and the admin routes; 0 (default) takes any free one. */
  readonly port?: number;
  /** Port of the https media host; 0 (default) takes any free one. */
  readonly mediaPort?: number;
  /** Clock in epoch seconds; the wall clock by default. */
  readonly now?: () => number;
  /** Clients make 5 one-time keys at their first login instead of 812, which saves most of a second each; phones always do. */
  readonly fewKeys?: boolean;
}

/** The address of an account's messages: its number, its LID, or its LID without the number. */
export type Addressing = 'pn' | 'lid' | 'hidden';

export interface AccountOptions {
  readonly name?: string;
  readonly addressing?: Addressing;
  /** Address of the profile picture; none by default. */
  readonly picture?: string;
}

/** What goes wrong until it is reset (`sandbox.faults(noFaults)`). */
export interface Faults {
  /** Messages of the account are delivered, but the server does not acknowledge them. */
  readonly dropAck: boolean;
  /** The server refuses the account's messages with this code (`463`) and delivers none. */
  readonly nack: string | null;
  /** Everything to the account's devices is sent this many milliseconds later, in order. */
  readonly delayMs: number;
  /** Messages to the account's devices are sent twice. */
  readonly dup: boolean;
  /** Messages for the account's devices wait until this ends. */
  readonly hold: boolean;
  /** The server receives from the account's devices, but neither answers nor relays anything. */
  readonly silent: boolean;
  /** This many of the next messages for the account's devices arrive with damaged ciphertext, so the devices ask for a retry. */
  readonly garble: number;
  /** Whether a device's error ack releases a held message, as a receipt does; not known for the real server. */
  readonly nackReleases: boolean;
}

/** Close codes as the client reports them: 440 replaced, 401 unlinked, `lost` cuts the line, others are stream errors. */
export type DisconnectCause = 401 | 402 | 403 | 405 | 406 | 409 | 411 | 440 | 500 | 503 | 515 | 'lost';

export interface SandboxState {
  readonly accounts: { number: string; lid: string; name: string; linked: boolean; online: boolean }[];
  /** Messages without a receipt yet. */
  readonly held: { number: string; id: string }[];
  /** `xmlns/type/child` of requests without a handler: a client does something that the sandbox does not know. */
  readonly unlistedIqs: string[];
  /** Received stanzas by tag (`message`, `receipt`, `iq` …), and `logins`, `pairings`, `refusedLogins`. */
  readonly counters: Record<string, number>;
}

/** A message with a `plaintext` child or any node at all, straight to the devices of an account. */
export interface Injected {
  readonly to: string;
  readonly from: string;
  readonly name?: string;
  readonly id?: string;
  readonly message: proto.IMessage;
}

/** The media host's store: ciphertext by path. Tests put broken files and redirects here. */
export interface SandboxMedia {
  /** `POST /mms/image/…`, `GET /v/…`, oldest first. */
  readonly requests: readonly string[];
  get(path: string): Buffer | undefined;
  /** Stores a file, by default at a new path, and returns the path. */
  store(bytes: Buffer, path?: string): string;
  redirect(path: string, to: string): void;
  /** Serves half of the file, and the rest when the returned function is called. */
  hold(path: string): () => void;
  /** Answers this status at the path. */
  refuse(path: string, status: number): void;
}

export interface WhatsAppSandbox {
  /** `ws://127.0.0.1:…/ws/chat`, for `waWebSocketUrl`. */
  readonly socketUrl: string;
  /** Hex; the client under test trusts it in place of WhatsApp's own (`WA_CERT_DETAILS.PUBLIC_KEY`). */
  readonly rootKey: string;
  /** `127.0.0.1:…`, https. */
  readonly mediaHost: string;
  /** PEM of the authority that signed the media host's certificate. */
  readonly mediaCa: string;
  readonly media: SandboxMedia;
  /** Admin routes. */
  readonly url: string;
  /** Scans a QR text with the phone of `number`, creating its account if needed. Resolves when the device has signed. */
  scan(qr: string, who: { number: string } & AccountOptions): Promise<void>;
  /** Types the pairing code that a client shows for `number` into its phone; otherwise like `scan`. Rejects for a wrong code. */
  enterCode(code: string, who: { number: string } & AccountOptions): Promise<void>;
  /** Links a device without pairing, by its public noise key; returns its jid. A thousand take a second. */
  link(number: string, noiseKey: Uint8Array): string;
  /** Makes a number exist, with or without a device. */
  account(number: string, options?: AccountOptions): void;
  /** Creates a customer: an unmodified client in this process, linked and online when this resolves. */
  phone(number: string, options?: AccountOptions): Promise<CustomerPhone>;
  /** Changes the faults of one account, or of all. */
  faults(change: Partial<Faults>, number?: string): void;
  /**
   * Ends the socket of an account; resolves when it is closed. 401 also forgets the device. `told`: further
   * attributes of the failure, such as the seconds of a 402 in `expire`.
   */
  disconnect(number: string, cause: DisconnectCause, told?: Readonly<Record<string, string>>): Promise<void>;
  /** Delivers a message without Signal encryption. */
  inject(message: Injected): void;
  /** Sends any stanza, such as a forged receipt, to the online devices of an account. */
  send(number: string, node: BinaryNode): void;
  /** Stanzas received from an account, oldest first. */
  heard(number: string, tag?: string): readonly BinaryNode[];
  state(): SandboxState;
  stop(): Promise<void>;
}

export type PhoneMediaKind = 'image' | 'video' | 'document' | 'audio' | 'voice' | 'sticker';

export interface PhoneMedia {
  readonly kind: PhoneMediaKind;
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly caption?: string;
  readonly fileName?: string;
}

/** A received message; `content` is without wrappers (ephemeral, view once …). */
export interface PhoneMessage {
  readonly id: string;
  /** Jid of the chat; `participant` wrote it, in a group. */
  readonly chat: string;
  readonly participant?: string;
  readonly fromMe: boolean;
  readonly name?: string;
  /** Epoch seconds. */
  readonly at: number;
  /** The text, caption, poll name or emoji. */
  readonly text: string;
  /** Absent when it could not be decrypted. */
  readonly content?: proto.IMessage;
}

export interface PhoneReceipt {
  readonly id: string;
  readonly chat: string;
  readonly participant?: string;
  /** `inactive`: received by a client that is not shown as online, or at its login; no tick for the author. */
  readonly type: 'delivered' | 'inactive' | 'read' | 'played' | 'sent' | 'failed';
}

/** Identifies a sent message in edits, reactions, quotes and receipts. */
export interface MessageRef {
  readonly id: string;
  readonly chat: string;
  readonly participant?: string;
  readonly fromMe: boolean;
}

export interface SendChoices {
  readonly id?: string;
  readonly quoted?: PhoneMessage;
  readonly mentions?: readonly string[];
}

/** `to` is a number, `…@s.whatsapp.net`, `…@lid` or `…@g.us`. */
export interface CustomerPhone {
  readonly number: string;
  readonly jid: string;
  readonly lid: string;
  /** Both grow while the phone is online; duplicates are listed too. */
  readonly received: readonly PhoneMessage[];
  readonly receipts: readonly PhoneReceipt[];
  sendText(to: string, text: string, choices?: SendChoices): Promise<MessageRef>;
  sendMedia(to: string, media: PhoneMedia, choices?: SendChoices): Promise<MessageRef>;
  sendLocation(
    to: string,
    place: { latitude: number; longitude: number; name?: string; address?: string },
  ): Promise<MessageRef>;
  sendContact(to: string, contact: { name: string; number: string }): Promise<MessageRef>;
  sendPoll(to: string, poll: { name: string; options: readonly string[]; selectable?: number }): Promise<MessageRef>;
  /** Sends any content of the protocol. */
  sendProto(to: string, message: proto.IMessage, choices?: SendChoices): Promise<MessageRef>;
  react(message: MessageRef, emoji: string): Promise<MessageRef>;
  edit(message: MessageRef, text: string): Promise<MessageRef>;
  revoke(message: MessageRef): Promise<MessageRef>;
  markRead(...messages: readonly MessageRef[]): Promise<void>;
  markPlayed(message: MessageRef): Promise<void>;
  typing(to: string, on: boolean): Promise<void>;
  /** The decrypted file of a received message; MAC and hash are checked. */
  download(message: PhoneMessage): Promise<Buffer>;
  createGroup(name: string, participants: readonly string[]): Promise<string>;
  changeGroup(
    group: string,
    action: 'add' | 'remove' | 'promote' | 'demote',
    participants: readonly string[],
  ): Promise<void>;
  /** Resolves with the first received message (also an earlier one) that fits; rejects after 10 s. */
  waitFor(fits: (message: PhoneMessage) => boolean): Promise<PhoneMessage>;
  waitForReceipt(fits: (receipt: PhoneReceipt) => boolean): Promise<PhoneReceipt>;
  offline(): Promise<void>;
  online(): Promise<void>;
  stop(): Promise<void>;
}
