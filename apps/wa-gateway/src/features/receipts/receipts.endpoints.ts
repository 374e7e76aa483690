import { endpoint } from '../../endpoint';
import { callRefusals } from '../../refusals';
import { MarkRead, MarkReadReply, Typing, TypingReply } from './receipts.dto';
import { markReadExamples, typingExamples } from './receipts.examples';
import type { ReceiptsService } from './receipts.service';

const routes = { tag: 'messaging', guard: 'perimeter' } as const;

export const receiptEndpoints = (receipts: ReceiptsService) => [
  endpoint({
    ...routes,
    post: '/api/mark-read',
    summary: 'Tells writers that their messages were read',
    body: MarkRead,
    reply: MarkReadReply,
    refuses: callRefusals,
    examples: markReadExamples,
    handle: async ({ body }) => ({ message: 'success mark read', data: await receipts.markRead(body) }),
  }),
  endpoint({
    ...routes,
    post: '/api/typing',
    summary: 'Shows, or stops showing, that somebody is typing',
    body: Typing,
    reply: TypingReply,
    refuses: callRefusals,
    examples: typingExamples,
    handle: async ({ body }) => ({ message: 'success typing', data: await receipts.typing(body) }),
  }),
];
