import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTokenIssuer } from '@platform/bench/token-issuer';
import { openDatabase, type Database } from '@platform/data';
import { freePort } from '@platform/postgres';
import { silentLogger } from '@platform/runtime';
import { startCampaignGateway, type CampaignGateway } from './campaign-gateway';
import { DEVICE, settingsOf, SHOP, startDatabase, TEAM, type Undo } from './chaos-stack';
import { numbersFrom, randomFrom } from './plan';
import type { Findings } from './verdict';
import { Victim } from './victim';

export interface CampaignPlan {
  readonly recipients: number;
  /** How often chat-backend is killed during the campaign, at random points. */
  readonly kills: number;
  readonly seed: number;
  /** Seconds after which a successor sends the message of a dead process again. */
  readonly lease: number;
  readonly patienceSeconds: number;
}

const USUAL: CampaignPlan = { recipients: 10_000, kills: 5, seed: 1, lease: 3, patienceSeconds: 900 };

/** `--recipients=1000 --kills=10` */
export const campaignPlanFrom = (args: readonly string[]): CampaignPlan => numbersFrom(USUAL, args);

interface CampaignStack {
  readonly chat: Victim;
  readonly gateway: CampaignGateway;
  readonly database: Database;
  readonly signal: AbortSignal;
}

const LOOK_MS = 50;
const numberOf = (n: number): string => `62813${String(n).padStart(8, '0')}`;

const startStack = async (plan: CampaignPlan, undo: Undo[], signal: AbortSignal): Promise<CampaignStack> => {
  const { url, databases } = await startDatabase(undo);
  const folder = mkdtempSync(join(tmpdir(), 'platform-campaign-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const chatUrl = `http://127.0.0.1:${port}`;
  const gateway = await startCampaignGateway(chatUrl);
  undo.push(() => gateway.stop());
  const issuer = await startTokenIssuer();
  undo.push(() => issuer.stop());
  const { chat: usual } = settingsOf({ chat: chatUrl, gateway: gateway.url, issuer: issuer.url, databases }, folder);
  const settings = { ...usual, OUTBOX_LEASE_S: String(plan.lease) };
  const chat = new Victim({ name: 'chat-backend', port, settings, log: join(folder, 'chat.log') });
  await chat.command('migrate');
  await chat.command('seed', JSON.stringify(SHOP));
  undo.push(() => chat.kill());
  await chat.start();
  const database = openDatabase({ url, schema: 'public', poolSize: 2, logger: silentLogger });
  undo.push(() => database.stop?.());
  return { chat, gateway, database, signal };
};

const begin = async ({ chat }: CampaignStack, recipients: number): Promise<void> => {
  const penerima = Array.from({ length: recipients }, (_, n) => ({ nohp: numberOf(n), params: { n } }));
  const campaign = { instance: DEVICE, team: TEAM, nama: 'Chaos', pesan: 'Promo {{n}}', penerima };
  const answer = await fetch(`${chat.url}/v1/send_broadcast_crm`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(campaign),
  });
  const { result, message } = (await answer.json()) as { result?: boolean; message?: string };
  if (result !== true) throw new Error(`chat-backend refused the campaign: ${message}`);
};

/** Kills the service each time a random part of the numbers has got its message, and restarts it. */
const torment = async (stack: CampaignStack, plan: CampaignPlan, say: (text: string) => void): Promise<void> => {
  const random = randomFrom(plan.seed);
  for (let kill = 0; kill < plan.kills; kill++) {
    const place = Math.floor(((kill + 0.1 + 0.8 * random()) / plan.kills) * plan.recipients);
    while (stack.gateway.ledger.taken.size < place) await pause(LOOK_MS, undefined, stack);
    await stack.chat.kill();
    say(`killed after ${stack.gateway.ledger.taken.size} messages`);
    await stack.chat.start();
  }
};

interface Ledger {
  readonly status: string;
  readonly valid: number;
  readonly terkirim: number;
  readonly delivered: number;
  readonly gagal: number;
  /** Recipients in state sent, counted from the rows. */
  readonly rows: number;
  readonly messages: number;
}

const LEDGER = `SELECT b.status, b.valid, b.terkirim, b.delivered, b.gagal,
    (SELECT count(*)::int FROM chat_backend.broadcast_recipients r WHERE r.broadcast_id = b.id AND r.status = 2) AS rows,
    (SELECT count(*)::int FROM chat_backend.messages m WHERE m.broadcast_id = b.id::text) AS messages
  FROM chat_backend.broadcasts b`;

/** Waits until the campaign is done and every acknowledgement is taken, or until patience ends. */
const settled = async (
  { database, gateway, signal }: CampaignStack,
  { patienceSeconds }: CampaignPlan,
): Promise<void> => {
  const end = Date.now() + patienceSeconds * 1000;
  while (Date.now() < end) {
    const [row] = await database.query<{ status: string }>('SELECT status FROM chat_backend.broadcasts');
    if (row?.status === 'done' && gateway.ledger.owed === 0) return;
    await pause(100, undefined, { signal });
  }
};

const verdictOf = async ({ database, gateway }: CampaignStack, recipients: number): Promise<Findings> => {
  const numbers = Array.from({ length: recipients }, (_, n) => numberOf(n));
  const lost = numbers.filter((number) => !gateway.ledger.taken.has(number));
  const twice = numbers.filter((number) => (gateway.ledger.taken.get(number)?.size ?? 0) > 1);
  const [ledger] = await database.query<Ledger>(LEDGER);
  const all = recipients;
  const wanted: Ledger = {
    status: 'done',
    valid: all,
    terkirim: all,
    delivered: all,
    gagal: 0,
    rows: all,
    messages: all,
  };
  const wrong = Object.entries(wanted).filter(([name, value]) => ledger?.[name as keyof Ledger] !== value);
  return [
    ...(lost.length > 0 ? [`${lost.length} numbers got nothing, the first is ${lost[0]}`] : []),
    ...(twice.length > 0 ? [`${twice.length} numbers got two messages, the first is ${twice[0]}`] : []),
    ...(gateway.ledger.taken.size > recipients
      ? [`${gateway.ledger.taken.size - recipients} numbers are not recipients`]
      : []),
    ...wrong.map(([name, value]) => `${name} is ${ledger?.[name as keyof Ledger]} instead of ${value}`),
  ];
};

/**
 * Runs a campaign through the real chat-backend, which is killed with kill -9 meanwhile, and a fake gateway that counts.
 * Resolves with numbers that were not reached or reached twice, and with wrong counters.
 */
export const runCampaign = async (
  plan: CampaignPlan,
  say: (text: string) => void,
  signal = new AbortController().signal,
): Promise<Findings> => {
  const undo: Undo[] = [];
  try {
    const stack = await startStack(plan, undo, signal);
    const begun = Date.now();
    await begin(stack, plan.recipients);
    say(`${plan.recipients} recipients accepted in ${Date.now() - begun} ms`);
    await torment(stack, plan, say);
    await settled(stack, plan);
    const seconds = (Date.now() - begun) / 1000;
    const rate = Math.round(plan.recipients / seconds);
    say(
      `${seconds.toFixed(1)} s, ${rate} recipients per second, kills included; ${stack.gateway.ledger.repeated} calls repeated`,
    );
    return await verdictOf(stack, plan.recipients);
  } finally {
    for (const step of undo.reverse()) await step();
  }
};
