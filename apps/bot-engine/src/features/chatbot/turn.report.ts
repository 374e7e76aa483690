import { createHash } from 'node:crypto';
import type { Logger } from '@platform/runtime';
import type { FinishedTurn } from '../conversations/public';
import type { LoopOutcome } from '../loop/public';
import { loggedAttempt, reportTrouble } from '../model/public';
import type { TurnInput } from './turn.types';

interface Reported {
  readonly turn: FinishedTurn;
  readonly outcome: LoopOutcome;
  readonly input: TurnInput;
  readonly msDatabase: number;
}

/** One line per turn: ids, names and numbers; never its words, and the customer only as a digest. */
export const reportTurn = (logger: Logger, { turn, outcome, input, msDatabase }: Reported): void => {
  const { run, conversation, requests } = turn;
  const attempts = requests.map(({ attempt }) => attempt);
  reportTrouble(logger, attempts);
  logger.info('turn', {
    turnId: run.id,
    idStore: conversation.storeId,
    idAgent: conversation.agentId,
    customer: createHash('sha256').update(conversation.customer).digest('hex').slice(0, 12),
    status: run.status,
    steps: run.steps,
    tools: outcome.steps.flatMap(({ calls }) => calls.map(({ tool }) => tool)),
    tokens: { in: run.tokensIn, out: run.tokensOut },
    cost_micros: run.costMicros,
    ms: { ...run.ms, tools: outcome.ms.tools, db: Math.round(msDatabase), answered: Date.now() - input.leader.begunAt },
    merged: turn.said.length - 1 - outcome.absorbed.length,
    absorbs: outcome.absorbed.length,
    attempts: attempts.map(loggedAttempt),
  });
};
