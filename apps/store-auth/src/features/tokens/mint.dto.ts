import { Choice, Int, Nested, Text } from '@platform/validation';
import { SuccessReply } from '../../success';

export class CreateTokenBody {
  @Text({ optional: true, max: 256, description: 'Needed when the bearer token has expired' }) refresh_token?: string;
  @Choice(['access', 'preview'], { optional: true, description: 'access when left out' }) purpose?:
    'access' | 'preview';
  @Text({ optional: true, max: 2048, description: 'Required for a preview' }) referer?: string;
  @Int({ optional: true, min: 1, max: 3600, description: 'Seconds' }) ttl?: number;
}

export class RefreshBody {
  @Text({ max: 256 }) refresh_token!: string;
}

export class MintedToken {
  @Text() email!: string;
  @Text() token!: string;
  @Text({ optional: true, description: 'The successor, when a refresh token was used' }) refresh_token?: string;
  @Int({ description: 'Seconds' }) expires_in!: number;
}

export class MintReply extends SuccessReply {
  @Nested(() => MintedToken) data!: MintedToken;
}
