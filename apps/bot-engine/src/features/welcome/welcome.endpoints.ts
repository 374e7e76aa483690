import { botStatusEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refuseForeignStore } from '../../own-store';
import { refusals } from '../../refusals';
import { retrySoon } from '../../retry-soon';
import { dollars } from '../model/public';
import { WelcomeReply, WelcomeRequest } from './welcome.dto';
import { welcomeExamples } from './welcome.examples';
import type { GenerateWelcome } from './welcome.service';

const STATUS = 201;
const MAX_CHARACTERS = 300;

export const welcomeEndpoints = (generate: GenerateWelcome): Endpoint[] => [
  endpoint({
    post: '/api/generate_welcome',
    summary: 'Writes a greeting for a store',
    description: 'By a small model; where none may or can be asked, the stored greeting of the agent at no cost.',
    tag: 'chatbot',
    guard: 'jwt',
    status: STATUS,
    envelope: botStatusEnvelope,
    body: WelcomeRequest,
    bodyLimit: 256 * 1024,
    reply: WelcomeReply,
    refuses: Object.values(refusals),
    examples: welcomeExamples,
    handle: async ({ body, caller, signal }) => {
      refuseForeignStore(caller, body.store_id);
      const { text, costMicros } = await retrySoon(
        generate({
          storeId: body.store_id,
          agentId: body.agent_id,
          customerName: body.customer_name,
          language: body.language ?? 'id',
          tone: body.tone,
          maxCharacters: body.max_chars ?? MAX_CHARACTERS,
          signal,
        }),
      );
      const data = { welcome_message: text, cost_request: `$${dollars(costMicros)}` };
      return { status: STATUS, message: 'success', data };
    },
  }),
];
