import { readFile } from 'node:fs/promises';
import type { Component } from '@platform/runtime';
import { Int, List, parse, Text } from '@platform/validation';
import type { Config } from '../../config';
import type { PriceEntry, PriceWriter } from './price.repository';

const MOST = 1_000_000_000_000;

/** Micro-dollars for a million tokens; of models that are billed by time, a second of the recording is a token. */
class ListedPrice {
  @Text({ max: 200 }) model!: string;
  @Int({ min: 0, max: MOST }) input_micros!: number;
  @Int({ min: 0, max: MOST, optional: true, description: 'As input_micros by default' }) cached_micros?: number;
  @Int({ min: 0, max: MOST }) output_micros!: number;
  @Text({ optional: true, format: 'instant', description: 'Since ever by default' }) valid_from?: string;
}

class PriceList {
  @List(() => ListedPrice, { min: 1, max: 1_000 }) prices!: ListedPrice[];
}

const SHAPE = '{"prices":[{"model":"..","input_micros":150000,"cached_micros":75000,"output_micros":600000}]}';
const refused = (why: string, cause?: unknown): Error =>
  new Error(`The file of LLM_PRICES_FILE ${why}. It must hold JSON like ${SHAPE}.`, { cause });

const entryOf = (listed: ListedPrice): PriceEntry => ({
  model: listed.model,
  validFrom: listed.valid_from ?? '-infinity',
  input: BigInt(listed.input_micros),
  cached: BigInt(listed.cached_micros ?? listed.input_micros),
  output: BigInt(listed.output_micros),
});

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused('is no JSON', cause);
  }
};

/** Throws with everything that is wrong with the list. A misspelt member is refused: its price would silently be another. */
export const readPrices = (text: string): PriceEntry[] => {
  const { value, violations } = parse(PriceList, jsonOf(text), { unknownKeys: 'refuse' });
  if (violations) throw refused(`is not usable: ${violations.map(({ message }) => message).join('; ')}`);
  const entries = value.prices.map(entryOf);
  const keys = entries.map(({ model, validFrom }) => `${model} from ${validFrom}`);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw refused(`holds two prices of ${twice}`);
  return entries;
};

/** Brings the price list up to date with the file at every start; one that is not usable fails the start. */
export const priceFile = ({ LLM_PRICES_FILE }: Pick<Config, 'LLM_PRICES_FILE'>, prices: PriceWriter): Component => ({
  name: 'prices of models',
  start: async () => {
    if (LLM_PRICES_FILE === undefined) return;
    const text = await readFile(LLM_PRICES_FILE, 'utf8').catch((cause: unknown) => {
      throw refused('cannot be read', cause);
    });
    await prices.putAll(readPrices(text));
  },
});
