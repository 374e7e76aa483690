import { Anything, Nested, Text } from '@platform/validation';
import type { AuthEvent } from '@platform/contracts';
import { SuccessReply } from '../../success';

export class EventsQuery {
  @Text({ optional: true, format: 'numeric', max: 18, description: '`cursor` of the last answer' }) since?: string;
}

export class EventPage {
  @Anything({ description: 'A list of revoke and membership events' }) items!: readonly AuthEvent[];
  @Text() cursor!: string;
}

export class EventsReply extends SuccessReply {
  @Nested(() => EventPage) data!: EventPage;
}
