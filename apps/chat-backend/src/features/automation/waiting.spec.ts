import type { Transaction } from '@platform/data';
import { fixedClock, silentLogger } from '@platform/runtime';
import type { BotAnswer } from '../../clients/bot.client';
import type { AutomationRepository } from './automation.repository';
import type { BotAskPayload } from './automation.payload';
import { BotQuestions, type BotQuestionsDependencies } from './bot.questions';
import { BotTurn } from './bot.turn';
import { WaitingAnswers } from './waiting.answers';

const MINUTE_MS = 60_000;
const MESSAGE = { storeId: 'S1', conversationId: 'c1', seq: 1 };
const clock = fixedClock('2026-11-27T09:00:00Z');

/** What stands for jobs that wait much longer for a place than for their time: those of the store have hosts that hang. */
const placesAreTakenFor = (minutes: number) => clock.advance(minutes * MINUTE_MS);

it('an answer waits two minutes at most for one before it, however few looks that were', async () => {
  const waiting: object[] = [];
  const answers = new WaitingAnswers({
    database: { tx: (work) => work({} as Transaction) },
    repository: { isBehind: async () => true, decided: async () => undefined } as unknown as AutomationRepository,
    queue: { enqueue: async (_tx, _task, payload) => void waiting.push(payload) },
    clock,
  });
  expect(await answers.postponed(MESSAGE, false)).toBe(true);
  placesAreTakenFor(1.5);
  expect(await answers.postponed(waiting.at(-1) as typeof MESSAGE, false)).toBe(true);
  placesAreTakenFor(1);
  expect(await answers.postponed(waiting.at(-1) as typeof MESSAGE, false)).toBe(false);
});

it('the bot is given up ten minutes after it was first asked in vain, however few times that was', async () => {
  const later: BotAnswer = { kind: 'later', afterSeconds: 1, reason: 'bot-engine answered 503' };
  const question = { status: 0, agentId: 'A1', nohp: '628', untold: [], team: '3', file: null, text: 'ada?' };
  const [waiting, givenUp]: [BotAskPayload[], string[]] = [[], []];
  const needs: Partial<BotQuestionsDependencies> = { clock };
  const questions: Partial<BotQuestions> = {
    inVain: (payload) => new BotQuestions(needs as BotQuestionsDependencies).inVain(payload),
    again: async (payload) => void waiting.push(payload),
    giveUp: async (_, reason) => void givenUp.push(reason),
    handOut: async () => undefined,
  };
  const turn = new BotTurn({
    ...{ repository: { botQuestion: async () => question } as unknown as AutomationRepository },
    ...{ bot: { ask: async () => later }, questions: questions as BotQuestions, logger: silentLogger },
    ...{ outbound: { sendBubbles: async () => 0 }, announcer: { history: () => undefined }, linkOf: () => '' },
  });
  await turn.take(MESSAGE, { attempt: 1 });
  for (const minutes of [5, 4, 2]) {
    expect(givenUp).toEqual([]);
    placesAreTakenFor(minutes);
    await turn.take(waiting.at(-1) as BotAskPayload, { attempt: 1 });
  }
  expect([givenUp, waiting.length]).toEqual([['bot-engine answered 503'], 3]);
});
