import { registrationsOf, type Service } from '@platform/http';
import { campaignCases } from './walk.campaign.fixture';
import { inboundCases } from './walk.inbound.fixture';
import { lifecycleCases } from './walk.lifecycle.fixture';
import { outboundCases } from './walk.outbound.fixture';
import type { Spelling, WalkCases } from './walk.records.fixture';
import { notificationCases, serviceCases } from './walk.service.fixture';

/** One good call of every route: what is mounted and has none here fails. */
export const casesByRoute: WalkCases = {
  ...inboundCases,
  ...lifecycleCases,
  ...outboundCases,
  ...notificationCases,
  ...serviceCases,
  ...campaignCases,
};

/** Where the paths of features begin that are walked by a spec of their own, as a generated one is. */
const OWN_SPECS: readonly string[] = [];

export interface WalkedRoute {
  readonly method: string;
  /** Of its case: `METHOD /path` of the default route. */
  readonly name: string;
  readonly guard: string;
  readonly spelling: Spelling;
}

/** Everything else that is mounted, variants too, for `it.each`. */
export const walkedRoutes = (service: Service): [route: string, walked: WalkedRoute][] =>
  registrationsOf(service)
    .filter(({ path }) => !OWN_SPECS.some((own) => path === own || path.startsWith(`${own}/`)))
    .map(({ endpoint, path, guard, variant }) => {
      const method = endpoint.method.toUpperCase();
      const name = `${method} ${endpoint.path}`;
      return [`${method} ${path}`, { method, name, guard: guard.label, spelling: (variant ?? 'default') as Spelling }];
    });
