import { Reply, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { retrySoon } from '../../retry-soon';
import { dollars } from '../model/public';
import { ChatbotReply, ChatbotRequest } from './chatbot.dto';
import { chatbotExamples } from './chatbot.examples';
import type { ChatbotAnswer, ChatbotService } from './chatbot.service';
import { customerMessage } from './customer.message';

const STATUS = 201;
const BODY_LIMIT = 256 * 1024;

/** Design 2.2: what does not fit into the contract's body. */
const headersOf = ({ status, run, replayed }: ChatbotAnswer): Record<string, string> => ({
  'X-Bot-Status': status,
  'X-Bot-Cost-Usd': dollars(run?.costMicros ?? 0),
  ...(run ? { 'X-Bot-Turn-Id': run.id } : {}),
  ...(run?.reply.messageIds.length ? { 'X-Bot-Message-Ids': run.reply.messageIds.join(',') } : {}),
  ...(replayed ? { 'X-Bot-Replayed': 'true' } : {}),
});

const bodyOf = ({ idUser, idAgent, idStore }: ChatbotRequest, { run, history }: ChatbotAnswer): ChatbotReply => ({
  statusCode: STATUS,
  idUser,
  idAgent,
  idStore,
  data: { answer: [...(run?.reply.answer ?? [])], images: [...(run?.reply.images ?? [])], history: [...history] },
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
    handle: async ({ body, caller, headers }) => {
      const header = headers['idempotency-key'];
      const idempotencyKey = typeof header === 'string' && header !== '' ? header : undefined;
      const message = customerMessage(body, { idempotencyKey, now: clock.now().getTime() });
      const answer = await retrySoon(chatbot.answer(message, caller));
      return new Reply(bodyOf(body, answer), { headers: headersOf(answer) });
    },
  }),
];
