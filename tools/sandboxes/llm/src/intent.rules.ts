import { addressIn, customerNameIn, orderNumberIn, waybillIn } from './argument.rules';
import type { Scene } from './scene';
import { isGreeting, isThanks, withoutSuffix } from './words';

export type Intent =
  | 'handover'
  | 'track'
  | 'payment'
  | 'confirm'
  | 'buy'
  | 'shipping'
  | 'stock'
  | 'policy'
  | 'thanks'
  | 'greeting'
  | 'search';

interface Rule {
  readonly intent: Intent;
  /** The tool that the intent needs; the rule does not match when it is not offered. */
  readonly tool?: string;
  readonly matches: (text: string, scene: Scene) => boolean;
}

const says =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** First match wins; Indonesian and English words. */
const RULES: readonly Rule[] = [
  {
    intent: 'handover',
    tool: 'handover_to_human',
    matches: says(/\b(?:admin|cs|manusia|komplain|human|complaint|customer service|real person)\b/i),
  },
  {
    intent: 'track',
    tool: 'track_waybill',
    matches: (text) =>
      /\b(?:resi|lacak|tracking|track)\b/i.test(text) && (Boolean(waybillIn(text)) || !orderNumberIn(text)),
  },
  {
    intent: 'payment',
    tool: 'check_payment_status',
    matches: says(
      /\b(?:sudah (?:saya |aku |di)?(?:bayar|transfer)|status (?:pem)?bayar(?:an)?|payment status|(?:already|have) paid|INV-\w+)/i,
    ),
  },
  {
    intent: 'confirm',
    tool: 'create_checkout',
    matches: (text, { facts }) => Boolean(facts.quote) && /^\s*(?:ya|iya|ok|oke|okay|setuju|lanjut|yes)\b/im.test(text),
  },
  {
    intent: 'buy',
    tool: 'create_checkout',
    matches: (text) =>
      /\b(?:beli|pesan|order|checkout|buy|purchase)\b/i.test(text) || Boolean(customerNameIn(text) && addressIn(text)),
  },
  {
    intent: 'shipping',
    tool: 'get_shipping_cost',
    matches: (text, { say, lastAnswer }) =>
      /\b(?:ongkir|ongkos kirim|kirim ke|shipping|ship to|deliver(?:y)? to)\b/i.test(text) ||
      offeredChoice(say.choose, lastAnswer),
  },
  { intent: 'stock', tool: 'search_products', matches: says(/\b(?:stok|stock|ready|tersedia|available)\b/i) },
  {
    intent: 'policy',
    tool: 'get_store_policy',
    matches: says(/\b(?:retur|garansi|tukar|jam buka|return|refund|warranty|exchange|opening hours)\b/i),
  },
  { intent: 'thanks', matches: isThanks },
  { intent: 'greeting', matches: isGreeting },
];

const offeredChoice = (choose: string, lastAnswer: string): boolean => lastAnswer.startsWith(choose);

export const intentOf = (scene: Scene): Intent => {
  const text = withoutSuffix(scene.question);
  return (
    RULES.find(({ tool, matches }) => (!tool || scene.tools.has(tool)) && matches(text, scene))?.intent ?? 'search'
  );
};
