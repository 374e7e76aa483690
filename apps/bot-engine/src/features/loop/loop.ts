import { Unavailable } from '@platform/errors';
import { cut } from '@platform/runtime';
import type { ChatReply } from '../model/public';
import { TurnTools, type Handover } from '../tools/public';
import { answerOf, type Answer } from './answer';
import { bubblesOf } from './bubbles';
import { Dialogue } from './dialogue';
import type { LoopDeps } from './loop.deps';
import type { BurstLine, HistoryLine, LoopInput, LoopOutcome, RunLoop } from './loop.types';
import { ModelStep } from './model.step';
import { systemPrompt } from './system.prompt';

const wrongNote = (amounts: readonly string[]): string =>
  `Your draft named ${amounts.join(', ')}, which no tool result of this conversation states for that. Write the answer again without it.`;

/** One turn; `loop.types.ts` says what it guarantees. */
class Turn {
  private readonly tools: TurnTools;
  private readonly dialogue: Dialogue;
  private readonly model: ModelStep;
  private readonly absorbed: BurstLine[] = [];
  private hasAbsorbed = false;
  private toolMs = 0;
  private note: string | undefined;

  constructor(
    private readonly deps: LoopDeps,
    private readonly input: LoopInput,
    private readonly policy: string | undefined,
  ) {
    const { context, customerName, history, burst } = input;
    const { agent, store, facts } = context;
    const system = systemPrompt({ agent, store, policy, now: deps.clock.now(), facts, customerName });
    const schemas = deps.box.schemas(context);
    this.tools = new TurnTools((call) => deps.box.dispatch(call, context), facts);
    this.dialogue = new Dialogue(system, history, burst, schemas);
    this.model = new ModelStep(deps, input, this.dialogue, schemas);
  }

  async run(): Promise<LoopOutcome> {
    for (let step = 1; ; step += 1) {
      const last = this.isLast(step);
      const reply = await this.model.ask(last, this.note);
      if (!reply || reply.finish === 'filter') return this.failed();
      const outcome = await this.next(reply, last);
      if (outcome) return outcome;
    }
  }

  /** What comes of a reply; nothing when the model is to be asked again. */
  private async next(reply: ChatReply, last: boolean): Promise<LoopOutcome | undefined> {
    if (!last && reply.toolCalls.length > 0) {
      await this.callTools(reply);
      return this.tools.handover && this.handedOver(this.tools.handover);
    }
    if (!last && (await this.absorbs())) return undefined;
    const answer = await this.answer(reply);
    if (answer.wrong.length === 0 || last) return answer.isEmpty ? this.failed() : this.outcome('done', answer);
    this.note = wrongNote(answer.wrong);
    return undefined;
  }

  /** Only text may come now. */
  private isLast(step: number): boolean {
    const { maxSteps } = this.deps.settings;
    const most = Math.min(this.input.context.agent.maxSteps ?? maxSteps, maxSteps);
    return step >= most || this.note !== undefined || this.tools.isExhausted || !this.model.isAffordable;
  }

  private async callTools({ text, toolCalls }: ChatReply): Promise<void> {
    const begun = performance.now();
    const step = await this.tools.step(text, toolCalls);
    this.toolMs += performance.now() - begun;
    this.dialogue.addStep(step);
    await this.input.journal(this.tools.steps.length - 1, step);
  }

  /** Takes in, once, what arrived meanwhile; true when there is something to answer. */
  private async absorbs(): Promise<boolean> {
    if (this.hasAbsorbed || this.tools.wrote) return false;
    this.hasAbsorbed = true;
    const lines = await this.input.absorb();
    this.absorbed.push(...lines);
    if (lines.length > 0) this.dialogue.addBurst(lines);
    return lines.length > 0;
  }

  private answer({ text, finish }: ChatReply): Promise<Answer> {
    const { context, burst, history } = this.input;
    const lines = (role: HistoryLine['role']) => history.filter((line) => line.role === role);
    const said = [...lines('user'), ...burst, ...this.absorbed].map(({ content }) => content);
    const told = lines('assistant').map(({ content }) => content);
    const { facts, prose } = this.tools;
    const policy = [...(this.policy ? [this.policy] : []), ...prose];
    const { agent, store } = context;
    const sources = { facts, prompt: agent.prompt, policy, told, said, store, brokeOff: finish === 'length' };
    return answerOf(text ?? '', sources, this.deps.namesProduct);
  }

  private handedOver(handover: Handover): LoopOutcome {
    if (handover.reason === 'unknown') this.tools.gaps.push(this.question(200));
    return this.outcome(
      'handover',
      { bubbles: bubblesOf(this.input.context.agent.handoverText), images: [] },
      handover,
    );
  }

  private failed(): LoopOutcome {
    const { signal, agent } = this.input.context;
    const stops = signal.aborted && (signal.reason as { name?: unknown } | undefined)?.name !== 'TimeoutError';
    if (stops) throw new Unavailable('the service is stopping', { retryAfterSeconds: 2 });
    const handover = this.tools.handedOver({ reason: 'model_failure', summary: this.question(60) });
    return this.outcome('fallback', { bubbles: bubblesOf(agent.fallbackText), images: [] }, handover);
  }

  private question(characters: number): string {
    return cut([...this.input.burst, ...this.absorbed].map(({ content }) => content).join(' / '), characters);
  }

  private outcome(
    status: LoopOutcome['status'],
    said: Pick<Answer, 'bubbles' | 'images'>,
    handover?: Handover,
  ): LoopOutcome {
    const { steps, facts, sources, gaps } = this.tools;
    const { attempts, modelMs } = this.model.meter;
    const ms = { model: modelMs, tools: Math.round(this.toolMs) };
    const { bubbles, images } = said;
    return { status, bubbles, images, handover, steps, attempts, facts, sources, gaps, absorbed: this.absorbed, ms };
  }
}

export const createLoop =
  (deps: LoopDeps): RunLoop =>
  async (input) =>
    new Turn(deps, input, await deps.policy(input.context)).run();
