import { EventEmitter, once } from 'node:events';
import { createCipheriv, createDecipheriv, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Connection } from './connection';
import { SERVER_JID, toJid } from './jid';
import type { BinaryNode } from './library';
import type { Account, Device, Network } from './network';
import { bytes, child, element } from './node.reader';
import type { Pairing } from './pairing';

const TAG = 'link_code_companion_reg';
const EMPTY = Buffer.alloc(0);
const SALT = 32;
const IV = 16;
const GCM_IV = 12;
const GCM_TAG = 16;
const ROUNDS = 131_072;
const ASK_MS = 5_000;

const codeKey = (code: string, salt: Buffer): Buffer => pbkdf2Sync(code, salt, ROUNDS, 32, 'sha256');
const hkdf = (input: Buffer, info: string, salt: Buffer = EMPTY): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, 32));

/** `salt, iv, AES-256-CTR` with a key from the typed code. */
const wrap = (key: Uint8Array, code: string): Buffer => {
  const [salt, iv] = [randomBytes(SALT), randomBytes(IV)];
  const cipher = createCipheriv('aes-256-ctr', codeKey(code, salt), iv);
  return Buffer.concat([salt, iv, cipher.update(key), cipher.final()]);
};
const unwrap = (wrapped: Buffer, code: string): Buffer => {
  const [salt, iv] = [wrapped.subarray(0, SALT), wrapped.subarray(SALT, SALT + IV)];
  const decipher = createDecipheriv('aes-256-ctr', codeKey(code, salt), iv);
  return Buffer.concat([decipher.update(wrapped.subarray(SALT + IV)), decipher.final()]);
};

/** Decrypts `salt, iv, AES-256-GCM` of both identity keys and the client's random; undefined when the code was wrong. */
const openBundle = (wrapped: Buffer, shared: Buffer): Buffer | undefined => {
  const [salt, rest] = [wrapped.subarray(0, SALT), wrapped.subarray(SALT)];
  const key = hkdf(shared, 'link_code_pairing_key_bundle_encryption_key', salt);
  const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, GCM_IV));
  decipher.setAuthTag(rest.subarray(-GCM_TAG));
  try {
    return Buffer.concat([decipher.update(rest.subarray(GCM_IV, -GCM_TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
};

interface Hello {
  readonly jid: string;
  readonly noiseKey: Buffer;
  readonly wrapped: Buffer;
}

interface Entered {
  readonly account: Account;
  readonly shared: Buffer;
  readonly noiseKey: Buffer;
  linked(device: Promise<Device>): void;
  failed(error: Error): void;
}

/** Linking by a code typed into the phone: both sides exchange ephemeral keys encrypted with it and agree on the adv secret. */
export class CodePairing {
  private readonly hellos = new Map<Connection, Hello>();
  private readonly entered = new Map<Connection, Entered>();

  private readonly asked = new EventEmitter();

  constructor(
    private readonly network: Network,
    private readonly pairing: Pairing,
  ) {}

  take(connection: Connection, node: BinaryNode): void {
    const body = child(node, TAG);
    if (!body) return;
    const ref = element('link_code_pairing_ref', {}, Buffer.from(this.network.nextId()));
    const content = body.attrs.stage === 'companion_hello' ? [element(TAG, {}, [ref])] : [];
    connection.send(element('iq', { from: SERVER_JID, type: 'result', id: node.attrs.id }, content));
    if (body.attrs.stage === 'companion_finish') return this.finish(connection, body);
    this.hellos.set(connection, {
      jid: body.attrs.jid ?? '',
      noiseKey: bytes(child(body, 'companion_server_auth_key_pub')),
      wrapped: bytes(child(body, 'link_code_pairing_wrapped_companion_ephemeral_pub')),
    });
    this.asked.emit(body.attrs.jid ?? '');
  }

  /** Waits for the client to ask. Rejects when none does within 5 s, and when the code is wrong. */
  async enter(code: string, account: Account): Promise<Device> {
    const [connection, { wrapped, noiseKey }] = await this.hello(account);
    const { Curve } = this.network.library;
    const own = Curve.generateKeyPair();
    const shared = Curve.sharedKey(own.private, unwrap(wrapped, code));
    const linking = new Promise<Promise<Device>>((linked, failed) => {
      this.entered.set(connection, { account, shared, noiseKey, linked, failed });
    });
    const attrs = { from: SERVER_JID, type: TAG, id: this.network.nextId(), t: String(this.network.now()) };
    const content = [
      element('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrap(own.public, code)),
      element('primary_identity_pub', {}, account.key.public),
      element('link_code_pairing_ref', {}, Buffer.from('ref')),
    ];
    connection.send(element('notification', attrs, [element(TAG, { stage: 'primary_hello' }, content)]));
    return linking;
  }

  closed(connection: Connection): void {
    this.hellos.delete(connection);
    this.entered
      .get(connection)
      ?.failed(new Error('The client closed its connection before it had answered the code.'));
    this.entered.delete(connection);
  }

  private async hello({ number }: Account): Promise<[Connection, Hello]> {
    const find = (): [Connection, Hello] | undefined => [...this.hellos].find(([, { jid }]) => jid === toJid(number));
    if (!find()) await once(this.asked, toJid(number), { signal: AbortSignal.timeout(ASK_MS) }).catch(() => undefined);
    const found = find();
    if (!found) throw new Error(`No client asked for a code for ${number}.`);
    return found;
  }

  private finish(connection: Connection, body: BinaryNode): void {
    const entered = this.entered.get(connection);
    if (!entered) return;
    this.entered.delete(connection);
    const { account, shared, noiseKey } = entered;
    const bundle = openBundle(bytes(child(body, 'link_code_pairing_wrapped_key_bundle')), shared);
    if (!bundle) {
      entered.failed(new Error('The code is not the one the client shows.'));
      return;
    }
    this.hellos.delete(connection);
    const identityKey = bytes(child(body, 'companion_identity_public'));
    const identities = this.network.library.Curve.sharedKey(account.key.private, identityKey);
    const secret = hkdf(Buffer.concat([shared, identities, bundle.subarray(-32)]), 'adv_secret');
    entered.linked(this.pairing.link(connection, account, { noiseKey, identityKey, secret }));
  }
}
