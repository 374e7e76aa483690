import { Failure } from '@platform/errors';
import { httpClient, type HttpClient } from './client';
import { peer, type PeerCall, type PeerOptions } from './peer';
import { path } from './peer-path';
import { answers, startSibling, type Sibling } from './sibling.fixture';

let sibling: Sibling;
let http: HttpClient;
beforeAll(async () => {
  sibling = await startSibling();
  http = httpClient('commerce-api', sibling.url);
});
afterAll(async () => {
  await http.stop?.();
  await sibling.stop();
});
beforeEach(() => (sibling.seen.length = 0));

const call: PeerCall = { method: 'POST', path: path('/api/orders'), json: { sku: 'x' } };
const commerce = (options: Partial<PeerOptions>) =>
  peer('commerce-api', http, { timeoutMs: 2_000, refusals: { 422: Refused }, ...options });
class Refused extends Failure {
  readonly kind = 'rejected';
}
const detailsOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'it answered',
    (failure: Failure) => failure.details,
  );

describe('a call to a sibling', () => {
  it('is signed afresh for every try, with the path and the body as they are sent', async () => {
    sibling.state.does = answers(503, {});
    const signed: object[] = [];
    const sign = (each: object) => ({ 'x-signature': String(signed.push(each)) });
    const asked = commerce({ sign }).ask({ ...call, query: { page: 2 }, retries: 2 });
    await expect(asked).rejects.toBeInstanceOf(Failure);
    expect(sibling.seen.map(({ headers }) => headers['x-signature'])).toEqual(['1', '2', '3']);
    const { url: path, body } = sibling.seen[0] ?? {};
    expect(signed).toEqual([1, 2, 3].map(() => ({ method: 'POST', path, body })));
  });

  it('that is refused tells what is wrong with each field, where the caller wants to know', async () => {
    const errors = { 'items.0.sku': ['unknown sku'], odd: 'no list' };
    sibling.state.does = answers(422, { status: 'error', message: 'no', code: 'validation', errors });
    expect(await detailsOf(commerce({ fieldErrors: true }).ask(call))).toEqual({
      errors: { 'items.0.sku': ['unknown sku'] },
    });
    expect(await detailsOf(commerce({}).ask(call))).toEqual({});
  });
});
