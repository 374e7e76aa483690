import { createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate of a server and its private key, as PEM. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Who signs certificates of servers; known to nobody but the test. */
export interface Authority {
  /** What clients are to trust, as PEM. */
  readonly certificate: string;
  /** A certificate of the server with this DNS name. */
  issue(host: string): ServerCertificate;
}

const DAY_MS = 24 * 3_600_000;
const TAG = { boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, text: 0x0c, time: 0x18 };
const [SEQUENCE, SET, DNS_NAME] = [0x30, 0x31, 0x82];
/** Where a tagged member of a structure stands (X.690 section 8.14). */
const member = (nth: number): number => 0xa0 + nth;

/** DER (X.690): tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
};

const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const [COMMON_NAME, BASIC_CONSTRAINTS, SUBJECT_ALT_NAME] = [oid('550403'), oid('551d13'), oid('551d11')];
const TRUE = der(TAG.boolean, Buffer.from([0xff]));

const nameOf = (text: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(TAG.text, Buffer.from(text)))));

const timeOf = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(TAG.time, Buffer.from(digits));
};

/** No line is empty, also when the last is full: OpenSSL ends there. */
const pem = (content: Buffer): string => {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
};

interface Wanted {
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  readonly signer: KeyObject;
  readonly extension: Buffer;
}

/** X.509 version 3 (RFC 5280 section 4.1) with one extension, good for a day before and after now. */
const certificateOf = ({ subject, issuer, key, signer, extension }: Wanted): string => {
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const signed = der(
    SEQUENCE,
    der(member(0), der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    der(SEQUENCE, timeOf(Date.now() - DAY_MS), timeOf(Date.now() + DAY_MS)),
    nameOf(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(member(3), der(SEQUENCE, extension)),
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign('sha256', signed, signer));
  return pem(der(SEQUENCE, signed, ECDSA_WITH_SHA256, signature));
};

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

/** A certificate authority of its own: made with Node alone, because not every machine has openssl. */
export const certificateAuthority = (name = 'Authority of a test'): Authority => {
  const key = newKey();
  const isAuthority = der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(TAG.octets, der(SEQUENCE, TRUE)));
  return {
    certificate: certificateOf({ subject: name, issuer: name, key, signer: key, extension: isAuthority }),
    issue: (host) => {
      const own = newKey();
      const names = der(TAG.octets, der(SEQUENCE, der(DNS_NAME, Buffer.from(host))));
      const extension = der(SEQUENCE, SUBJECT_ALT_NAME, names);
      return {
        certificate: certificateOf({ subject: host, issuer: name, key: own, signer: key, extension }),
        key: own.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
};
