// Whoever saves a form of what somebody else has changed meanwhile loses neither change.
import { useCommerce } from '../commerce.fixture';
import { hiddenFor, signedIn, type Browser } from './browser.fixture';

const commerce = useCommerce();

interface StaleForm {
  readonly path: string;
  readonly action: string;
  /** Which of its inputs two people change, and to what. */
  readonly input: string;
  readonly values: readonly [first: string, second: string];
  /** What else is sent. */
  readonly fields: Readonly<Record<string, string>>;
}
type Opened = (browser: Browser) => Promise<StaleForm>;

/** Makes a row by the form of its page; resolves to the id that the page then shows. */
const made = async (browser: Browser, path: string, fields: Readonly<Record<string, string>>, id: RegExp) => {
  await browser.get(path);
  await browser.post(path, fields);
  return id.exec((await browser.get(path)).text)?.[1] ?? '';
};

const NAMES = ['Nama Satu', 'Nama Dua'] as const;
const NUMBERS = ['1111', '2222'] as const;
const PLACE = { phone: '0812 3456 7890', 'address[line]': 'Jl. Merdeka 1', 'address[city]': 'Bandung' };

const FORMS: Readonly<Record<string, Opened>> = {
  'a way to pay': () =>
    Promise.resolve({
      ...{ path: '/settings/payments', action: 'method.cod', input: 'fee[fixed]', values: NUMBERS },
      fields: { enabled: 'true', fee_bearer: 'buyer', 'fee[percent_bp]': '0', min: '', max: '' },
    }),
  'a bank account': async (browser) => {
    const [path, fields] = ['/settings/payments', { bank_code: 'BCA', number: '5210001234', active: 'true' }];
    const id = await made(browser, path, { ...fields, action: 'add', holder: 'Sari' }, /value="save\.([^"]+)"/);
    return { path, action: `save.${id}`, input: 'holder', values: NAMES, fields };
  },
  'the profile of a shop': () =>
    Promise.resolve({
      ...{ path: '/settings/shop', action: 'shop', input: 'name', values: NAMES },
      fields: { description: '', phone: '', 'hours[0][day]': '1', 'hours[0][open]': '', 'hours[0][close]': '' },
    }),
  'a variant of a product': async (browser) => {
    const fields = {
      action: 'create',
      name: 'Topi',
      price: '5000',
      weight_g: '100',
      kind: 'physical',
      status: 'draft',
    };
    await browser.get('/products/create');
    const { location: path = '' } = await browser.post('/products', fields);
    const [, id = ''] = /value="variant\.([^"]+)"/.exec((await browser.get(path)).text) ?? [];
    const others = { compare_at: '', sku: 'TOPI', barcode: '' };
    return { path, action: `variant.${id}`, input: 'price', values: NUMBERS, fields: others };
  },
  'a category': async (browser) => {
    const id = await made(browser, '/categories', { action: 'create', name: 'Topi' }, /\/categories\?id=([^"]+)"/);
    const fields = { slug: 'topi', parent_id: '', position: '1' };
    return { path: `/categories?id=${id}`, action: 'save', input: 'name', values: NAMES, fields };
  },
  'a warehouse': async (browser) => {
    const fields = { ...PLACE, action: 'create', name: 'Gudang' };
    const id = await made(browser, '/warehouses', fields, /\/warehouses\?id=([^"]+)"/);
    return { path: `/warehouses?id=${id}`, action: 'save', input: 'name', values: NAMES, fields: PLACE };
  },
  'a shipping method': async (browser) => {
    const fields = { kind: 'flat', cost: '9000', free_over: '', max_weight_g: '', areas: '', active: 'true' };
    const created = { ...fields, action: 'create', name: 'Kurir toko' };
    const id = await made(browser, '/shipping', created, /\/shipping\?id=([^"]+)"/);
    return { path: `/shipping?id=${id}`, action: 'save', input: 'name', values: NAMES, fields };
  },
  'the rule of couriers': () =>
    Promise.resolve({
      ...{ path: '/shipping', action: 'couriers', input: 'free_shipping[min_subtotal]', values: NUMBERS },
      fields: { 'couriers[0][code]': 'jne', 'free_shipping[max_cost]': '' },
    }),
};

/** What stands in the input, and what is said to be there now. */
const shownOf = (html: string, input: string): (string | undefined)[] => {
  const field = html
    .split('<div class="field')
    .find((each) => each.includes(` name="${input}"`) && each.includes('class="now"'));
  return [
    /<input [^>]*value="([^"]*)"/.exec(field ?? '')?.[1],
    /class="now"[^>]*>([^<]*)/.exec(field ?? '')?.[1]?.trim(),
  ];
};

it.each(Object.entries(FORMS))(
  '%s: who saves last is shown both values, and whose is kept is theirs to say',
  async (_, open) => {
    const { browser } = await signedIn(commerce);
    const { path, action, input, values, fields } = await open(browser);
    const [to = ''] = path.split('?');
    const [first, second] = values;
    const mine = hiddenFor((await browser.get(path)).text, to, action);
    await browser.get(path);
    expect((await browser.post(to, { ...fields, action, [input]: first })).status).toBe(303);

    const late = await browser.send(to, { ...mine, ...fields, [input]: second });
    expect([late.status, shownOf(late.text, input)]).toEqual([409, [second, expect.stringContaining(first)]]);
    const kept = await browser.get(path);
    expect([kept.text.includes(`"${first}"`), kept.text.includes(`"${second}"`)]).toEqual([true, false]);

    const again = { ...hiddenFor(late.text, to, action), ...fields, [input]: second };
    expect((await browser.send(to, again)).status).toBe(303);
    expect((await browser.get(path)).text).toContain(`"${second}"`);
  },
);
