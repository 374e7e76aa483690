import { generateKeyPairSync } from 'node:crypto';
import { isAmong, publicKeyReader, readPublicKey, requirePublicKey } from './public-key';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const spki = rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const pkcs1 = rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString();
const fingerprint = requirePublicKey(spki).fingerprint;

const spellings = (pem: string): [string, string][] => [
  ['literal \\n for line ends', pem.replaceAll('\n', '\\n')],
  ['spaces for line ends', pem.replaceAll('\n', ' ')],
  ['no separators', pem.replaceAll('\n', '')],
  ['the bare base64 body', pem.replace(/-----[^-]+-----|\s/g, '')],
  ['percent-encoded', encodeURIComponent(pem)],
  ['base64 of the PEM', Buffer.from(pem).toString('base64')],
];

describe('a public key', () => {
  it.each([
    ['plain PEM', spki],
    ['PEM with CRLF', spki.replaceAll('\n', '\r\n')],
    ['PKCS#1 PEM', pkcs1],
    ...spellings(spki),
    ...spellings(pkcs1).map(([name, text]): [string, string] => [`PKCS#1, ${name}`, text]),
  ])('written as %s has the same fingerprint', (_, text) => expect(readPublicKey(text)?.fingerprint).toBe(fingerprint));

  it.each([
    ['a private key', rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
    [
      'a private key in one line',
      rsa.privateKey.export({ format: 'pem', type: 'pkcs1' }).toString().replaceAll('\n', ' '),
    ],
    ['the bare body of a private key', rsa.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')],
    [
      'the bare body of a PKCS#1 private key',
      rsa.privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64'),
    ],
    [
      'base64 of a private PEM',
      Buffer.from(rsa.privateKey.export({ format: 'pem', type: 'pkcs8' })).toString('base64'),
    ],
    ['nothing', ''],
    ['words', 'my public key'],
    ['another armour', spki.replaceAll('PUBLIC KEY', 'CERTIFICATE')],
    ['a cut body', spki.replaceAll('\n', '').slice(0, 200)],
    ['two keys joined as a repeated header is', `${spki.replaceAll('\n', ' ')}, ${spki.replaceAll('\n', ' ')}`],
    ['9 KB', `${spki}${' '.repeat(9 * 1024)}`],
    ['a broken percent escape', `%zz%41${spki}`],
  ])('is not read from %s', (_, text) => expect(readPublicKey(text)).toBeUndefined());

  it('is cached by its text, up to the limit', () => {
    const read = publicKeyReader(1);
    const first = read(spki);
    expect(read(spki)).toBe(first);
    read(pkcs1);
    expect(read(spki)).not.toBe(first);
  });

  it('is compared with every accepted key', () => {
    const other = 'ab'.repeat(32);
    expect([
      isAmong(fingerprint, [other, fingerprint]),
      isAmong(fingerprint, [other]),
      isAmong(fingerprint, []),
    ]).toEqual([true, false, false]);
  });
});

describe('the registration of a key', () => {
  const pemOf = (key: { export(options: { format: 'pem'; type: 'spki' }): string | Buffer }) =>
    key.export({ format: 'pem', type: 'spki' }).toString();

  it.each([
    ['an Ed25519 key', pemOf(generateKeyPairSync('ed25519').publicKey), 'must be RSA of at least 2048 bits'],
    [
      'a short RSA key',
      pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
      'must be RSA of at least',
    ],
    ['a text that is no key', 'hello', 'cannot be read'],
  ])('refuses %s with what to give instead', (_, text, message) =>
    expect(() => requirePublicKey(text)).toThrow(message),
  );
});
