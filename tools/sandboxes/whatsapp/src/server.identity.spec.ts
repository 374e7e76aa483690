/** @jest-environment ../../jest/native-import.environment.cjs */
import { loadLibrary } from './library';
import { makeServerIdentity } from './server.identity';
import { isSignedBy } from './xeddsa';

describe('the certificate chain of the WhatsApp sandbox', () => {
  it('is valid: the root signed the intermediate, which signed the key of the server', async () => {
    const library = await loadLibrary();
    const identity = makeServerIdentity(library);
    const { intermediate, leaf } = library.proto.CertChain.decode(identity.certificate);
    const { Details } = library.proto.CertChain.NoiseCertificate;
    const [middle, end] = [intermediate, leaf].map((each) => Details.decode(each?.details ?? Buffer.alloc(0)));
    expect([middle?.serial, middle?.issuerSerial, end?.serial, end?.issuerSerial]).toEqual([1, 0, 2, 1]);
    const signed = (key: Uint8Array | null | undefined, each: typeof leaf): boolean =>
      isSignedBy(key ?? Buffer.alloc(0), each?.details ?? Buffer.alloc(0), each?.signature ?? Buffer.alloc(0));
    expect(signed(identity.root.public, intermediate)).toBe(true);
    expect(signed(middle?.key, leaf)).toBe(true);
    expect(Buffer.from(end?.key ?? []).equals(Buffer.from(identity.static.public))).toBe(true);
  });

  it('does not verify with another key, message or signature', async () => {
    const { Curve } = await loadLibrary();
    const [key, other] = [Curve.generateKeyPair(), Curve.generateKeyPair()];
    const message = Buffer.from('adv');
    const signature = Curve.sign(key.private, message);
    expect(isSignedBy(key.public, message, signature)).toBe(true);
    expect(isSignedBy(other.public, message, signature)).toBe(false);
    expect(isSignedBy(key.public, Buffer.from('adw'), signature)).toBe(false);
    expect(isSignedBy(key.public, message, Buffer.alloc(64))).toBe(false);
    expect(isSignedBy(key.public, message, Buffer.alloc(3))).toBe(false);
  });
});
