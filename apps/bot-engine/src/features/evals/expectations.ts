import type { LoopOutcome } from '../loop/public';
import type { Expectations } from './eval.dto';

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What a case came to, over all of its lines. */
export interface Played {
  readonly outcomes: readonly LoopOutcome[];
}

export const toolsOf = ({ outcomes }: Played): string[] => [
  ...new Set(outcomes.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(({ tool }) => tool)))),
];
export const answerOf = ({ outcomes }: Played): string[] => outcomes.flatMap(({ bubbles }) => bubbles);
export const costOf = ({ outcomes }: Played): number =>
  outcomes.flatMap(({ attempts }) => attempts).reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0);

/** A chunk is named after its document: naming the document is enough. */
const quotes = (sources: readonly string[], wanted: string): boolean =>
  sources.some(
    (source) => source === wanted || (source.startsWith(wanted) && !/^\w/.test(source.slice(wanted.length))),
  );

const handoverFault = (expected: boolean | undefined, happened: boolean): string[] => {
  if (expected === undefined || expected === happened) return [];
  return [expected ? 'it did not hand over to a person' : 'it handed over to a person'];
};

const costFault = (most: number | undefined, cost: number): string[] =>
  most === undefined || cost <= most ? [] : [`it cost ${cost} micro-dollars, more than ${most}`];

/** Why what was played is not what was expected; empty when it is. */
export const faultsOf = (played: Played, expect: Expectations): string[] => {
  const { outcomes } = played;
  const used = toolsOf(played);
  const said = folded(answerOf(played).join('\n'));
  const sources = outcomes.flatMap((outcome) => outcome.sources);
  const handedOver = outcomes.some(({ status }) => status === 'handover');
  return [
    ...(outcomes.some(({ status }) => status === 'fallback') ? ['no model could answer'] : []),
    ...(expect.tools ?? []).filter((name) => !used.includes(name)).map((name) => `it did not use ${name}`),
    ...(expect.must ?? []).filter((text) => !said.includes(folded(text))).map((text) => `it did not say "${text}"`),
    ...(expect.must_not ?? []).filter((text) => said.includes(folded(text))).map((text) => `it said "${text}"`),
    ...(expect.sources ?? []).filter((id) => !quotes(sources, id)).map((id) => `it did not quote ${id}`),
    ...handoverFault(expect.handover, handedOver),
    ...costFault(expect.max_cost_micros, costOf(played)),
  ];
};
