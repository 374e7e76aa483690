import { Choice, Int, Nested, Text } from '@platform/validation';
import { SuccessReply } from '../../success';

export class ServiceTokenBody {
  @Text({ max: 64, example: 'chat-backend' }) audience!: string;
  @Text({ optional: true, max: 36, description: 'Any store when left out' }) store_id?: string;
}

export class ServiceToken {
  @Text() access_token!: string;
  @Choice(['Bearer']) token_type!: 'Bearer';
  @Int() expires_in!: number;
}

export class ServiceTokenReply extends SuccessReply {
  @Nested(() => ServiceToken) data!: ServiceToken;
}
