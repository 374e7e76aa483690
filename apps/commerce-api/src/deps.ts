import type { Clock, Logger } from '@platform/runtime';
import type { Mailer } from './clients/mail.client';
import type { GatewayNeeds } from './features/gateways/gateways.composition';
import type { OutsideNeeds } from './features/outside/outside.composition';
import type { AssetFiles } from './web/assets/asset.names';

/** What the service is given instead of what its configuration names. */
export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Instead of the SMTP server that the configuration names. */
  readonly mailer?: Mailer;
  /** Instead of the providers of payments that the configuration names. */
  readonly gateways?: GatewayNeeds;
  /** Instead of the internet's name servers. */
  readonly outside?: OutsideNeeds;
  /** Instead of making the files of the pages of their sources. */
  readonly pageFiles?: () => AssetFiles;
}
