import { area, dataOf, done, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import {
  Domain,
  DomainsAnswer,
  HostQuery,
  NewDomain,
  ResolvedHost,
  Subdomain,
  SubdomainBody,
  SubdomainFree,
} from './domains.dto';
import { domainRefusals, type DomainsService } from './domains.service';
import { subdomainRefusals, type Subdomains } from './subdomains';

interface Parts {
  readonly domains: DomainsService;
  readonly subdomains: Subdomains;
  readonly by: ReturnType<typeof byOf>;
}

const tag = 'Marketing';

const customs = ({ domains, by }: Parts): Endpoint[] =>
  area({ prefix: '/api/custom_domain', tag }, [
    endpoint({
      get: '',
      summary: 'Domains with verification state',
      guard: 'domain.write',
      reply: DomainsAnswer,
      refuses: [],
      handle: async ({ caller }) => ({ data: await domains.list(caller.storeId) }),
    }),
    endpoint({
      post: '',
      summary: 'Add domain, get DNS records',
      description:
        'It is looked up for 72 hours, then once a day. Whoever proves a host first has it; records that are gone for 72 hours let it go.',
      guard: 'domain.write',
      status: 201,
      body: NewDomain,
      reply: dataOf(Domain, 'Domain created'),
      refuses: [domainRefusals.taken, domainRefusals.tooMany],
      handle: (input) => domains.add(by(input), input.body),
    }),
    endpoint({
      get: '/{id}',
      summary: 'DNS records and last check',
      guard: 'domain.write',
      reply: dataOf(Domain),
      refuses: ['notFound'],
      handle: ({ caller, params }) => domains.get(caller.storeId, params.id),
    }),
    endpoint({
      post: '/{id}/verify',
      summary: 'Check DNS now',
      guard: 'domain.write',
      reply: dataOf(Domain),
      refuses: ['notFound', 'upstreamFailed'],
      handle: (input) => domains.verify(by(input), input.params.id),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Remove domain',
      guard: 'domain.write',
      reply: done('Domain deleted'),
      refuses: ['notFound'],
      handle: (input) => domains.remove(by(input), input.params.id),
    }),
  ]);

const own = ({ subdomains, by }: Parts): Endpoint[] =>
  area({ prefix: '/api/domain', tag }, [
    endpoint({
      get: '',
      summary: 'Store subdomain',
      guard: 'domain.write',
      reply: dataOf(Subdomain),
      refuses: [],
      handle: ({ caller }) => subdomains.get(caller.storeId),
    }),
    endpoint({
      put: '',
      summary: 'Change subdomain',
      description: 'The four names that the shop had last lead to it too.',
      guard: 'domain.write',
      body: SubdomainBody,
      reply: dataOf(Subdomain, 'Subdomain updated'),
      refuses: [subdomainRefusals.taken],
      handle: (input) => subdomains.change(by(input), input.body.subdomain),
    }),
    endpoint({
      get: '/check',
      summary: 'Is a subdomain free',
      guard: 'domain.write',
      query: SubdomainBody,
      reply: dataOf(SubdomainFree),
      refuses: [],
      handle: ({ caller, query }) => subdomains.isFree(caller.storeId, query.subdomain),
    }),
    endpoint({
      get: '/resolve',
      summary: 'Ingress maps host to store',
      guard: 'ingress',
      query: HostQuery,
      reply: dataOf(ResolvedHost),
      refuses: ['notFound'],
      handle: ({ query }) => subdomains.resolve(query.host),
    }),
  ]);

export const domainsEndpoints = (parts: Parts): Endpoint[] => [...customs(parts), ...own(parts)];
