import { uuidv7 } from '@platform/runtime';
import supertest from 'supertest';
import { newMember, newStore, type Commerce } from '../commerce.fixture';
import type { SystemRole } from '../roles';

type Fields = Readonly<Record<string, string>>;

const FORM = /<form\b[^>]*>.*?<\/form>/gs;
const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)"/g;

const hiddenIn = (form: string): Fields =>
  Object.fromEntries([...form.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, value]));

/** What the form of a page that posts there brings along: of several, the one of this action, else the first. */
export const hiddenFor = (html: string, path: string, action?: string): Fields => {
  const forms = [...html.matchAll(FORM)].map(([form]) => form).filter((form) => form.includes(` action="${path}"`));
  const all = forms.map(hiddenIn);
  // What is searched by has the same address, and counts for nothing; buyers' forms prove nothing
  const posted = all.filter((hidden) => hidden._csrf !== undefined || hidden._idem !== undefined);
  return posted.find((hidden) => hidden.action === action) ?? posted[0] ?? {};
};

/** Whose cookies: those of the service of the test. */
const OWN = { domain: '127.0.0.1', path: '/', secure: false, script: false };

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; SM-A546E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36';

/** What a browser without script does: it keeps cookies, follows nothing by itself, and sends the forms of the page it has. */
export const openBrowser = ({ url }: Pick<Commerce, 'url'>) => {
  const agent = supertest.agent(url);
  agent.set('user-agent', PHONE);
  let last = '';
  const shown = (answer: supertest.Response) => {
    last = answer.text ?? '';
    const { status, headers, text } = answer;
    return { status, text, location: headers.location as string | undefined, headers };
  };
  const own = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  return {
    get: async (path: string, headers: Fields = {}) =>
      shown(await agent.get(path).set({ accept: 'text/html', ...headers })),
    /** The form of the page that was shown last, with what it brings along. */
    post: async (path: string, fields: Fields, headers: Fields = own) => {
      const hidden = hiddenFor(last, path, fields.action);
      return shown(
        await agent
          .post(path)
          .set(headers)
          .type('form')
          .send({ ...hidden, ...fields }),
      );
    },
    /** The same with a file. */
    attach: async (path: string, fields: Fields, file: string | Buffer, name: string) => {
      const hidden = hiddenFor(last, path, fields.action);
      const request = agent
        .post(path)
        .set(own)
        .field({ ...hidden, ...fields });
      return shown(await request.attach('file', Buffer.from(file), name));
    },
    /** Exactly these fields. */
    send: async (path: string, fields: Fields, headers: Fields = own) =>
      shown(await agent.post(path).set(headers).type('form').send(fields)),
    /** What it sends to prove who it is. */
    cookies: () => agent.jar.getCookies(OWN as never).toValueString(),
    /** What the page's form that posts there brings along. */
    hidden: (path: string) => hiddenFor(last, path),
  };
};
export type Browser = ReturnType<typeof openBrowser>;

export const PASSWORD = 'a good passphrase';

/** A person with a role in a store, a new one unless given, who has not signed in yet. */
export const newPerson = async (commerce: Commerce, role: SystemRole = 'owner', storeId?: string) => {
  const id = uuidv7();
  const email = `${id}@toko-nusa.example`;
  const owner = { user_id: id, nama: 'Sari Dewi', email };
  const store = storeId ?? (await newStore(commerce, [], role === 'owner' ? owner : undefined));
  const { userId } = role === 'owner' ? { userId: id } : await newMember(commerce, store, role);
  const user = { password: PASSWORD, id: userId, nama: owner.nama, stores: [store] };
  commerce.storeAuth.users.set(email, user);
  return { storeId: store, userId, email, user };
};

/** The same, signed in. */
export const signedIn = async (commerce: Commerce, role: SystemRole = 'owner', storeId?: string) => {
  const person = await newPerson(commerce, role, storeId);
  const browser = openBrowser(commerce);
  await browser.get('/login');
  const answer = await browser.post('/login', { email: person.email, password: PASSWORD });
  return { ...person, browser, answer };
};
