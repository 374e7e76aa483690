import type { ListedPage } from '@platform/data';
import { Text } from '@platform/validation';
import type { Typed } from '../../../web/sessions/drafts';
import { QuickReplyChange, type QuickReply } from '../../automation/replies/public';
import { TemplateChange, type MessageEvent, type MessageTemplate } from '../templates/public';

const SEEN = { max: 64, description: 'What was shown of it: another one by now is a conflict' } as const;

export class TemplateEdit extends TemplateChange {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ min: 1, max: 2_000, trim: true }) override body!: string;
  @Text(SEEN) seen!: string;
}

export class ReplyEdit extends QuickReplyChange {
  @Text({ format: 'uuid' }) id!: string;
  @Text(SEEN) seen!: string;
}

export class Named {
  @Text({ format: 'uuid' }) id!: string;
}

/** What is said of an event: in the words of the shop, or as long as there are none in the usual ones. */
export interface EventWords {
  readonly event: MessageEvent;
  readonly template: MessageTemplate | undefined;
}

export interface TemplatesData {
  readonly words: readonly EventWords[];
  readonly replies: ListedPage<QuickReply>;
}

/** A box that is not ticked says no. */
export const templateTyped = (typed: Typed): Typed => ({ ...typed, active: typed.active ?? 'false' });
