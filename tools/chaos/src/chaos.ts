import { setMaxListeners } from 'node:events';
import { runAds } from './ads/ads';
import { adsPlanFrom } from './ads/plan';
import { campaignPlanFrom, runCampaign } from './campaign';
import { migrationsPlanFrom, runMigrations } from './migrations';
import { moneyPlanFrom } from './money/plan';
import { runMoney } from './money/money';
import { planFrom } from './plan';
import { replicaPlanFrom } from './replica-plan';
import { runReplicas } from './replicas';
import { rolloutPlanFrom, runRollout } from './rollout';
import { runChaos } from './run';
import type { Findings } from './verdict';

const SHOWN = 20;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Scene {
  readonly summary: string;
  readonly options: string;
  readonly run: (args: readonly string[], signal: AbortSignal) => Promise<Findings>;
  /** Printed when no promise was broken. */
  readonly kept: string;
}

const rampage: Scene = {
  summary: 'chat-backend and wa-gateway are killed again and again while customers and agents write (90 s)',
  options: '--messages --chats --replies --kills --seconds --seed --patienceSeconds',
  kept: 'Every message arrived exactly once and in order.',
  run: (args, signal) => {
    const plan = planFrom(args);
    say(
      `${plan.messages} messages and ${plan.replies} answers over ${plan.chats} chats in ${plan.seconds} s; ` +
        `chat-backend and wa-gateway are killed ${plan.kills} times each (seed ${plan.seed})`,
    );
    return runChaos(plan, say, signal);
  },
};

const campaign: Scene = {
  summary: 'chat-backend is killed during a campaign to 10,000 numbers',
  options: '--recipients --kills --seed --lease --patienceSeconds',
  kept: 'Every number got the message exactly once.',
  run: (args, signal) => {
    const plan = campaignPlanFrom(args);
    say(`A campaign to ${plan.recipients} numbers; chat-backend is killed ${plan.kills} times (seed ${plan.seed})`);
    return runCampaign(plan, say, signal);
  },
};

const replicas: Scene = {
  summary:
    'two processes each of wa-gateway, chat-backend, bot-engine and commerce-api behind nginx lose one each, while people write, order and pay\n' +
    '            (3 min; needs nginx, redis-server). --hang=40: each hangs for 40 s instead (SIGSTOP) and goes on; --redis=2: Redis is killed twice;\n' +
    '            --pooled=1: through the PgBouncer that PGBOUNCER names, in transaction mode',
  options: '--messages --clients --orders --seconds --kills --hang --redis --pooled --seed --patienceSeconds',
  kept: 'Every message arrived exactly once and in order, and every client saw it; every order was placed, paid and told once.',
  run: (args, signal) => {
    const plan = replicaPlanFrom(args);
    const { messages, clients, orders, seconds, kills, hang, redis, pooled, seed } = plan;
    say(
      `${messages} messages both ways over ${clients} chats and ${orders} orders in ${seconds} s, ${clients} clients with a socket; ` +
        `wa-gateway, chat-backend, bot-engine and commerce-api ${hang ? `have one of two processes each hang for ${hang} s` : 'lose one of two processes each'}` +
        `${kills > 1 ? `, ${kills} times` : ''}${redis ? `; Redis ${hang ? 'hangs' : 'is killed'} ${redis} times` : ''}${pooled ? '; through PgBouncer' : ''} (seed ${seed})`,
    );
    return runReplicas(plan, say, signal);
  },
};

const rollout: Scene = {
  summary: 'a build with an expand migration rolls out behind nginx and back again (3 min; needs nginx, redis-server)',
  options: '--messages --clients --seconds --seed --patienceSeconds',
  kept: 'No call failed, and every message arrived exactly once and in order.',
  run: (args, signal) => {
    const plan = rolloutPlanFrom(args);
    say(
      `${plan.messages} messages both ways over ${plan.clients} chats in ${plan.seconds} s; wa-gateway, chat-backend, ` +
        `bot-engine and commerce-api roll to the next release and back (seed ${plan.seed})`,
    );
    return runRollout(plan, say, signal);
  },
};

const migrations: Scene = {
  summary: 'the migrations of this release run on ten million messages during writes (about 30 min, 10 GB)',
  options: '--messages --stall',
  kept: 'No write waited too long.',
  run: (args) => runMigrations(migrationsPlanFrom(args), say),
};

const money: Scene = {
  summary: 'commerce-api and PostgreSQL are killed while 2,000 orders are paid at three providers (2 min)',
  options: '--orders --kills --seconds --seed --patienceSeconds',
  kept: 'What the providers took is in the ledger, to the rupiah, and orders, receipts and stock agree.',
  run: (args, signal) => {
    const plan = moneyPlanFrom(args);
    say(
      `${plan.orders} orders in ${plan.seconds} s; commerce-api and PostgreSQL are killed ${plan.kills} times each (seed ${plan.seed})`,
    );
    return runMoney(plan, say, signal);
  },
};

const ads: Scene = {
  summary: 'two processes of ads-api are killed in turn while 2,000 changes of spend caps are made (2 min)',
  options: '--changes --accounts --kills --faults --seconds --seed --patienceSeconds',
  kept: 'Every change under a key was made once and answered, none was made twice, and ledger and network have the same caps.',
  run: (args, signal) => {
    const plan = adsPlanFrom(args);
    say(
      `${plan.changes} changes of ${plan.accounts} spend caps in ${plan.seconds} s; two processes of ads-api are killed ` +
        `${plan.kills} times in all, and the ad network breaks off ${plan.faults} writes (seed ${plan.seed})`,
    );
    return runAds(plan, say, signal);
  },
};

const SCENES: Readonly<Record<string, Scene>> = { rampage, campaign, replicas, rollout, migrations, money, ads };
const HELP: ReadonlySet<string | undefined> = new Set(['help', '--help', '-h']);

const usage = (): string =>
  [
    'usage: npm run chaos -- [scene] [--option=<number> ...]',
    ...Object.entries(SCENES).map(
      ([name, { summary, options }]) => `\n  ${name.padEnd(9)} ${summary}\n            ${options}`,
    ),
    '\nWithout a scene: rampage. Ctrl-C ends every process. The exit code is 1 when a promise was broken.',
  ].join('\n');

const main = async (args: readonly string[]): Promise<void> => {
  if (args.some((arg) => HELP.has(arg))) return say(usage());
  const abort = new AbortController();
  setMaxListeners(0, abort.signal); // every wait listens to it
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => abort.abort());
  const [name = 'rampage', ...rest] = args[0]?.startsWith('--') ? ['rampage', ...args] : args;
  const scene = SCENES[name];
  if (!scene) throw new Error(`"${name}" is no scene.\n\n${usage()}`);
  const findings = await scene.run(rest, abort.signal);
  if (findings.length === 0) return say(scene.kept);
  say(`${findings.length} promises were broken:`);
  for (const finding of findings.slice(0, SHOWN)) say(`  ${finding}`);
  process.exitCode = 1;
};

/** With what lies behind it. */
const told = (failure: unknown): string =>
  failure instanceof Error
    ? `${failure.message}${failure.cause === undefined ? '' : ` (${told(failure.cause)})`}`
    : String(failure);

main(process.argv.slice(2)).catch((failure: unknown) => {
  const ended = failure instanceof Error && failure.name === 'AbortError';
  process.stderr.write(ended ? 'Interrupted.\n' : `${told(failure)}\n`);
  process.exitCode = 1;
});
