import { sortsOf } from '@platform/data';
import { Choice, Flag, Text } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { messageEvents, type MessageEvent } from './message.events';

const sorts = sortsOf(['event', 'created_at']);

export class TemplatesQuery extends PageQuery {
  @Choice(messageEvents, { optional: true }) event?: MessageEvent;
  @Choice(sorts, { optional: true, description: '`event` unless given' }) sort?: (typeof sorts)[number];
}

const BODY = {
  ...{ min: 1, max: 2_000, trim: true, example: 'Terima kasih! Pesanan {{order_number}} sudah kami terima.' },
  description: 'Names variables of its event as `{{order_number}}`; a line whose variables are all empty is left out',
};

export class NewTemplate {
  @Choice(messageEvents) event!: MessageEvent;
  @Text(BODY) body!: string;
  @Flag({
    optional: true,
    description: 'true unless given. One of an event is active; of none, buyers are not told of what happens to orders',
  })
  active?: boolean;
}

export class TemplateChange {
  @Text({ ...BODY, optional: true }) body?: string;
  @Flag({ optional: true }) active?: boolean;
}

export class MessageTemplate {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(messageEvents) event!: MessageEvent;
  @Text() body!: string;
  @Flag() active!: boolean;
  @Text({ format: 'instant' }) created_at!: string;
}

export class PreviewBody {
  @Text({ format: 'uuid' }) order_id!: string;
}

export class Preview {
  @Text({ description: 'What only the message itself will know is shown as `…`' }) text!: string;
}
