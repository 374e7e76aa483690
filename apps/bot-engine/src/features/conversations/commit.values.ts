import { isDeepStrictEqual } from 'node:util';
import { storableJson, traced, uuidv7 } from '@platform/runtime';
import type { StepRecord } from '../tools/public';
import { laneEnd, PUSH_TARGET } from '../push/public';
import type { ConversationRef, FinishedRun, FinishedTurn, LoggedRequest } from './conversation.types';

type Known = ConversationRef & { readonly id: string };

export const conversationValues = (conversation: Known): unknown[] => {
  const { storeId, id, agentId, customer, begunAs = customer, key, instanceId, chatId, team } = conversation;
  return [storeId, id, agentId, begunAs, key, instanceId, chatId, team];
};

/** A model reads lines, not pictures without a word. */
const PICTURE = '[gambar]';

const assistantLine = ({ reply }: FinishedRun): object[] => {
  const { answer, images } = reply;
  if (answer.length === 0 && images.length === 0) return [];
  return [{ role: 'assistant', content: answer.join('\n\n') || PICTURE, images, seed: false, own: true }];
};

/** In the order in which they are read. */
const linesOf = ({ seed, since, said, run }: FinishedTurn): object[] => [
  ...seed.map((line) => ({ ...line, seed: true, own: false })),
  ...since.map((line) => ({ ...line, seed: false, own: false })),
  ...said.map(({ content, images, messageId: id }) => ({
    ...{ role: 'user', content, images, id_message: id, seed: false, own: true },
  })),
  ...assistantLine(run),
];

const runOf = (run: FinishedRun): object => ({
  id: run.id,
  lead_token: run.leadToken,
  status: run.status,
  merged_ids: run.mergedIds,
  input: run.input,
  reply: run.reply,
  sources: run.sources,
  steps: run.steps,
  tokens_in: run.tokensIn,
  tokens_out: run.tokensOut,
  cost_micros: run.costMicros,
  ms_queue: run.ms.queue,
  ms_model: run.ms.model,
  ms_total: run.ms.total,
  agent_version: run.agentVersion,
});

const requestOf = ({ purpose, attempt }: LoggedRequest): object => ({
  id: uuidv7(),
  purpose,
  provider: attempt.provider,
  model: attempt.model,
  status: attempt.status,
  tokens_in: attempt.reply?.usage?.in ?? 0,
  tokens_cached: attempt.reply?.usage?.cached ?? 0,
  tokens_out: attempt.reply?.usage?.out ?? 0,
  cost_micros: attempt.costMicros,
  ms: attempt.ms,
  http_status: attempt.httpStatus,
  request_id: attempt.requestId,
});

/** What the turn has changed: turns in other chats of the customer end beside it. */
const changedFacts = ({ facts, storedFacts = {} }: FinishedTurn): object => {
  const [before, now] = [storedFacts, facts] as Readonly<Record<string, unknown>>[];
  const changed = Object.keys({ ...before, ...now }).filter(
    (name) => !isDeepStrictEqual(before?.[name] ?? null, now?.[name] ?? null),
  );
  return Object.fromEntries(changed.map((name) => [name, now?.[name] ?? null]));
};

const stateOf = (turn: FinishedTurn): object => ({
  facts: changedFacts(turn),
  since_seq: turn.sinceSeq,
  handed_over: turn.handover !== undefined,
  run_id: turn.run.id,
  reason: turn.handover?.reason,
  episode: turn.handover?.episode,
  resume_at: turn.handover?.resumeAt,
});

const pushesOf = ({ pushes }: FinishedTurn): object[] =>
  pushes.map(({ kind, dedupeKey, payload }) => ({
    ...{ kind: kind.name, dedupe_key: dedupeKey, payload: traced(payload), lane_end: laneEnd(payload) },
  }));

/** Of the statement COMMIT. */
export const commitValues = (turn: FinishedTurn): unknown[] => {
  const { conversation, run, requests, resumed } = turn;
  const parts = [linesOf(turn), runOf(run), requests.map(requestOf), stateOf(turn), pushesOf(turn)];
  return [
    ...conversationValues(conversation),
    ...parts.map(storableJson),
    resumed,
    PUSH_TARGET(conversation.storeId),
    conversation.chat,
  ];
};

/** A step in the two columns of its row: what the model asked for, and what became of it. */
export const stepValues = ({ text, calls }: StepRecord): [string, string] => [
  storableJson({ text, calls: calls.map(({ id, tool, args }) => ({ id, tool, args })) }),
  storableJson(calls.map(({ id, result, ms, failed }) => ({ id, result, ms, failed }))),
];
