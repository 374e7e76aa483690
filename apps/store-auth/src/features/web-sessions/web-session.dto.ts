import { Nested, Text } from '@platform/validation';
import { SuccessReply } from '../../success';

export class EmailSessionBody {
  @Text({ max: 254, trim: true, format: 'email', example: 'owner@toko-nusa.example' }) email!: string;
}

export class EmailSession {
  @Text() email!: string;
}

export class EmailSessionReply extends SuccessReply {
  @Nested(() => EmailSession) data!: EmailSession;
}

export class DoneReply extends SuccessReply {}
