// A separate process, so that its CPU time is not counted as the servers'. It looks for the texts in what pages are told, and parses nothing.
import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import type { ScreensJob, ScreensResult } from './screens-load.types';

const AT_ONCE = 8;
const PATIENCE_MS = 20_000;
const PASSWORD = 'a good passphrase';
const LIST = '/chats?view=all';

type Headers = Readonly<Record<string, string>>;

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

/** Signs in as a person does, with the form of the page; what their browser sends from then on. */
const signedIn = async (desk: string, email: string, index: number): Promise<Headers> => {
  // Each of another address, of which only so many sign-ins are taken
  const from = { 'X-Forwarded-For': `203.0.${index >> 8}.${index & 255}`, Accept: 'text/html' };
  const page = await fetch(`${desk}/login`, { headers: from });
  const html = await page.text();
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value] as const));
  const answer = await fetch(`${desk}/login`, {
    ...{ method: 'POST', redirect: 'manual' },
    headers: { ...from, Cookie: cookiesOf(page), 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ ...fields, email, password: PASSWORD }),
  });
  if (answer.status !== 303) throw new Error(`${email} was not signed in: ${answer.status} ${await answer.text()}`);
  return { ...from, Cookie: cookiesOf(answer) };
};

/** Writes as a customer, by way of the device. */
const writer =
  ({ chat, device }: ScreensJob) =>
  async (number: string, text: string): Promise<void> => {
    const [instanceID, id] = [device, randomBytes(8).toString('hex')];
    const said = { instanceID, id, text, number: `${number}@s.whatsapp.net`, name: 'Budi' };
    const body = new URLSearchParams({ ...said, result: 'true', report: 'false', type: 'chat' });
    const answer = await fetch(`${chat}/v1/callback_message`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`a message was answered with ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };

/** The address of the chat of each customer, from the list that an agent sees. */
const chatsOf = async ({ desk }: ScreensJob, headers: Headers, marks: readonly string[]): Promise<string[]> => {
  const html = await (await fetch(desk + LIST, { headers })).text();
  const rows = html.split('<li ');
  return marks.map((mark) => {
    const [, path] = /href="(\/chats\/[^"?]+)/.exec(rows.find((row) => row.includes(mark)) ?? '') ?? [];
    if (path === undefined) throw new Error('a chat is not in the list of the agents');
    return `${path}?view=all`;
  });
};

type Seen = (text: string) => void;

const opened = (desk: string, path: string, headers: Headers, seen: Seen): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(
      desk + path,
      { headers: { ...headers, Accept: 'text/event-stream' }, agent: false },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`${path} was answered with ${answer.statusCode}`));
        let rest = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          const events = (rest + chunk).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events) seen(event);
        });
        resolve(answer);
      },
    );
    request.once('error', reject);
  });

const inWaves = async <T, R>(all: readonly T[], work: (each: T, index: number) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    done.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map((each, n) => work(each, from + n)))));
  return done;
};

/** Times from the request of each message to each sight of its text, told rows and bubbles apart. */
class Sights {
  readonly rows: number[] = [];
  readonly bubbles: number[] = [];
  private readonly sentAt = new Map<string, number>();

  constructor(private readonly run: string) {}

  textOf(index: number): string {
    const text = `${this.run}${String(index).padStart(5, '0')}`;
    this.sentAt.set(text, performance.now());
    return text;
  }

  /** One page counts each text once as a row, and once as a bubble. */
  page(): Seen {
    const known = new Set<string>();
    return (event) => {
      const at = event.indexOf(this.run);
      if (at < 0) return;
      const text = event.slice(at, at + this.run.length + 5);
      const isBubble = event.includes('bubble-text');
      const sentAt = this.sentAt.get(text);
      if (sentAt === undefined || known.has(`${text}${isBubble}`)) return;
      known.add(`${text}${isBubble}`);
      (isBubble ? this.bubbles : this.rows).push(performance.now() - sentAt);
    };
  }
}

const run = async (job: ScreensJob): Promise<ScreensResult> => {
  const { desk, emails, numbers, messages, perSecond } = job;
  const begun = performance.now();
  const write = writer(job);
  const mark = randomBytes(5).toString('hex');
  // Their chats are the first of the list
  const marks = numbers.map((_, n) => `${mark}first${n}.`);
  for (const [n, number] of numbers.entries()) await write(number, marks[n] ?? '');
  const agents = await inWaves(emails, (email, index) => signedIn(desk, email, index));
  const chats = await chatsOf(job, agents[0] ?? {}, marks);
  const sights = new Sights(randomBytes(5).toString('hex'));
  const pages = await inWaves(agents, (headers, n) =>
    opened(desk, chats[n % chats.length] ?? LIST, headers, sights.page()),
  );
  const openedIn = (performance.now() - begun) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const writing: Promise<void>[] = [];
  for (let index = 0; index < messages; index++) {
    writing.push(write(numbers[index % numbers.length] ?? '', sights.textOf(index)));
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
  await Promise.all(writing);
  const each = (index: number): number => agents.filter((_, n) => n % chats.length === index % chats.length).length;
  const bubbles = Array.from({ length: messages }, (_, index) => each(index)).reduce((sum, n) => sum + n, 0);
  const missing = (): number => messages * agents.length - sights.rows.length + (bubbles - sights.bubbles.length);
  for (const end = performance.now() + PATIENCE_MS; missing() > 0 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 20));
  for (const page of pages) page.destroy();
  return { opened: openedIn, rows: sights.rows, bubbles: sights.bubbles, missing: missing() };
};

process.once('message', (job: ScreensJob) => {
  void run(job).then((result) => process.send?.(result, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
