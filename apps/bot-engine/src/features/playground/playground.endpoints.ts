import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { retrySoon } from '../../retry-soon';
import { PlaygroundReply, PlaygroundRequest } from './playground.dto';
import { playgroundExamples } from './playground.examples';
import { modelUnavailable, type Playground } from './playground.service';

const STATUS = 201;

export const playgroundEndpoints = (test: Playground): Endpoint[] => [
  endpoint({
    post: '/api/ai-agent-testing',
    summary: 'Tries a system prompt on a small model',
    description:
      'No tools, no memory; nothing is stored and nothing is charged. The store and the agent must exist, and are not compared with the token.',
    tag: 'chatbot',
    guard: 'jwt',
    status: STATUS,
    body: PlaygroundRequest,
    bodyLimit: 256 * 1024,
    reply: PlaygroundReply,
    refuses: [...Object.values(refusals), modelUnavailable],
    examples: playgroundExamples,
    handle: async ({ body, signal }) => {
      const { store_id: idStore, agent_id: idAgent, prompt, question } = body;
      const before = body.conversations ?? [];
      const answer = await retrySoon(test({ storeId: idStore, agentId: idAgent, prompt, question, before, signal }));
      const said = [
        { role: 'user', content: question },
        { role: 'assistant', content: answer },
      ];
      return { statusCode: STATUS, idAgent, idStore, data: { question, answer, history: [...before, ...said] } };
    },
  }),
];
