import { verdictOn, type Signer } from './s3.signature.fixture';

// Of Amazon's documentation, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)"
const SIGNER: Signer = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  now: Date.parse('2013-05-24T00:00:01Z'),
};
const QUERY =
  'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
  '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
  '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
const request = { method: 'GET', url: `/test.txt?${QUERY}`, headers: { host: 'examplebucket.s3.amazonaws.com' } };

it('the example of Amazon is good, until it has expired', () => {
  expect(verdictOn(request, SIGNER)).toBe('good');
  expect(verdictOn(request, { ...SIGNER, now: Date.parse('2013-05-25T00:00:00Z') })).toBe('AccessDenied');
});

it.each([
  ['another secret', request, { ...SIGNER, secret: 'another' }, 'SignatureDoesNotMatch'],
  ['another key', request, { ...SIGNER, accessKeyId: 'another' }, 'InvalidAccessKeyId'],
  ['another header', { ...request, headers: { host: 'x' } }, SIGNER, 'SignatureDoesNotMatch'],
  ['another method', { ...request, method: 'PUT' }, SIGNER, 'SignatureDoesNotMatch'],
  ['another object', { ...request, url: `/other.txt?${QUERY}` }, SIGNER, 'SignatureDoesNotMatch'],
  ['another parameter', { ...request, url: `${request.url}&x=1` }, SIGNER, 'SignatureDoesNotMatch'],
  ['a longer life', { ...request, url: request.url.replace('86400', '86401') }, SIGNER, 'SignatureDoesNotMatch'],
  ['no signature', { ...request, url: '/test.txt' }, SIGNER, 'unsigned'],
] as const)('with %s it is refused', (_, changed, signer, verdict) => {
  expect(verdictOn(changed, signer)).toBe(verdict);
});
