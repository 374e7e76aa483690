import { X509Certificate } from 'node:crypto';
import { certificateAuthority } from './certificates';

it('certificates of a test are signed by their authority, whatever length its signature has', () => {
  const verified = Array.from({ length: 50 }, () => {
    const authority = certificateAuthority();
    const signer = new X509Certificate(authority.certificate);
    const server = new X509Certificate(authority.issue('localhost').certificate);
    return server.checkIssued(signer) && server.verify(signer.publicKey) && server.checkHost('localhost');
  });
  expect(new Set(verified)).toEqual(new Set(['localhost']));
});
