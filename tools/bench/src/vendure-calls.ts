import type { OrderJob } from './order-load.types';

const PLACING = [
  'addItemToOrder(productVariantId: {other}, quantity: 2)',
  'setCustomerForOrder(input: { firstName: "Budi", lastName: "{key}", emailAddress: "budi{key}@bench.example" })',
  'setOrderShippingAddress(input: { streetLine1: "Jalan Mawar 1", countryCode: "ID" })',
  'setOrderShippingMethod(shippingMethodId: [1])',
  'transitionOrderToState(state: "ArrangingPayment")',
  'addPaymentToOrder(input: { method: "cash", metadata: {} })',
];

/** Asks for one mutation as its storefronts do; resolves to the token of the session. */
const mutate = async (url: string, token: string | null, mutation: string): Promise<string | null> => {
  const query = `mutation { done: ${mutation} { __typename ... on ErrorResult { message } ... on Order { state } } }`;
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${url}/shop-api`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const text = await answer.text();
  if (!text.includes('"__typename":"Order"')) throw new Error(`${mutation} answered ${answer.status}: ${text}`);
  return token ?? answer.headers.get('vendure-auth-token');
};

/** Fills a cart with two lines, places it and pays, from a session of its own. */
export const placedAtVendure = async ({ url, keys }: OrderJob, key: number): Promise<void> => {
  const [variant, other] = [2 * (key % keys) + 1, 2 * (key % keys) + 2].map(String);
  const token = await mutate(url, null, `addItemToOrder(productVariantId: ${variant}, quantity: 1)`);
  for (const mutation of PLACING)
    await mutate(url, token, mutation.replace('{other}', other ?? '').replaceAll('{key}', String(key)));
};
