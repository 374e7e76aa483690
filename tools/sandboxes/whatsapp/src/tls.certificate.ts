import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Distinguished encoding (ITU-T X.690): tag, length, content. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
};
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');
const TRUE = Buffer.from([0x01, 0x01, 0xff]);
const LOOPBACK = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from('localhost')));
const DAY = 86_400_000;

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;

export interface TlsCertificate {
  readonly key: string;
  /** Self-signed: trusting it means trusting only this host. */
  readonly certificate: string;
}

/** A self-signed certificate (RFC 5280) for 127.0.0.1 and localhost, valid for a week; created at every start. */
export const makeTlsCertificate = (): TlsCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, text('WhatsApp sandbox, not WhatsApp'))));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
    sequence(SUBJECT_ALT_NAME, der(0x04, LOOPBACK)),
  );
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    der(0x02, serial),
    ECDSA_SHA256,
    name,
    sequence(time(new Date(Date.now() - DAY)), time(new Date(Date.now() + 7 * DAY))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const certificate = sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem('CERTIFICATE', certificate),
  };
};
