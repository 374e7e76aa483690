import { Reply, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { retrySoon } from '../../retry-soon';
import { dollars } from '../model/public';
import { ChatbotReply, ChatbotRequest } from './chatbot.dto';
import { chatbotExamples } from './chatbot.examples';
import type { ChatbotService } from './chatbot.service';
import { customerMessage } from './customer.message';
import type { ChatbotAnswer } from './lead.types';

const STATUS = 201;
const BODY_LIMIT = 256 * 1024;

/** Bubbles first, then pictures, of all runs: outbound ids in the order in which they are sent. */
const messageIds = (runs: ChatbotAnswer['runs']): string[] => [
  ...runs.flatMap(({ reply }) => reply.messageIds.slice(0, reply.answer.length)),
  ...runs.flatMap(({ reply }) => reply.messageIds.slice(reply.answer.length)),
];

/** Design 2.2: what does not fit into the contract's body. */
const headersOf = ({ status, runs, replayed }: ChatbotAnswer): Record<string, string> => {
  const ids = messageIds(runs);
  const cost = runs.reduce((sum, { costMicros }) => sum + costMicros, 0);
  return {
    'X-Bot-Status': status,
    'X-Bot-Cost-Usd': dollars(cost),
    ...(runs[0] ? { 'X-Bot-Turn-Id': runs[0].id } : {}),
    ...(ids.length > 0 ? { 'X-Bot-Message-Ids': ids.join(',') } : {}),
    ...(replayed ? { 'X-Bot-Replayed': 'true' } : {}),
  };
};

const bodyOf = ({ idUser, idAgent, idStore }: ChatbotRequest, { runs, history }: ChatbotAnswer): ChatbotReply => ({
  statusCode: STATUS,
  idUser,
  idAgent,
  idStore,
  data: {
    answer: runs.flatMap(({ reply }) => reply.answer),
    images: runs.flatMap(({ reply }) => reply.images),
    history: [...history],
  },
});

export const chatbotEndpoints = (chatbot: ChatbotService, clock: Clock): Endpoint[] => [
  endpoint({
    post: '/api/chatbot-api',
    summary: "Answers a customer's message",
    description:
      'A repeat of the same idMessage gets the stored answer. X-Bot-Message-Ids names the outbound id of every bubble; an empty answer means: send nothing.',
    tag: 'chatbot',
    guard: 'jwt',
    status: STATUS,
    body: ChatbotRequest,
    bodyLimit: BODY_LIMIT,
    reply: ChatbotReply,
    refuses: Object.values(refusals),
    examples: chatbotExamples,
    handle: async ({ body, caller, headers, signal }) => {
      const header = headers['idempotency-key'];
      const idempotencyKey = typeof header === 'string' && header !== '' ? header : undefined;
      const message = customerMessage(body, { idempotencyKey, now: clock.now().getTime() });
      const answer = await retrySoon(chatbot.answer(message, caller, signal));
      return new Reply(bodyOf(body, answer), { headers: headersOf(answer) });
    },
  }),
];
