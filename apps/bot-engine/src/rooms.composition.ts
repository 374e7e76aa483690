import type { ServiceTokens } from '@platform/auth';
import type { Cache, Database } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock, Logger, Sends } from '@platform/runtime';
import type { Area } from './area';
import type { Config } from './config';
import { composeCommerce } from './commerce.composition';
import type { AgentsRoom } from './features/agents/agents.composition';
import { composeCatalogue } from './features/catalogue/public';
  const limits = composeLimits(config, parts);
  const { gauges } = createMeters();
  const catalogue = composeCatalogue({ ...parts, commerce: config.COMMERCE_URL === undefined ? undefined : commerce });
  const checkout = composeCheckout({ ...parts, commerce, notices: writeNotice });
  // Their documents are the knowledge room's
  const agents = parts.agents.area(async () => []);
  return [{ components }, mailboxes.area, limits.area, { gauges }, agents, catalogue.area, checkout.area];
};
