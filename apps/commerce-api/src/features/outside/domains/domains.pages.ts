import type { Database, Sql } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import { Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { within } from '../../../web/within';
import { NewDomain, SubdomainBody, type Domain } from './domains.dto';
import type { DomainsService } from './domains.service';
import { domainTexts } from './domains.texts';
import { DomainsView } from './domains.view';
import type { Subdomains } from './subdomains';

type Inside = Pick<Database, 'tx'> & Sql;

export interface DomainPageParts extends Pick<AreaParts, 'database' | 'clock'> {
  /** The services as they work in a transaction, or in those of their own. */
  readonly domains: (sql: Inside) => DomainsService;
  readonly subdomains: (sql: Inside) => Subdomains;
}

class DomainNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const PATH = '/domains';

const labels = (t: Reader) => {
  const say = domainTexts(t);
  return { subdomain: say.subdomain, host: say.host };
};

const conflicts = {
  host_taken: { text: (t: Reader) => domainTexts(t).taken },
  too_many_domains: { text: (t: Reader) => domainTexts(t).tooMany },
};

const listPage = ({ database, domains, subdomains }: DomainPageParts) =>
  page({
    ...{ get: PATH, ability: 'domain.write', labels, conflicts },
    title: ({ t }) => t.nav.places.domains,
    load: async ({ viewer: { caller } }) => {
      const { storeId } = caller;
      const [own, all] = await Promise.all([subdomains(database).get(storeId), domains(database).list(storeId)]);
      return { own, domains: all };
    },
    view: DomainsView,
    own: 'market',
  });

const unlessAway = (failure: unknown): undefined => {
  if (failure instanceof UpstreamFailed) return undefined;
  throw failure;
};

/** What a look into the DNS has shown. */
const told = (domain: Domain | undefined, t: Reader): string => {
  const say = domainTexts(t);
  if (!domain) return say.away;
  return domain.status === 'active' ? say.isActive({ name: domain.host }) : say.notYet({ name: domain.host });
};

/** Under which addresses a shop is found. */
export const domainPages = (parts: DomainPageParts): Pages => {
  const by = byOf(parts.clock);
  const all = listPage(parts);
  const posted = actions({
    ...{ post: PATH, ability: 'domain.write', of: all },
    on: {
      rename: action({
        body: SubdomainBody,
        run: ({ viewer, body, tx }) => parts.subdomains(within(tx)).change(by(viewer), body.subdomain),
        done: ({ subdomain: name }, { t }) => ({ to: PATH, flash: domainTexts(t).saved({ name }) }),
      }),
      add: action({
        body: NewDomain,
        run: ({ viewer, body, tx }) => parts.domains(within(tx)).add(by(viewer), body),
        done: ({ host: name }, { t }) => ({ to: PATH, flash: domainTexts(t).added({ name }) }),
      }),
      // Asks the name servers before there is a transaction
      check: action({
        body: DomainNamed,
        before: ({ viewer, body }) => parts.domains(parts.database).verify(by(viewer), body.id).catch(unlessAway),
        run: async ({ ready }) => ready,
        done: (domain, { t }) => ({ to: PATH, flash: told(domain, t) }),
      }),
      remove: action({
        body: DomainNamed,
        run: ({ viewer, body, tx }) => parts.domains(within(tx)).remove(by(viewer), body.id),
        done: (_, { t }) => ({ to: PATH, flash: domainTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
