import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { proto } from 'baileys';
import type { Library } from './library';
import type { ServerIdentity } from './server.identity';

const NAME = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0');
const TAG = 16;
const EMPTY = Buffer.alloc(0);

const iv = (counter: number): Buffer => {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
};

const seal = (plain: Uint8Array, key: Buffer, counter: number, aad: Buffer): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, iv(counter)).setAAD(aad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

const open = (sealed: Uint8Array, key: Buffer, counter: number, aad: Buffer): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, iv(counter)).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-TAG));
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()]);
};

/** Encryption after the handshake: each direction has its own key and counts its frames from 0. */
export class Transport {
  private sent = 0;
  private received = 0;

  constructor(
    private readonly clientKey: Buffer,
    private readonly serverKey: Buffer,
  ) {}

  seal(plain: Uint8Array): Buffer {
    return seal(plain, this.serverKey, this.sent++, EMPTY);
  }

  open(sealed: Uint8Array): Buffer {
    return open(sealed, this.clientKey, this.received++, EMPTY);
  }
}

export interface Handshaken {
  readonly transport: Transport;
  /** The client's noise key, which identifies its device. */
  readonly noiseKey: Buffer;
  readonly payload: proto.ClientPayload;
}

/** `Noise_XX_25519_AESGCM_SHA256`, the answering side (noiseprotocol.org, revision 34, section 7.5). */
export class NoiseResponder {
  private hash: Buffer = NAME;
  private chain: Buffer = NAME;
  private key: Buffer = NAME;
  private counter = 0;
  private readonly ephemeral;

  constructor(
    private readonly library: Library,
    private readonly identity: ServerIdentity,
    intro: Buffer,
  ) {
    this.ephemeral = library.Curve.generateKeyPair();
    this.mixHash(intro);
  }

  /** Answers `clientHello`. Throws for any other message. */
  hello(message: Uint8Array): Uint8Array {
    const { HandshakeMessage } = this.library.proto;
    const client = HandshakeMessage.decode(message).clientHello?.ephemeral;
    if (!client) throw new Error('The first frame of a connection must be a clientHello with an ephemeral key.');
    this.mixHash(client);
    this.mixHash(this.ephemeral.public);
    this.mixKey(this.ephemeral.private, client);
    const key = this.encrypt(this.identity.static.public);
    this.mixKey(this.identity.static.private, client);
    const payload = this.encrypt(this.identity.certificate);
    return HandshakeMessage.encode({
      serverHello: { ephemeral: this.ephemeral.public, static: key, payload },
    }).finish();
  }

  /** Takes `clientFinish`. Throws when it does not belong to this handshake. */
  finish(message: Uint8Array): Handshaken {
    const { HandshakeMessage, ClientPayload } = this.library.proto;
    const finish = HandshakeMessage.decode(message).clientFinish;
    if (!finish?.static || !finish.payload) throw new Error('The second frame of a connection must be a clientFinish.');
    const noiseKey = this.decrypt(finish.static);
    this.mixKey(this.ephemeral.private, noiseKey);
    const payload = ClientPayload.decode(this.decrypt(finish.payload));
    const [clientKey, serverKey] = this.expand(EMPTY);
    return { transport: new Transport(clientKey, serverKey), noiseKey, payload };
  }

  private mixHash(data: Uint8Array): void {
    this.hash = createHash('sha256').update(this.hash).update(data).digest();
  }

  private mixKey(own: Uint8Array, other: Uint8Array): void {
    [this.chain, this.key] = this.expand(this.library.Curve.sharedKey(own, other));
    this.counter = 0;
  }

  private expand(input: Uint8Array): [Buffer, Buffer] {
    const keys = Buffer.from(hkdfSync('sha256', input, this.chain, EMPTY, 64));
    return [keys.subarray(0, 32), keys.subarray(32)];
  }

  private encrypt(plain: Uint8Array): Buffer {
    const sealed = seal(plain, this.key, this.counter++, this.hash);
    this.mixHash(sealed);
    return sealed;
  }

  private decrypt(sealed: Uint8Array): Buffer {
    const plain = open(sealed, this.key, this.counter++, this.hash);
    this.mixHash(sealed);
    return plain;
  }
}
