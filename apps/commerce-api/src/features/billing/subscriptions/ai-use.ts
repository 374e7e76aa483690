import type { Sql } from '@platform/data';
import { NotFound, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { path } from '@platform/http';
import type { Asking, BotAnswer, BotDesk } from '../../../clients/bot.desk';
import { aiRepliesOf } from './ai-replies';
import type { PlanUse } from './subscriptions.dto';

const DAYS = `
  SELECT ($2::timestamptz AT TIME ZONE timezone)::date::text AS from, ($3::timestamptz AT TIME ZONE timezone)::date::text AS to
  FROM store WHERE store_id = $1`;

/** Null when bot-engine does not tell now: what is counted here is shown all the same. */
const repliesOf = async (bot: BotDesk, who: Asking, days: object): Promise<number | null> => {
  try {
    const call = { path: path('/internal/usage'), query: { ...days } };
    return (await bot.ask<BotAnswer<{ replies: number }>>(who, call)).data.replies;
  } catch (failure) {
    if (failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut || failure instanceof NotFound)
      return null;
    throw failure;
  }
};

/** What the bot has answered in the month of the plan that is under way, as bot-engine counts it, by whole days of the store. */
export const aiUseOf = async (
  { sql, bot }: { readonly sql: Sql; readonly bot: BotDesk },
  who: Asking,
  now: Date,
): Promise<PlanUse[]> => {
  const allowed = await aiRepliesOf(sql, who.storeId, now);
  if (!allowed) return [];
  const [days] = await sql.prepared<{ from: string; to: string }>('days of replies', DAYS, [
    who.storeId,
    allowed.period_start,
    now,
  ]);
  const used = await repliesOf(bot, who, days ?? {});
  return [{ metric: 'ai_replies', used, limit: allowed.reply_limit, period_end: allowed.period_end }];
};
