import { createHash } from 'node:crypto';
import type { KeyPair } from 'baileys';
import type { Connection } from './connection';
import { formatJid, LIDS, parseJid, PHONES } from './jid';
import type { BinaryNode, Library } from './library';
import type { AccountOptions, Addressing } from './sandbox.types';

/** What others need to start a session with a device; the server hands out each one-time key once. */
export interface KeyBundle {
  readonly registration: BinaryNode;
  readonly type: BinaryNode;
  readonly identity: BinaryNode;
  signed: BinaryNode;
}

/** On its way to a device until a receipt comes; `sentOn` is the connection it last went over. */
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
  /** Device ids are not used twice: other clients keep sessions with the old ones. */
  nextDevice: number;
  /** The server claims to have a key left, so that a new client makes 5 and not 812. */
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

/** Who exists: accounts with their devices, and groups. Numbers and LIDs of one account are the same account. */
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

  /** Of stanzas the server starts. */
  nextId(): string {
    return `sandbox-${++this.ids}`;
  }

  /** Finds or makes the account, and takes what is given. */
  account(number: string, options: AccountOptions = {}): Account {
    const known = this.accounts.get(number);
    const account = known ?? this.makeAccount(number);
    if (options.name !== undefined) account.name = options.name;
    if (options.addressing !== undefined) account.addressing = options.addressing;
    if (options.picture !== undefined) account.picture = options.picture;
    return account;
  }

  /** Whoever logs in with this noise key is the device. */
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
/** In the form somebody was addressed by, unless the account shows only its LID. */
export const jidAs = (account: Account, form: string, device = 0): string =>
  form === LIDS || account.addressing !== 'pn' ? lidOf(account, device) : pnOf(account, device);
