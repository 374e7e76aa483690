import type { MigrationClass } from '@platform/data';
import { campaignPlanFrom } from './campaign';
import { migrationsPlanFrom } from './migrations';
import { killsOf, planFrom } from './plan';
import { plant, PLANTED } from './planted';
import { programsOn } from './programs';
import { chatsOf, replicaPlanFrom } from './replica-plan';
import { runOf } from './replica-verdict';
import { rolloutPlanFrom } from './rollout';
import { runChaos } from './run';
import { compare } from './verdict';

describe('the plan of a chaos run', () => {
  it('accepts whole numbers from 1 for known options and refuses everything else', () => {
    expect(planFrom(['--messages=10', '--seed=7'])).toMatchObject({ messages: 10, seed: 7 });
    for (const wrong of ['--mesages=1', '--kills=0', '--kills=x', 'kills=1'])
      expect(() => planFrom([wrong])).toThrow(`"${wrong}" is no option`);
  });

  it('has its own options for a campaign', () => {
    expect(campaignPlanFrom(['--recipients=10'])).toMatchObject({ recipients: 10, kills: 5 });
    expect(() => campaignPlanFrom(['--messages=10'])).toThrow('use --recipients=<number> --kills=<number>');
  });

  it('has its own options for migrations and for a roll-out', () => {
    expect(migrationsPlanFrom(['--messages=1000'])).toEqual({ messages: 1_000, stall: 1_000 });
    expect(rolloutPlanFrom(['--seconds=60'])).toMatchObject({ messages: 1_000, clients: 50, seconds: 60 });
  });

  it('kills in a run of replicas unless it is told that they hang', () => {
    expect(replicaPlanFrom([])).toMatchObject({ orders: 60, hang: 0, redis: 0, pooled: 0 });
    expect(replicaPlanFrom(['--hang=40', '--redis=2', '--pooled=1'])).toMatchObject({ hang: 40, redis: 2, pooled: 1 });
  });

  it('gives the bot a tenth of the chats of a replicas run, at no more than its rate limit, and agents the rest', () => {
    const chats = chatsOf(replicaPlanFrom(['--messages=200', '--clients=10', '--seconds=20']), 'dev1', 4);
    expect(chats.map(({ answeredBy, turns }) => `${answeredBy} ${turns}`)).toEqual([
      ...Array<string>(9).fill('agent 11'),
      'bot 2',
    ]);
    expect(new Set(chats.map(({ phone }) => phone)).size).toBe(10);
  });

  it('kills both services as often as configured, at the same moments for the same seed', () => {
    const plan = planFrom(['--kills=3', '--seconds=10', '--seed=5']);
    const kills = killsOf(plan);
    expect(kills).toEqual(killsOf(plan));
    expect(kills.filter(({ service }) => service === 'chat-backend')).toHaveLength(3);
    expect(kills.filter(({ service }) => service === 'wa-gateway')).toHaveLength(3);
    expect(kills.every(({ atMs }) => atMs >= 1_000 && atMs < 9_000)).toBe(true);
    expect(killsOf({ ...plan, seed: 6 })).not.toEqual(kills);
  });
});

it('a replicas run without nginx or Redis names the packages to install', () => {
  expect(() => programsOn('/nowhere')).toThrow('apt-get install nginx-light redis-server');
});

describe('the verdict of a chaos run', () => {
  it('reports lost, repeated and out-of-order messages', () => {
    const sent = ['a', 'b', 'c'];
    expect(compare('chat', ['a', 'b', 'c'], sent)).toEqual([]);
    expect(compare('chat', ['a', 'c'], sent)).toEqual(['chat: 1 lost, the first is "b"']);
    expect(compare('chat', ['a', 'b', 'b', 'c'], sent)).toEqual(['chat: 1 more than once, the first is "b"']);
    expect(compare('chat', ['b', 'a', 'c'], sent)).toEqual(['chat: not in the order in which they were sent']);
    expect(compare('chat', ['a', 'x', 'b', 'c'], sent)).toEqual(['chat: 1 that nobody sent, the first is "x"']);
  });
});

it('the bubbles and pictures of one answer of the bot are one answer', () => {
  const run = 'bot-01935a00-0000-7000-8000-000000000001';
  expect(new Set([`${run}-0`, `${run}-1`, `${run}-img-0`].map(runOf))).toEqual(new Set([run]));
});

describe('the planted release', () => {
  it('adds its migrations to the services that have planted ones, and to no other', () => {
    const sources = Object.fromEntries(
      ['chat-backend', 'wa-gateway', 'ads-api'].map((name) => [name, { migrations: [] as MigrationClass[] }]),
    );
    plant(Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, () => source])));
    expect(sources).toEqual({
      'chat-backend': { migrations: PLANTED['chat-backend'] },
      'wa-gateway': { migrations: PLANTED['wa-gateway'] },
      'ads-api': { migrations: [] },
    });
  });
});

describe('kill -9 under load', () => {
  it('loses no message, repeats none and keeps every chat in order', async () => {
    const plan = { messages: 300, chats: 30, replies: 60, kills: 2, seconds: 8, seed: 11, patienceSeconds: 90 };
    expect(await runChaos(plan, () => undefined)).toEqual([]);
  });
});
