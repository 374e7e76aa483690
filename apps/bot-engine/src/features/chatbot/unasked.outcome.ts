import { cut } from '@platform/runtime';
import { bubblesOf, type LoopOutcome } from '../loop/public';
import { factsForPeople } from '../tools/public';
import type { TurnInput } from './turn.types';

const WHY = {
  poison: 'Bot gagal menjawab berulang kali',
  day: 'Batas biaya harian bot tercapai',
  month: 'Batas biaya bulanan bot tercapai',
  replies: 'Kuota balasan AI paket habis',
} as const;
const MAX_QUESTION = 200;

/** A turn without a model: the agent's fixed text, and a hand-over that says why. */
export const unaskedOutcome = ({ bot, messages, opened, unasked }: TurnInput): LoopOutcome => {
  const question = cut(messages.map(({ text }) => text).join(' / '), MAX_QUESTION);
  const why = unasked ? WHY[unasked.reason] : '';
  const summary = [`${why}: ${question}`, factsForPeople(opened.facts)].filter(Boolean).join(' | ');
  return {
    status: 'fallback',
    bubbles: bubblesOf(bot.agent.fallbackText),
    images: [],
    handover: { reason: 'model_failure', summary },
    steps: [],
    attempts: [],
    facts: opened.facts,
    sources: [],
    gaps: [],
    absorbed: [],
    ms: { model: 0, tools: 0 },
  };
};
