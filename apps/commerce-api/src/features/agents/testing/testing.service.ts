import { path, type Feed } from '@platform/http';
import { uuidv7, type Logger } from '@platform/runtime';
import type { Asking, BotAnswer, BotDesk, BotFeed } from '../../../clients/bot.desk';
import type { Trial, TrialAnswer, TrialRow, TrialsQuery, TrialView } from './testing.dto';

type Answered = Omit<TrialAnswer, 'session_id'>;

/** Prompts that are tried on the engine's small model, without tools; what was said is kept over there. */
export class TestingService {
  constructor(
    private readonly bot: BotDesk,
    private readonly logger: Logger,
  ) {}

  async tryOut(who: Asking, { session_id: session = uuidv7(), ...trial }: Trial): Promise<TrialAnswer> {
    const { data } = await this.bot.askModel<BotAnswer<Answered>>(who, {
      ...{ method: 'POST', path: path('/api/ai-agent-testing') },
      json: { ...trial, store_id: who.storeId },
    });
    return { ...data, session_id: await this.keep(who, { ...trial, id: session, answer: data.answer }) };
  }

  async list(who: Asking, query: TrialsQuery): Promise<Feed<TrialRow>> {
    const call = { path: path('/internal/test-sessions'), query: { ...query } };
    const { data, meta } = await this.bot.ask<BotFeed<TrialRow>>(who, call);
    return { rows: data, nextCursor: meta.next_cursor };
  }

  async get(who: Asking, id: string): Promise<TrialView> {
    return (await this.bot.ask<BotAnswer<TrialView>>(who, { path: path('/internal/test-sessions/{id}', { id }) })).data;
  }

  /** The answer is there: that it was not kept loses no more than that. */
  private async keep(
    who: Asking,
    { conversations: _said, ...tried }: Omit<Trial, 'session_id'> & { readonly id: string; readonly answer: string },
  ): Promise<string | null> {
    try {
      await this.bot.ask(who, { method: 'POST', path: path('/internal/test-sessions'), json: tried });
      return tried.id;
    } catch (error) {
      this.logger.error('a trial of an agent could not be saved', { store: who.storeId, error });
      return null;
    }
  }
}
