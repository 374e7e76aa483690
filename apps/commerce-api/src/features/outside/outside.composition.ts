import { secretBox, type SecretBox } from '@platform/auth';
import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import { dnsRecords, type DnsRecords } from '../../clients/dns.records';
import { openPixels, type OpenPixels } from '../../clients/pixels';
import type { Config } from '../../config';
import { DomainChecks } from './domains/domain.checks';
import { domainsEndpoints } from './domains/domains.endpoints';
import { domainPages, type DomainPageParts } from './domains/domains.pages';
import { DomainsService } from './domains/domains.service';
import { plainHost } from './domains/host.rules';
import { ingressCalls } from './domains/ingress.calls';
import { MerchantHosts } from './domains/merchant.hosts';
import type { ResolvedHost } from './domains/domains.dto';
import { Subdomains } from './domains/subdomains';
import { outsideAbilities } from './outside.abilities';
import { PixelSends } from './pixels/pixel.sends';
import { pixelsEndpoints } from './pixels/pixels.endpoints';
import { pixelPages, type PixelPageParts } from './pixels/pixels.pages';
import { PixelsService } from './pixels/pixels.service';
import { pixelNews } from './pixels/purchases';
import { HookDeliveries } from './webhooks/hook.deliveries';
import { HookNews } from './webhooks/hook.news';
import { webhooksEndpoints } from './webhooks/webhooks.endpoints';
import { webhooksPages } from './webhooks/webhooks.pages';
import { WebhooksService } from './webhooks/webhooks.service';

/** What a test puts in place of the internet. */
export interface OutsideNeeds {
  readonly dns?: DnsRecords;
  readonly networks?: OpenPixels['networks'];
}

interface Parts extends AreaParts {
  readonly outside?: OutsideNeeds | undefined;
}

type Piece = Pick<Required<Area>, 'endpoints' | 'jobs'> & Pick<Area, 'pages'>;
type Sealed = Parts & { readonly box: SecretBox };

const EVERY_MINUTE = [{ pattern: '* * * * *' }];
const DAY_MS = 86_400_000;

const shopDomainOf = ({ SHOP_DOMAIN }: Pick<Config, 'SHOP_DOMAIN'>): string | undefined =>
  SHOP_DOMAIN && plainHost(SHOP_DOMAIN);

/** The platform's own hosts: that of its pages, and the domain of its shops. */
const ownHosts = (config: Config): readonly string[] =>
  [config.PUBLIC_URL && new URL(config.PUBLIC_URL).hostname, shopDomainOf(config)].flatMap((host) =>
    host ? [host] : [],
  );

/** Which hosts are merchants'. */
export const merchantHosts = (config: Config, { database: sql, clock }: Pick<AreaParts, 'database' | 'clock'>) =>
  new MerchantHosts({ sql, clock, ours: ownHosts(config), shopDomain: shopDomainOf(config) });

/** The shop that a host leads to; throws `NotFound`. */
export const shopAt = (config: Config, { database }: Pick<AreaParts, 'database'>) => {
  const subdomains = new Subdomains({ database, shopDomain: shopDomainOf(config) });
  // As it stands in certificates: what a client has sent is in no file that others read
  return async (given: string): Promise<ResolvedHost & { host: string }> => ({
    ...(await subdomains.resolve(given)),
    host: plainHost(given) ?? '',
  });
};

const webhooks = ({ WEBHOOK_ALLOW_HOSTS: allow }: Config, parts: Sealed): Piece => {
  const { database, clock, queue, logger } = parts;
  const addresses = { allow };
  const hooks = new WebhooksService({ database, queue, box: parts.box, addresses });
  const news = new HookNews({ database, clock, queue });
  const deliveries = new HookDeliveries({ database, clock, queue, logger, box: parts.box, addresses });
  return {
    endpoints: webhooksEndpoints({ database, hooks, by: byOf(clock) }),
    pages: [webhooksPages({ database, hooks, by: byOf(clock) })],
    jobs: {
      'event.hooks': { effect: 'inside', run: (event) => news.tell(event) },
      'webhook.deliver': { effect: 'outside', run: (hook, job) => deliveries.deliver(hook, job) },
      'webhook.again': { effect: 'outside', run: (hook, job) => deliveries.deliver(hook, job) },
      'webhook.due': { effect: 'inside', run: () => deliveries.due(), cron: EVERY_MINUTE },
    },
  };
};

const domains = (config: Config, { outside, database, clock, queue }: Parts): Piece => {
  const ours = ownHosts(config);
  const shopDomain = shopDomainOf(config);
  const target = shopDomain ?? ours[0] ?? 'localhost';
  const checks = new DomainChecks({
    database,
    clock,
    queue,
    target,
    dns: outside?.dns ?? dnsRecords(config.DNS_SERVERS),
  });
  const domainsIn: DomainPageParts['domains'] = (sql) => new DomainsService({ database: sql, checks, target, ours });
  const namesIn: DomainPageParts['subdomains'] = (sql) => new Subdomains({ database: sql, shopDomain });
  return {
    endpoints: domainsEndpoints({ domains: domainsIn(database), subdomains: namesIn(database), by: byOf(clock) }),
    pages: [domainPages({ database, clock, domains: domainsIn, subdomains: namesIn })],
    jobs: {
      'domain.verify': { effect: 'outside', run: (domain) => checks.verify(domain) },
      'domain.due': { effect: 'inside', run: () => checks.due(), cron: EVERY_MINUTE },
    },
  };
};

const pixels = (
  { networks }: Pick<OpenPixels, 'networks'>,
  { database, cursors, clock, queue, logger, box }: Sealed,
): Piece => {
  const pixelsIn: PixelPageParts['pixels'] = (sql) => new PixelsService({ database: sql, box, networks });
  const sends = new PixelSends({ database, clock, queue, logger, box, networks });
  return {
    endpoints: pixelsEndpoints({ database, cursors, pixels: pixelsIn(database), by: byOf(clock) }),
    pages: [pixelPages({ database, clock, cursors, pixels: pixelsIn })],
    jobs: {
      'event.pixels': { effect: 'inside', run: pixelNews(database, clock) },
      'pixel.send': { effect: 'outside', run: (event, job) => sends.send(event, job) },
      'pixel.due': { effect: 'inside', run: () => sends.due(), cron: EVERY_MINUTE },
    },
  };
};

/** What is long done, and nobody asks about any more. */
const EXPIRED = ['webhook_delivery', 'pixel_event'].map((table) => ({ table, column: 'done_at', keepMs: 30 * DAY_MS }));

/** What a shop has on the internet beside its own pages: programs that hear of it, its domains, its advertising pixels. */
export const composeOutside = (config: Config, parts: Parts): Area => {
  const { database, clock, logger } = parts;
  const box = secretBox(config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const opened = openPixels(config);
  const networks = parts.outside?.networks ?? opened.networks;
  const pieces = [webhooks(config, { ...parts, box }), domains(config, parts), pixels({ networks }, { ...parts, box })];
  return {
    endpoints: pieces.flatMap(({ endpoints }) => endpoints),
    pages: pieces.flatMap(({ pages = [] }) => pages),
    components: [...opened.components, new Housekeeping(database, { clock, logger, expired: EXPIRED })],
    abilities: outsideAbilities,
    guards: { ingress: ingressCalls(config, parts) },
    jobs: Object.assign({}, ...pieces.map(({ jobs }) => jobs)) as Piece['jobs'],
  };
};
