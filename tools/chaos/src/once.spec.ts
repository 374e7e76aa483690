import { startProgram, testDatabase, type RunningProgram, type TestDatabase } from '@platform/testing';
import { chargeSchema, CreateCharges1760000000000 } from './charge.schema';

/** The test ends when kills have left so many requests without an answer. */
const INTERRUPTED = 50;
const AT_ONCE = 12;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
}

let database: TestDatabase;
const running = new Set<RunningProgram>();

beforeAll(async () => {
  database = await testDatabase({ schema: chargeSchema, migrations: [CreateCharges1760000000000] });
});
afterAll(async () => {
  await Promise.all([...running].map((program) => program.stop('SIGKILL')));
  await database.stop?.();
});

const startCharges = async (): Promise<RunningProgram> => {
  const program = await startProgram({
    main: 'tools/chaos/src/charge.child.ts',
    env: { APP_ENV: 'test', HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url },
  });
  running.add(program);
  return program;
};

const kill = async (program: RunningProgram): Promise<void> => {
  running.delete(program);
  await program.stop('SIGKILL');
};

/** Undefined: the service was killed before it answered. Half of the keys are answered by a redirect. */
const pay = async ({ url }: RunningProgram, key: number): Promise<Answer | undefined> => {
  try {
    const response = await fetch(`${url}${key % 2 ? '/pay' : '/pay/page'}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'idempotency-key': `key-${key}` },
      body: JSON.stringify({ reference: `r${key}`, amount: key }),
    });
    return { status: response.status, body: await response.text(), location: response.headers.get('location') };
  } catch {
    return undefined;
  }
};

/** The final answer: repeats the request while the first attempt is still running. */
const settle = async (program: RunningProgram, key: number): Promise<Answer> => {
  for (;;) {
    const answer = await pay(program, key);
    if (answer && answer.status !== 409) return answer;
  }
};

const charges = () =>
  database.query<{ reference: string; id: string; notices: number }>(
    `SELECT c.reference, c.id, count(n)::int AS notices FROM charge c LEFT JOIN notice n ON n.charge_id = c.id
     GROUP BY c.reference, c.id`,
  );

/** Id of the charge that the answer names. */
const chargedBy = ({ body, location }: Answer): string =>
  location ? location.replace('/receipts/', '') : (JSON.parse(body) as { id: string }).id;

it('an Idempotency-Key is charged once, with one answer, however often the service is killed', async () => {
  const answers = new Map<number, Answer>();
  let service = await startCharges();
  let next = startCharges();
  let interrupted = 0;
  for (let key = 0; interrupted < INTERRUPTED; key += AT_ONCE) {
    const keys = Array.from({ length: AT_ONCE }, (_, index) => key + index);
    const attempts = keys.map((each) => pay(service, each));
    await Promise.race([Promise.any(attempts), new Promise((resolve) => setTimeout(resolve, Math.random() * 60))]);
    await kill(service);
    const first = await Promise.all(attempts);
    interrupted += first.filter((answer) => !answer).length;
    service = await next;
    next = startCharges();
    for (const [index, each] of keys.entries()) {
      const again = await settle(service, each);
      expect(first[index] ?? again).toEqual(again);
      answers.set(each, again);
    }
  }
  await next;
  const rows = await charges();
  expect(rows.map(({ reference, id, notices }) => [reference, id, notices]).sort()).toEqual(
    [...answers].map(([key, answer]) => [`r${key}`, chargedBy(answer), 1]).sort(),
  );
});

it('an Idempotency-Key is charged once when two processes receive it concurrently', async () => {
  const [one, other] = await Promise.all([startCharges(), startCharges()]);
  const before = (await charges()).length;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => settle(index % 2 ? one : other, 1_000_001)),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect((await charges()).length).toBe(before + 1);
});
