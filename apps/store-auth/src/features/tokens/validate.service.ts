import { tokenTypes } from '@platform/contracts';
import type { Database } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { PreviewRepository } from './preview.repository';
import type { InspectedToken, TokenInspector } from './token-inspector';

export interface Validation {
  readonly token: string;
  readonly purpose: 'access' | 'preview';
  readonly referer: string | undefined;
  readonly consume: boolean;
}

/** `POST /api/validate_token`: is this token valid for this purpose, from this referer? */
export class ValidateService {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokenInspector,
    private readonly previews: PreviewRepository,
    private readonly clock: Clock,
  ) {}

  async validate({ token, purpose, referer, consume }: Validation): Promise<InspectedToken> {
    const inspected = await this.tokens.inspectLapsed(token, [tokenTypes[purpose]]);
    const preview = purpose === 'preview';
    if (preview && inspected.referer !== referer) throw new Unauthenticated({ reason: 'invalid' });
    if (inspected.expired) throw new Unauthenticated({ reason: 'expired' });
    const { jti } = inspected.claims;
    if (preview && consume && !(await this.previews.consume(this.database, jti, this.clock.now())))
      throw new Unauthenticated({ reason: 'invalid' });
    return inspected;
  }
}
