import { UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { httpClient } from '@platform/http';
import { useForEach } from '@platform/testing';
import { httpWaGateway } from './wa.gateway';
import { waGatewayContract } from './wa.gateway.contract';
import { startFakeGateway } from './wa.gateway.fake';

const fake = useForEach(startFakeGateway);
const http = useForEach(() => httpClient('wa-gateway', fake.url));

describe('the fake of wa-gateway', () =>
  waGatewayContract(() => ({ gateway: httpWaGateway(http, undefined), scan: fake.scan })));

describe('wa-gateway', () => {
  it('is told the key of this installation, where there is one', async () => {
    await httpWaGateway(http, 'a key').open('dev-1', 'Toko');
    await httpWaGateway(http, undefined).device('dev-1');
    expect(fake.state.keys).toEqual(['a key', undefined]);
  });

  it.each([
    ['down', UpstreamFailed, true],
    ['refuse', UpstreamFailed, false],
    ['hang', UpstreamTimedOut, true],
  ] as const)('that does %s has failed, and may have done it: %s %s', async (mood, failed, mayBeDone) => {
    fake.state.mood = mood;
    const failure: unknown = await httpWaGateway(http, undefined, 200)
      .open('dev-1', 'Toko')
      .catch((thrown) => thrown);
    expect(failure).toBeInstanceOf(failed);
    expect((failure as UpstreamFailed).unknown).toBe(mayBeDone);
  });
});
