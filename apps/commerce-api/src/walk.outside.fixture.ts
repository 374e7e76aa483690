import type { DnsRecords } from './clients/dns.records';
import type { PixelNetwork } from './clients/pixel.port';
import type { Domain } from './features/outside/domains/domains.dto';
import type { OutsideNeeds } from './features/outside/outside.composition';
import type { Story } from './walk.fixture';

const SHOPS = 'shops.example';

interface Outside {
  readonly needs: OutsideNeeds;
  /** What the merchant has set where the domain is managed. */
  readonly zone: Map<string, readonly string[]>;
}

/** An internet with one domain in it, and a network that takes what it is sent. */
export const openOutside = (): Outside => {
  const zone = new Map<string, readonly string[]>();
  const found = async (name: string) => zone.get(name) ?? [];
  const dns: DnsRecords = { txt: found, cname: found, addresses: async () => [] };
  const answer = JSON.stringify({ events_received: 1, messages: [], fbtrace_id: 'AbCdEf123' });
  const meta: PixelNetwork = { send: async () => ({ fate: 'taken', answer }) };
  return { needs: { dns, networks: { meta } }, zone };
};

export const outsideSettings = { INGRESS_SECRET: 'a secret of the ingress', SHOP_DOMAIN: SHOPS };

const domains = async ({ tell, ask }: Story, { zone }: Outside): Promise<void> => {
  const { id, host, records } = await tell<Domain>('POST /api/custom_domain', { host: 'toko-nusa.co.id' });
  zone.set(`_verify.${host}`, [records[0]?.value ?? '']);
  zone.set(host, [SHOPS]);
  await tell('POST /api/custom_domain/{id}/verify', undefined, id);
  await tell('GET /api/custom_domain/{id}', undefined, id);
  await tell('GET /api/custom_domain');
  await tell('GET /api/domain/resolve', { host });
  await tell('DELETE /api/custom_domain/{id}', undefined, id);
  await tell('GET /api/domain/check', { subdomain: 'nusa-lari' });
  await tell('GET /api/domain');
  await tell('PUT /api/domain', { subdomain: 'nusa-lari' });
  await ask('PUT /api/domain', { subdomain: 'toko-nusa' });
};

const pixels = async ({ tell }: Story): Promise<void> => {
  const pixel = { kind: 'meta', pixel_ref: '600770000000001', events: ['page_view', 'purchase'] };
  const { id } = await tell('POST /api/pixel', { ...pixel, token: 'EAAB-the-token-of-the-pixel' });
  await tell('PUT /api/pixel/{id}', { ...pixel, events: ['purchase'] }, id);
  await tell('POST /api/pixel/{id}/test-event', { test_event_code: 'TEST52117' }, id);
  await tell('GET /api/pixel/{id}/events', { status: 'sent' }, id);
  await tell('GET /api/pixel');
  await tell('DELETE /api/pixel/{id}', undefined, id);
};

const webhooks = async ({ tell }: Story): Promise<void> => {
  const wish = { url: 'https://203.0.113.80/hooks/shop', events: ['withdrawal.paid'] };
  const { id } = await tell('POST /api/settings/webhooks', wish);
  await tell('GET /api/settings/webhooks');
  await tell('DELETE /api/settings/webhooks/{id}', undefined, id);
};

/** The shop gets a domain, a pixel, and a program that hears of it. */
export const goOutside = async (story: Story, outside: Outside): Promise<void> => {
  await domains(story, outside);
  await pixels(story);
  await webhooks(story);
};
