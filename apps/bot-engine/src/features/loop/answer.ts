import { cut } from '@platform/runtime';
import { textIn, type KnownProduct } from '../tools/public';
import { bubblesOf } from './bubbles';
import { wrongDiscounts } from './discount.guard';
import { foreignAddresses, foreignOrders } from './foreign.guard';
import { leaks } from './leak.guard';
import { wrongAmounts, type NamesProduct, type Sources } from './price.guard';
import { without } from './segments';
import { POLICY } from './system.prompt';
import { whatsappStyle } from './whatsapp.style';

export type { NamesProduct } from './price.guard';

export interface AnswerSources extends Sources {
  /** The model was stopped in the middle. */
  readonly brokeOff: boolean;
}

/** What of a model's text may go to a customer. */
export interface Answer {
  readonly bubbles: readonly string[];
  /** Addresses of pictures. */
  readonly images: readonly string[];
  /** Amounts that nobody told the model; their sentences are not in `bubbles`. */
  readonly wrong: readonly string[];
  /** Nothing is left that could be sent. */
  readonly isEmpty: boolean;
}

const MAX_ANSWER = 8_000;
const MAX_IMAGES = 3;
/** Of one answer, each without what the one before found; then nothing of it is believed. */
const MOST_READINGS = 5;
const MARKER = /\[\[\s*img\s*:\s*([^\][\n]*)(?:\]{1,2}|$)/gim;
const MARKDOWN_PICTURE = /!\[[^\]\n]*\]\((https?:\/\/[^)\s]+)\)/g;
const TOOL_MARKUP = /<\/?\s*(?:tool|function|invoke|antml)[\w:-]*|\[\/?TOOL_CALLS?\]/i;

/** Without control characters other than newline and without invisible ones, but with those that join emoji. */
const cleaned = (text: string): string =>
  cut(text, MAX_ANSWER)
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|(?![\n\u200D])[\p{Cc}\p{Cf}]/gu, '');

/** Cuts a truncated text after its last whole sentence; without one it stays. */
const untilSentenceEnd = (text: string): string => /^[^]*[.!?…](?=\s|$)/.exec(text)?.[0] ?? text;

const withoutMarkup = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !TOOL_MARKUP.test(line))
    .join('\n');

/** The pictures that a text asks for, and the text without them. */
const pictures = (text: string, products: readonly KnownProduct[]): { text: string; images: string[] } => {
  const images = new Set<string>();
  const add = (image: string | undefined): string => {
    if (image && images.size < MAX_IMAGES) images.add(image);
    return '';
  };
  const ofSku = (sku: string) => products.find((one) => one.sku.toLowerCase() === sku.trim().toLowerCase())?.image;
  const rest = text
    .replace(MARKER, (_, sku: string) => add(ofSku(sku)))
    .replace(MARKDOWN_PICTURE, (_, url: string) => add(products.find(({ image }) => image === url)?.image));
  return { text: rest, images: [...images] };
};

/**
 * A model's text as a customer may read it (design 3.7): WhatsApp's style, no instructions, no tool markup, no addresses and
 * orders from elsewhere, no amounts that nobody told. A sentence that holds such a thing is lost as a whole.
 */
export const answerOf = async (raw: string, sources: AnswerSources, namesProduct: NamesProduct): Promise<Answer> => {
  const { facts, prompt, policy, said, store, brokeOff } = sources;
  const whole = cleaned(brokeOff ? untilSentenceEnd(raw) : raw);
  const { text: words, images } = pictures(withoutMarkup(whole), facts.products);
  const text = whatsappStyle(words).trim();
  const shop = [prompt, ...policy, textIn(store.facts)];
  const wrong: string[] = [];
  let rest = text;
  // What is left is read anew: words that a lost sentence parted stand together now
  for (let left = MOST_READINGS; left >= 0; left -= 1) {
    const amounts = [...(await wrongAmounts(rest, sources, namesProduct)), ...wrongDiscounts(rest, sources)];
    const bad = [
      ...amounts,
      ...leaks(rest, POLICY, prompt),
      ...foreignAddresses(rest, facts, shop),
      ...foreignOrders(rest, facts, said),
    ];
    if (bad.length === 0) break;
    for (const { start, end } of amounts) wrong.push(rest.slice(start, end).replace(/\s+/g, ' '));
    rest = left === 0 ? '' : without(rest, bad);
  }
  const bubbles = bubblesOf(rest);
  const isEmpty = bubbles.length === 0 && (images.length === 0 || rest !== text);
  return { bubbles, images, wrong, isEmpty };
};
