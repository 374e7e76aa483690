import { equalSecrets } from '@platform/auth';
import { Unauthenticated } from '@platform/errors';
import type { GaugeSource, Guard, RequestView } from '@platform/http';
import { ConfigurationError, cut, type Component, type Logger } from '@platform/runtime';
import type { Config } from './config';
import { adminScope, crmScope, type Scope } from './features/tenancy/scope';

const LONGEST_ACTOR = 64;

type Settings = Pick<Config, 'INTERNAL_GUARD' | 'INTERNAL_TOKEN' | 'INTERNAL_PORT' | 'CALLBACK_SECRET' | 'APP_ENV'>;

/** `x-actor` says for the history who sat at the admin console; it is believed and grants nothing (design 3.8). */
const adminOf = ({ headers: { 'x-actor': actor } }: RequestView): Scope =>
  typeof actor === 'string' && actor !== '' ? { ...adminScope, userId: cut(actor, LONGEST_ACTOR) } : adminScope;

/**
 * `_admin` and `_crm` are open by contract. INTERNAL_GUARD=token asks for `x-internal-token` all the same; without it their
 * calls are counted and the start warns, so that nobody leaves them open to the world without knowing (design section 6). So is the gateway's
 * callback, of which production is warned: whoever reaches it writes messages of customers.
 */
export class VariantGuard implements Component {
  readonly name = 'variant guard';
  readonly admin: Guard<Scope> = this.guard(adminOf);
  readonly crm: Guard<Scope> = this.guard(() => crmScope);
  private unauthenticated = 0;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {
    if (settings.INTERNAL_GUARD === 'token' && settings.INTERNAL_TOKEN === '')
      throw new ConfigurationError(['INTERNAL_TOKEN is missing: INTERNAL_GUARD=token compares calls with it']);
  }

  readonly gauge: GaugeSource = {
    name: 'unauthenticated_variant_requests_total',
    help: 'Calls of _admin and _crm routes that nobody had to prove anything for',
    counts: true,
    read: () => this.unauthenticated,
  };

  async start(): Promise<void> {
    const { INTERNAL_GUARD, INTERNAL_PORT, CALLBACK_SECRET, APP_ENV } = this.settings;
    const port = INTERNAL_PORT === undefined ? 'PORT, with all others' : 'INTERNAL_PORT';
    if (INTERNAL_GUARD === 'off')
      this.logger.warn('the _admin and _crm routes ask for no token: set INTERNAL_GUARD=token or keep them inside', {
        port,
      });
    if (CALLBACK_SECRET === '' && APP_ENV === 'production')
      this.logger.warn(
        'callbacks of the gateway are taken without a signature: set CALLBACK_SECRET to its WEBHOOK_SECRET, or keep them inside',
        { port },
      );
  }

  private guard(scopeOf: (request: RequestView) => Scope): Guard<Scope> {
    return {
      label: 'internal',
      authenticate: (request) => {
        this.demandToken(request);
        return scopeOf(request);
      },
    };
  }

  private demandToken({ headers: { 'x-internal-token': token } }: RequestView): void {
    const { INTERNAL_GUARD, INTERNAL_TOKEN } = this.settings;
    if (INTERNAL_GUARD === 'off') this.unauthenticated += 1;
    else if (typeof token !== 'string' || !equalSecrets(token, INTERNAL_TOKEN))
      throw new Unauthenticated({ reason: token === undefined ? 'missing' : 'invalid' });
  }
}
