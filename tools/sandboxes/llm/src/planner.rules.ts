import {
  addressIn,
  cityIn,
  courierIn,
  customerNameIn,
  orderNumberIn,
  priceLimitIn,
  productWordsIn,
  quantityIn,
  skuIn,
  waybillIn,
} from './argument.rules';
import { intentOf, type Intent } from './intent.rules';
import { rowsOf, textAt, type Json } from './json.reader';
import { greeting, plainAnswer } from './plain.rules';
import { resultOf, type Scene, type ToolResult } from './scene';
import { describeResult } from './template.rules';

/** The next step: call a tool, or say something. */
export type Step = { readonly call: { readonly name: string; readonly args: Json } } | { readonly say: string };

/** Calls a tool unless its result is there; then continues with the result. */
const ask = (scene: Scene, name: string, args: Json, then?: (result: ToolResult) => Step): Step => {
  const result = resultOf(scene, name, args);
  if (!result) return { call: { name, args } };
  return !then || result.failed ? { say: describeResult(result, scene.say) } : then(result);
};

const search = (scene: Scene, query: string, then?: (result: ToolResult) => Step): Step => {
  const priceMax = priceLimitIn(scene.question);
  return ask(scene, 'search_products', { query, ...(priceMax === undefined ? {} : { priceMax }) }, then);
};

/** Determines the product: a named SKU, a search for the words, the last product mentioned, or otherwise a question. */
const withProduct = (scene: Scene, use: (sku: string) => Step): Step => {
  const { question, facts, tools, say, earlier } = scene;
  const named = skuIn(question, facts.skus);
  if (named) return use(named);
  const found = (result: ToolResult): Step => {
    const sku = textAt(rowsOf(result.data)[0] ?? {}, 'sku');
    return sku ? use(sku) : { say: say.notFound };
  };
  const words = productWordsIn(question);
  if (words && tools.has('search_products')) return search(scene, words, found);
  if (facts.skus[0]) return use(facts.skus[0]);
  const before = earlier.map(productWordsIn).find(Boolean);
  return before && tools.has('search_products') ? search(scene, before, found) : { say: say.which };
};

const buy = (scene: Scene): Step => {
  const lines = [scene.question, ...scene.earlier];
  const first = <T>(read: (text: string) => T | undefined): T | undefined =>
    lines.map(read).find((value) => value !== undefined);
  const details = { customerName: first(customerNameIn), address: first(addressIn), destination: first(cityIn) };
  return withProduct(scene, (sku) => {
    const missing = (Object.keys(details) as (keyof typeof details)[]).filter((key) => !details[key]);
    if (missing.length) return { say: scene.say.askDetails(missing.map((key) => scene.say.details[key])) };
    const courier = courierIn(scene.question);
    return ask(scene, 'create_checkout', {
      items: [{ sku, quantity: first(quantityIn) ?? 1 }],
      ...details,
      ...(courier ? { courier } : {}),
    });
  });
};

/** The requested destination, or the one picked from the numbered list in the last answer. */
const destinationOf = ({ question, lastAnswer }: Scene): string | undefined => {
  const labels = [...lastAnswer.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, label]) => ({
    number,
    label: label ?? '',
  }));
  const wanted = question.trim().toLowerCase();
  return (
    labels.find(({ number, label }) => wanted === number || wanted === label.toLowerCase())?.label ?? cityIn(question)
  );
};

const shipping = (scene: Scene): Step => {
  const destination = destinationOf(scene);
  if (!destination) return { say: scene.say.askCity };
  const picked = destination !== cityIn(scene.question);
  return withProduct(picked ? { ...scene, question: '' } : scene, (sku) =>
    ask(scene, 'get_shipping_cost', { destination, items: [{ sku, quantity: quantityIn(scene.question) ?? 1 }] }),
  );
};

const stock = (scene: Scene): Step =>
  withProduct(scene, (sku) => {
    const searched = scene.results.findLast(({ name }) => name === 'search_products');
    if (!scene.tools.has('check_stock'))
      return { say: searched ? describeResult(searched, scene.say) : scene.say.which };
    return ask(scene, 'check_stock', { items: [{ sku, quantity: quantityIn(scene.question) ?? 1 }] });
  });

const handover = (scene: Scene): Step => {
  const complaint = /\b(?:komplain|complaint)\b/i.test(scene.question);
  return ask(scene, 'handover_to_human', {
    reason: complaint ? 'complaint' : 'customer_request',
    summary: scene.question.slice(0, 300),
  });
};

const find = (scene: Scene): Step => {
  const query = productWordsIn(scene.question);
  return query && scene.tools.has('search_products') ? search(scene, query) : { say: plainAnswer(scene) };
};

const PLANS: Readonly<Record<Intent, (scene: Scene) => Step>> = {
  handover,
  track: (scene) => {
    const waybill = waybillIn(scene.question);
    const courier = courierIn(scene.question);
    return waybill
      ? ask(scene, 'track_waybill', { waybill, ...(courier ? { courier } : {}) })
      : { say: scene.say.askWaybill };
  },
  payment: (scene) => {
    const orderNumber = orderNumberIn(scene.question) ?? scene.facts.orders[0];
    return orderNumber ? ask(scene, 'check_payment_status', { orderNumber }) : { say: scene.say.askOrder };
  },
  confirm: (scene) => ask(scene, 'create_checkout', scene.facts.quote ?? {}),
  buy,
  shipping,
  stock,
  policy: (scene) => ask(scene, 'get_store_policy', { question: scene.question.slice(0, 200) }),
  thanks: ({ say }) => ({ say: say.thanks }),
  greeting: (scene) => ({ say: greeting(scene) }),
  search: find,
};

/** The next step of a turn. With `tool_choice: none` it describes the results so far instead of calling a tool. */
export const planNext = (scene: Scene): Step => {
  const { results, tools, choice, say } = scene;
  const step: Step = tools.size > 0 || results.length > 0 ? PLANS[intentOf(scene)](scene) : { say: plainAnswer(scene) };
  if ('say' in step) return step;
  if (choice !== 'none' && tools.has(step.call.name)) return step;
  const last = results.findLast(({ failed }) => !failed) ?? results.at(-1);
  return { say: last ? describeResult(last, say) : plainAnswer(scene) };
};
