import { createDecipheriv, hkdfSync, type ECDH } from 'node:crypto';

/** What is wrong with a message, and the status that says so. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(reason);
  }
}

const [SALT, TAG, POINT, HEADER] = [16, 16, 65, 21];
const LAST_RECORD = 2;

const derived = (key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** The key of the content, from the secret that both ends share (RFC 8291 section 3.4). */
const contentKey = (browser: ECDH, auth: Buffer, sender: Buffer): Buffer => {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  return derived(browser.computeSecret(sender), auth, info, 32);
};

/** The text of one message: a single record of `aes128gcm` (RFC 8188 section 2), as RFC 8291 section 4 demands. Throws `Refused`. */
export const decrypted = (body: Buffer, browser: ECDH, auth: Buffer): string => {
  if (body.length < HEADER + POINT + TAG + 1) throw new Refused(400, 'the message is too short to be aes128gcm');
  const salt = body.subarray(0, SALT);
  const recordSize = body.readUInt32BE(SALT);
  const idLength = body.readUInt8(SALT + 4);
  if (idLength !== POINT) throw new Refused(400, 'the key id must be the public key of the sender');
  const sender = body.subarray(HEADER, HEADER + POINT);
  const record = body.subarray(HEADER + POINT);
  if (record.length > recordSize) throw new Refused(400, 'the message must be one record');
  try {
    const secret = contentKey(browser, auth, sender);
    const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-TAG));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== LAST_RECORD) throw new Refused(400, 'the last record must end in 0x02');
    return new TextDecoder('utf-8', { fatal: true }).decode(padded.subarray(0, end));
  } catch (failure) {
    if (failure instanceof Refused) throw failure;
    throw new Refused(400, 'the message does not decrypt');
  }
};
