import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a signature is checked with. */
export interface Signer {
  readonly accessKeyId: string;
  readonly secret: string;
  readonly now: number;
}

type Request = Pick<IncomingMessage, 'method' | 'headers'> & { readonly url?: string | undefined };
export type Verdict = 'good' | 'unsigned' | 'AccessDenied' | 'InvalidAccessKeyId' | 'SignatureDoesNotMatch';

interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly lifeS: number;
  readonly payload: string;
}

const SKEW_S = 15 * 60;
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const headerOf = ({ headers }: Request, name: string): string =>
  String(headers[name] ?? '')
    .trim()
    .replace(/ +/g, ' ');

const claimOf = (request: Request, query: URLSearchParams): Claim | undefined => {
  const inHeader = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
    request.headers.authorization ?? '',
  );
  if (inHeader) {
    const [, credential = '', signedHeaders = '', signature = ''] = inHeader;
    const [date, payload] = [headerOf(request, 'x-amz-date'), headerOf(request, 'x-amz-content-sha256')];
    return { credential, signedHeaders, signature, date, lifeS: SKEW_S, payload };
  }
  const of = (name: string): string => query.get(`X-Amz-${name}`) ?? '';
  if (of('Algorithm') !== 'AWS4-HMAC-SHA256') return undefined;
  const named = { credential: of('Credential'), signedHeaders: of('SignedHeaders'), signature: of('Signature') };
  return { ...named, date: of('Date'), lifeS: Number(of('Expires')), payload: 'UNSIGNED-PAYLOAD' };
};

const canonical = (request: Request, { pathname, searchParams }: URL, claim: Claim): string => {
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted();
  const path = pathname.split('/').map((part) => encoded(decodeURIComponent(part)));
  const headers = claim.signedHeaders.split(';').map((name) => `${name}:${headerOf(request, name)}\n`);
  const lines = [request.method, path.join('/'), query.join('&'), headers.join(''), claim.signedHeaders];
  return [...lines, claim.payload].join('\n');
};

const secondsOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) / 1000;

/** AWS Signature Version 4 of a request to S3, as its documentation has it: in the header and in the query. */
export const verdictOn = (request: Request, { accessKeyId, secret, now }: Signer): Verdict => {
  const url = new URL(request.url ?? '/', 'http://s3');
  const claim = claimOf(request, url.searchParams);
  if (!claim) return 'unsigned';
  const [key, ...scope] = claim.credential.split('/');
  if (key !== accessKeyId) return 'InvalidAccessKeyId';
  const begun = secondsOf(claim.date);
  if (!(begun - SKEW_S <= now / 1000 && now / 1000 < begun + claim.lifeS)) return 'AccessDenied';
  const digest = createHash('sha256')
    .update(canonical(request, url, claim))
    .digest('hex');
  const text = ['AWS4-HMAC-SHA256', claim.date, scope.join('/'), digest].join('\n');
  const signing = scope.reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  const [right, given] = [hmac(signing, text), Buffer.from(claim.signature, 'hex')];
  return right.length === given.length && timingSafeEqual(right, given) ? 'good' : 'SignatureDoesNotMatch';
};
