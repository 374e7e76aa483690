import { Choice, Nested, Text } from '@platform/validation';

export class EmailSessionBody {
  @Text({ max: 254, trim: true, format: 'email', example: 'owner@toko-nusa.example' }) email!: string;
}

export class EmailSession {
  @Text() email!: string;
}

export class EmailSessionReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
  @Nested(() => EmailSession) data!: EmailSession;
}

export class DoneReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
}
