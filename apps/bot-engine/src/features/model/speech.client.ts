import { toFile } from 'openai';
import { cut, storable } from '@platform/runtime';
import { ModelError, type Usage } from './chat.model';
import { isObject } from './json.object';
import { answerFacts, openaiClient, type OpenAiAccess } from './openai.client';
import type { Prices } from './price.repository';
import { sideCall, type SideOutcome, type SideReply } from './side.call';
import { countOrNone } from './usage.count';

/**
 * Writes down a recording; `name` tells its format (`voice.ogg`). One call, never rejects: no value when nobody could
 * write it down, an empty one when nothing is said in it. The text is the customer's, in whatever words.
 */
export type Transcribe = (file: Uint8Array, name: string, signal: AbortSignal) => Promise<SideOutcome<string>>;

/** As much as a message may have, with room for what a caller removes. */
const MOST_CHARACTERS = 16_000;

/** Models that are billed by time count a second as a token. */
const usageOf = (usage: unknown): Usage => {
  if (!isObject(usage)) return { in: 0, cached: 0, out: 0 };
  if (usage.type === 'duration') return { in: countOrNone(usage.seconds), cached: 0, out: 0 };
  return { in: countOrNone(usage.input_tokens), cached: 0, out: countOrNone(usage.output_tokens) };
};

export const transcriber = (access: OpenAiAccess, model: string, prices: Prices): Transcribe => {
  const client = openaiClient(access);
  const record = sideCall(model, prices);
  return (file, name, signal) =>
    record(async (): Promise<SideReply<string>> => {
      const recording = await toFile(file, name);
      const parameters = { file: recording, model, response_format: 'json' as const };
      const answered = await client.audio.transcriptions.create(parameters, { signal }).withResponse();
      const facts = answerFacts(answered, access);
      const body: unknown = answered.data;
      if (!isObject(body) || typeof body.text !== 'string') throw new ModelError('shape', facts);
      return { value: storable(cut(body.text, MOST_CHARACTERS)).trim(), usage: usageOf(body.usage), facts };
    }, signal);
};
