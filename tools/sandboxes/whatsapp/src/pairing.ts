import { createHmac, randomBytes } from 'node:crypto';
import type { Connection } from './connection';
import { SERVER_JID } from './jid';
import type { BinaryNode } from './library';
import { lidOf, pnOf, type Account, type Device, type Network } from './network';
import { bytes, child, element } from './node.reader';
import { isSignedBy } from './xeddsa';

const REFS = 6;
const ACCOUNT_SIGNATURE = Buffer.from([6, 0]);
const DEVICE_SIGNATURE = Buffer.from([6, 1]);
/** Time for the client to store its credentials before the server ends the connection. */
const RESTART_MS = 50;

/** A client to link: its connection key, its identity key, and the secret that it shares with the phone. */
export interface Companion {
  readonly noiseKey: Buffer;
  readonly identityKey: Buffer;
  readonly secret: Buffer;
}

interface Waiting {
  readonly refs: readonly string[];
  readonly noiseKey: Buffer;
}

/** A scanned companion that has not signed its identity yet. */
interface Scanned {
  readonly account: Account;
  readonly device: number;
  readonly noiseKey: Buffer;
  readonly identityKey: Buffer;
  readonly details: Uint8Array;
  linked(device: Device): void;
  failed(error: Error): void;
}

/** Links companions: the server sends refs, the account's key signs the identity in the QR text, the companion signs back. */
export class Pairing {
  private readonly waiting = new Map<Connection, Waiting>();
  private readonly scanned = new Map<Connection, Scanned>();

  constructor(private readonly network: Network) {}

  /** Offers codes to a client without an account. */
  begin(connection: Connection, noiseKey: Buffer): void {
    const refs = Array.from({ length: REFS }, () => `2@${randomBytes(48).toString('base64')}`);
    this.waiting.set(connection, { refs, noiseKey });
    const content = refs.map((ref) => element('ref', {}, Buffer.from(ref)));
    connection.send(
      element('iq', { from: SERVER_JID, type: 'set', xmlns: 'md', id: this.network.nextId() }, [
        element('pair-device', {}, content),
      ]),
    );
  }

  /** Resolves with the linked device. Throws when no connected client offers this code. */
  scan(qr: string, account: Account): Promise<Device> {
    const [ref, noise, identity, secret] = qr.slice(qr.indexOf('#') + 1).split(',');
    const found = [...this.waiting].find(([, { refs }]) => ref !== undefined && refs.includes(ref));
    if (!found || !noise || !identity || !secret)
      throw new Error('No client offers this code: it is used, its client is gone, or it is not a pairing code.');
    const [connection, { noiseKey }] = found;
    if (!noiseKey.equals(Buffer.from(noise, 'base64')))
      throw new Error('The noise key in the code is not the one of the connection it came from.');
    return this.link(connection, account, {
      noiseKey,
      identityKey: Buffer.from(identity, 'base64'),
      secret: Buffer.from(secret, 'base64'),
    });
  }

  /** Tells the companion its account. Resolves when it has signed. */
  link(connection: Connection, account: Account, { noiseKey, identityKey, secret }: Companion): Promise<Device> {
    return new Promise((linked, failed) => {
      const device = account.nextDevice++;
      const details = this.details(device);
      this.waiting.delete(connection);
      this.scanned.set(connection, { account, device, noiseKey, identityKey, details, linked, failed });
      connection.send(this.success(account, device, this.sign(account, details, identityKey, secret)));
    });
  }

  /** Handles the companion's answer to `pair-success`; false for any other stanza. */
  signed(connection: Connection, node: BinaryNode): boolean {
    const scanned = this.scanned.get(connection);
    const identity = child(child(node, 'pair-device-sign'), 'device-identity');
    if (!scanned || !identity) return false;
    this.scanned.delete(connection);
    const { account, device, details, identityKey } = scanned;
    const { proto } = this.network.library;
    const signature = proto.ADVSignedDeviceIdentity.decode(bytes(identity)).deviceSignature ?? Buffer.alloc(0);
    const message = Buffer.concat([DEVICE_SIGNATURE, details, identityKey, account.key.public]);
    if (!isSignedBy(identityKey, message, signature)) {
      scanned.failed(new Error('The device signature of pair-device-sign does not verify.'));
      connection.close();
      return true;
    }
    const linked = this.network.addDevice(account, scanned.noiseKey, device);
    connection.send(element('stream:error', { code: '515' }));
    setTimeout(() => connection.close(), RESTART_MS);
    scanned.linked(linked);
    return true;
  }

  closed(connection: Connection): void {
    this.waiting.delete(connection);
    this.scanned.get(connection)?.failed(new Error('The client closed its connection before it had signed.'));
    this.scanned.delete(connection);
  }

  private details(device: number): Uint8Array {
    const { ADVDeviceIdentity } = this.network.library.proto;
    return ADVDeviceIdentity.encode({ rawId: device, timestamp: this.network.now(), keyIndex: device }).finish();
  }

  private sign(account: Account, details: Uint8Array, identityKey: Buffer, secret: Buffer): Uint8Array {
    const { Curve, proto } = this.network.library;
    const accountSignature = Curve.sign(account.key.private, Buffer.concat([ACCOUNT_SIGNATURE, details, identityKey]));
    const signed = proto.ADVSignedDeviceIdentity.encode({
      details,
      accountSignatureKey: account.key.public,
      accountSignature,
    }).finish();
    const hmac = createHmac('sha256', secret).update(signed).digest();
    return proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish();
  }

  private success(account: Account, device: number, identity: Uint8Array): BinaryNode {
    return element('iq', { from: SERVER_JID, type: 'set', id: this.network.nextId() }, [
      element('pair-success', {}, [
        element('device-identity', {}, identity),
        element('biz', { name: account.name }),
        element('platform', { name: 'android' }),
        element('device', { jid: pnOf(account, device), lid: lidOf(account, device) }),
      ]),
    ]);
  }
}
