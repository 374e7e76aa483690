import { createHash } from 'node:crypto';
import type { KeyPair } from 'baileys';
import type { Connection } from './connection';
import { formatJid, LIDS, parseJid, PHONES } from './jid';
import type { BinaryNode, Library } from './library';
import type { AccountOptions, Addressing } from './sandbox.types';

/** Public keys with which others start a session with a device; each one-time key is handed out once. */
export interface KeyBundle {
  readonly registration: BinaryNode;
  readonly type: BinaryNode;
  readonly identity: BinaryNode;
  signed: BinaryNode;
}

/** A message without a receipt yet; `sentOn` is the connection over which it was last sent. */
export interface HeldMessage {
  readonly id: string;
  readonly node: BinaryNode;
  sentOn?: Connection;
}

export interface Device {
  readonly account: Account;
  readonly id: number;
  /** Logins with another noise key are refused. */
  readonly noiseKey: Buffer;
  bundle?: KeyBundle;
  oneTimeKeys: BinaryNode[];
  connection?: Connection;
  readonly held: Map<string, HeldMessage>;
  /** Receipts and notifications for a device that is offline. */
  readonly notices: BinaryNode[];
}

export interface Account {
  readonly number: string;
  /** User part of the LID. */
  readonly lid: string;
  name: string;
  addressing: Addressing;
  picture?: string;
  /** Signs the identities of its devices. */
  readonly key: KeyPair;
  readonly devices: Map<number, Device>;
  /** Device ids are never reused: other clients keep sessions with the old ones. */
  nextDevice: number;
  /** Whether the server claims to have a key left, so that a new client makes 5 instead of 812. */
  fewKeys: boolean;
  readonly heard: BinaryNode[];
}

export type GroupRole = 'superadmin' | 'admin' | undefined;

export interface Group {
  readonly id: string;
  subject: string;
  readonly created: number;
  readonly creator: Account;
  readonly members: Map<Account, GroupRole>;
}

/** All accounts with their devices, and all groups. Accounts are found by number or LID. */
export class Network {
  readonly accounts = new Map<string, Account>();
  readonly groups = new Map<string, Group>();
  readonly counters: Record<string, number> = {};
  readonly unlistedIqs: string[] = [];
  private readonly lids = new Map<string, Account>();
  private ids = 0;

  constructor(
    readonly library: Library,
    readonly now: () => number,
    private readonly fewKeys = false,
  ) {}

  count(what: string): void {
    this.counters[what] = (this.counters[what] ?? 0) + 1;
  }

  /** An id for a stanza of the server. */
  nextId(): string {
    return `sandbox-${++this.ids}`;
  }

  /** Finds or creates the account, and applies the given options. */
  account(number: string, options: AccountOptions = {}): Account {
    const known = this.accounts.get(number);
    const account = known ?? this.makeAccount(number);
    if (options.name !== undefined) account.name = options.name;
    if (options.addressing !== undefined) account.addressing = options.addressing;
    if (options.picture !== undefined) account.picture = options.picture;
    return account;
  }

  /** Adds a device, identified at its logins by this noise key. */
  addDevice(account: Account, noiseKey: Uint8Array, id = account.nextDevice++): Device {
    const key = Buffer.from(noiseKey);
    const device: Device = { account, id, noiseKey: key, oneTimeKeys: [], held: new Map(), notices: [] };
    account.devices.set(id, device);
    return device;
  }

  find(jid: string): Account | undefined {
    const { user, server } = parseJid(jid);
    return server === LIDS ? this.lids.get(user) : this.accounts.get(user);
  }

  device(jid: string): Device | undefined {
    return this.find(jid)?.devices.get(parseJid(jid).device);
  }

  online(account: Account): Device[] {
    return [...account.devices.values()].filter(({ connection }) => connection);
  }

  private makeAccount(number: string): Account {
    if (!/^\d{7,15}$/.test(number))
      throw new Error(`"${number}" is not a number: 7 to 15 digits with the country code.`);
    const digest = createHash('sha256').update(number).digest();
    const lid = String(100_000_000_000_000 + (digest.readUIntBE(0, 6) % 899_999_999_999_999));
    const account: Account = {
      number,
      lid,
      name: `Customer ${number.slice(-4)}`,
      addressing: 'pn',
      key: this.library.Curve.generateKeyPair(),
      devices: new Map(),
      nextDevice: 1,
      fewKeys: this.fewKeys,
      heard: [],
    };
    this.accounts.set(number, account);
    this.lids.set(lid, account);
    return account;
  }
}

export const pnOf = (account: Account, device = 0): string => formatJid(account.number, PHONES, device);
export const lidOf = (account: Account, device = 0): string => formatJid(account.lid, LIDS, device);
/** The address of an account in the given form, unless the account has only its LID. */
export const jidAs = (account: Account, form: string, device = 0): string =>
  form === LIDS || account.addressing !== 'pn' ? lidOf(account, device) : pnOf(account, device);
