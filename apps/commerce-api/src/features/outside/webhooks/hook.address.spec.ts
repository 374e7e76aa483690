import { InvalidInput } from '@platform/errors';
import { demandPublic } from './hook.address';

const namesOf = (): Promise<string[]> => Promise.resolve(['203.0.113.7']);
const refusedOf = async (url: string, allow: readonly string[] = []): Promise<unknown> =>
  demandPublic(url, { namesOf, allow }).then(
    () => undefined,
    (failure: unknown) => (failure instanceof InvalidInput ? failure.violations : failure),
  );

it.each(['https://erp.example/hook', 'https://erp.example:443/hook', 'https://erp.example:8443/hook'])(
  '%s can be reached from a cluster, and is taken',
  async (url) => expect(await refusedOf(url)).toBeUndefined(),
);

it.each(['https://erp.example:25/', 'https://erp.example:9443/hook', 'https://erp.example:80/'])(
  '%s would never be reached from a cluster, and is refused when it is saved',
  async (url) =>
    expect(await refusedOf(url)).toEqual([
      { field: 'url', tag: 'public_url', message: 'url must have the port 443 or 8443' },
    ]),
);

it('a listed host has whatever port it has', async () => {
  expect(await refusedOf('https://127.0.0.1:9443/', ['127.0.0.1'])).toBeUndefined();
});
