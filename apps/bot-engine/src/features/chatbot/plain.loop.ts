import { Unavailable } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { bubblesOf, type HistoryLine, type LoopInput, type LoopOutcome, type RunLoop } from '../loop/public';
import { modelsOf, priced, type AskModel, type Attempt, type ChatMessage } from '../model/public';
import { presentable } from './answer.bubbles';
import { POLICY, systemPrompt, turnMessages } from './system.prompt';

export interface PlainLoopDeps {
  readonly ask: AskModel;
  readonly clock: Clock;
  /** For agents without a model of their own. */
  readonly defaultModel: string;
}

const MAX_TOKENS = 600;

const bubblesFrom = (attempt: Attempt | undefined): string[] => {
  const reply = attempt?.reply;
  if (!reply?.text || reply.finish === 'filter') return [];
  return bubblesOf(presentable(reply.text, { instructions: POLICY, brokeOff: reply.finish === 'length' }));
};

/** A turn without tools, whose model is told the shop's products. */
export const plainLoop = ({ ask, clock, defaultModel }: PlainLoopDeps): RunLoop => {
  const answer = async (input: LoopInput, said: readonly string[]): Promise<readonly Attempt[]> => {
    const { context, customerName, history, deadline } = input;
    const system = systemPrompt(context.agent, context.store, clock.now(), customerName);
    const messages: ChatMessage[] = turnMessages(system, history as HistoryLine[], said.join('\n'));
    const { agent, signal } = context;
    const models = modelsOf(agent, defaultModel);
    return ask({ models, temperature: agent.temperature, maxTokens: MAX_TOKENS, messages, signal, deadline });
  };
  return async (input): Promise<LoopOutcome> => {
    const { context, burst, prices } = input;
    const said = burst.map(({ content }) => content);
    let attempts = await answer(input, said);
    const absorbed = bubblesFrom(attempts.at(-1)).length > 0 ? await input.absorb() : [];
    if (absorbed.length > 0)
      attempts = [...attempts, ...(await answer(input, [...said, ...absorbed.map(({ content }) => content)]))];
    const bubbles = bubblesFrom(attempts.at(-1));
    const { aborted, reason } = context.signal;
    if (bubbles.length === 0 && aborted && (reason as Error).name !== 'TimeoutError')
      throw new Unavailable('the service is stopping', { retryAfterSeconds: 2 });
    const isAnswered = bubbles.length > 0;
    return {
      status: isAnswered ? 'done' : 'fallback',
      bubbles: isAnswered ? bubbles : bubblesOf(context.agent.fallbackText),
      images: [],
      handover: isAnswered ? undefined : { reason: 'model_failure', summary: said.join(' / ').slice(0, 60) },
      ...{ steps: [], facts: context.facts, sources: [], gaps: [], absorbed },
      attempts: priced(attempts, prices),
      ms: { model: attempts.reduce((sum, { ms }) => sum + ms, 0), tools: 0 },
    };
  };
};
