import { modelsOf, type ChatReply, type Question, type ToolSchema } from '../model/public';
import type { Dialogue } from './dialogue';
import type { LoopDeps } from './loop.deps';
import { LoopMeter } from './loop.meter';
import type { LoopInput } from './loop.types';

const MAX_TOKENS = 600;
/** Time reserved for the commit: no call begins with less. */
const RESERVE_MS = 2_000;

/** Asks the models of one turn: within its time, with what was said so far, counting what it costs. */
export class ModelStep {
  readonly meter: LoopMeter;
  private readonly models: Question['models'];

  constructor(
    private readonly deps: Pick<LoopDeps, 'ask' | 'budget' | 'settings'>,
    private readonly input: Pick<LoopInput, 'context' | 'deadline' | 'prices'>,
    private readonly dialogue: Dialogue,
    private readonly schemas: readonly ToolSchema[],
  ) {
    const { agent } = input.context;
    this.models = modelsOf(agent, deps.settings.defaultModel);
    this.meter = new LoopMeter(input.prices, agent.turnCostCapMicros ?? deps.settings.turnCostCapMicros);
  }

  /** Whether the turn may cost another call. */
  get isAffordable(): boolean {
    return this.meter.allows(this.models[0], { in: this.dialogue.estimate(), out: MAX_TOKENS });
  }

  /** The reply, or nothing when no model gave one. `textOnly`: no tools may be called; `note` is added to the instructions. */
  async ask(textOnly: boolean, note?: string): Promise<ChatReply | undefined> {
    const { context, deadline } = this.input;
    if (context.signal.aborted || deadline - Date.now() <= RESERVE_MS) return undefined;
    const messages = this.dialogue.messages(note);
    const attempts = await this.deps.ask({
      models: this.models,
      messages,
      ...(this.schemas.length > 0 ? { tools: this.schemas, toolChoice: textOnly ? 'none' : 'auto' } : {}),
      temperature: context.agent.temperature,
      maxTokens: MAX_TOKENS,
      signal: context.signal,
      deadline,
    });
    for (const { costMicros, reply } of this.meter.add(attempts))
      if (reply?.usage) this.deps.budget.spent(context.store, costMicros, reply.usage);
    const reply = attempts.at(-1)?.reply ?? undefined;
    if (reply?.usage) this.dialogue.counted(reply.usage.in);
    return reply;
  }
}
