import { isGolden, type GoldenCase } from './dialogues';

/** The routes of bot-engine for one store (design 2.10). */
export type Ask = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: { readonly data?: unknown; readonly message?: string } }>;

export interface Played {
  readonly id: string;
  readonly status: 'waiting' | 'running' | 'done' | 'failed';
  readonly model: string;
  readonly version: number;
  readonly passed: number;
  readonly total: number;
  readonly error: string | null;
  readonly cases: readonly {
    readonly id: string;
    readonly name: string;
    readonly passes: boolean;
    readonly why: readonly string[];
    readonly answer: readonly string[];
    readonly cost_micros: number;
  }[];
}

export interface Wish {
  readonly prompt?: string;
  readonly model?: string;
  readonly repeat?: number;
}

const POLL_MS = 500;

const done = async (asked: ReturnType<Ask>, what: string): Promise<unknown> => {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(`${what}: bot-engine answers ${status}, ${body.message ?? 'without a word'}`);
  return body.data;
};

/** Makes the agent's golden cases those of the file: an edited one replaces what it was, one that is gone is deleted. Others stay. */
const keep = async (ask: Ask, cases: readonly GoldenCase[]): Promise<void> => {
  const agent = cases[0]?.agent_id ?? '';
  const query = `/evals?limit=100&agent_id=${encodeURIComponent(agent)}`;
  const known: { id: string }[] = [];
  for (let next: string | null = ''; next !== null;) {
    const asked = await ask('GET', `${query}${next && `&cursor=${encodeURIComponent(next)}`}`);
    known.push(...((asked.body.data ?? []) as { id: string }[]));
    next = (asked.body as { meta?: { next_cursor?: string | null } }).meta?.next_cursor ?? null;
  }
  for (const { id } of known)
    if (isGolden(id) && !cases.some((one) => one.id === id))
      await done(ask('DELETE', `/evals/${id}`), 'deleting a case');
  for (const one of cases) {
    const { status } = await ask('POST', '/evals', one);
    if (status === 409) await done(ask('DELETE', `/evals/${one.id}`), one.name);
    if (status !== 201) await done(ask('POST', '/evals', one), one.name);
  }
};

/** Plays the cases through the loop of real turns; resolves when all have been played. */
export const evaluate = async (
  ask: Ask,
  cases: readonly GoldenCase[],
  wish: Wish,
  pause: (ms: number) => Promise<unknown>,
): Promise<Played> => {
  await keep(ask, cases);
  const started = (await done(
    ask('POST', '/evals/run', { agent_id: cases[0]?.agent_id, ...wish }),
    'starting',
  )) as Played;
  for (let played = started; ;) {
    if (played.status === 'done' || played.status === 'failed') return played;
    await pause(POLL_MS);
    played = (await done(ask('GET', `/evals/runs/${started.id}`), 'the evaluation')) as Played;
  }
};

/** A line for each case, those that fail with their reasons, and the sum. */
export const report = ({ cases, passed, total, model, version, error }: Played): string => {
  const lines = cases.flatMap(({ name, passes, why, answer }) => [
    `${passes ? 'ok  ' : 'FAIL'} ${name}`,
    ...why.map((reason) => `       ${reason}`),
    ...(passes ? [] : [`       it said: ${answer.join(' / ') || 'nothing'}`]),
  ]);
  const cost = cases.reduce((sum, one) => sum + one.cost_micros, 0);
  const dollars = (cost / 1e6).toFixed(6);
  return [
    ...lines,
    ...(error ? [`The evaluation ended early: ${error}`] : []),
    `${passed} of ${total} passed, version ${version} on ${model}, $${dollars}`,
  ].join('\n');
};
