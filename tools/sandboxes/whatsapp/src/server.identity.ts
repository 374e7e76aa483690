import type { KeyPair } from 'baileys';
import type { Library } from './library';

/** The server's keys in the handshake: a static key, certified by an intermediate, certified by the root. */
export interface ServerIdentity {
  readonly root: KeyPair;
  readonly static: KeyPair;
  readonly certificate: Uint8Array;
}

/** With the serial numbers that the client checks: the issuer of the intermediate is 0 (the root). */
export const makeServerIdentity = ({ Curve, proto }: Library): ServerIdentity => {
  const [root, intermediate, server] = [Curve.generateKeyPair(), Curve.generateKeyPair(), Curve.generateKeyPair()];
  const { Details } = proto.CertChain.NoiseCertificate;
  const middle = Details.encode({ serial: 1, issuerSerial: 0, key: intermediate.public }).finish();
  const leaf = Details.encode({ serial: 2, issuerSerial: 1, key: server.public }).finish();
  const certificate = proto.CertChain.encode({
    intermediate: { details: middle, signature: Curve.sign(root.private, middle) },
    leaf: { details: leaf, signature: Curve.sign(intermediate.private, leaf) },
  }).finish();
  return { root, static: server, certificate };
};
