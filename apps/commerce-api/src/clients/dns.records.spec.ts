import { useRunning } from '@platform/testing';
import { dnsRecords, DnsUnavailable } from './dns.records';
import { startDnsServer } from './dns.server.fixture';

const server = useRunning(startDnsServer);
const records = () => dnsRecords([server.address]);
beforeEach(() => {
  server.isBroken = false;
  server.isSilent = false;
  server.zone.clear();
});

describe('records of a name', () => {
  it('are what its name server tells', async () => {
    server.zone.set('shop.example.com', { TXT: ['one', 'two'], CNAME: ['Shops.Platform.test'], A: ['203.0.113.7'] });
    server.zone.set('six.example.com', { AAAA: ['2001:db8::7'] });
    expect(await records().txt('shop.example.com')).toEqual(['one', 'two']);
    expect(await records().cname('shop.example.com')).toEqual(['shops.platform.test']);
    expect(await records().addresses('shop.example.com')).toEqual(['203.0.113.7']);
    expect(await records().addresses('six.example.com')).toEqual(['2001:db8::7']);
  });

  it.each(['txt', 'cname', 'addresses'] as const)(
    'are none of %s where there is no such name or record',
    async (kind) => {
      server.zone.set('empty.example.com', {});
      expect([await records()[kind]('empty.example.com'), await records()[kind]('nowhere.example.com')]).toEqual([
        [],
        [],
      ]);
    },
  );

  it('are unknown when the server hears and never answers', async () => {
    server.isSilent = true;
    const { txt, cname, addresses } = records();
    const asked = [txt, cname, addresses].map((ask) => ask('shop.example.com').catch((failure: unknown) => failure));
    expect(await Promise.all(asked)).toEqual(Array(3).fill(expect.any(DnsUnavailable)));
  });

  it.each(['txt', 'cname', 'addresses'] as const)('are unknown when no server answers for %s', async (kind) => {
    server.isBroken = true;
    await expect(records()[kind]('shop.example.com')).rejects.toBeInstanceOf(DnsUnavailable);
  });
});
