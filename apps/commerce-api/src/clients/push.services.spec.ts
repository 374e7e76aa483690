import { createECDH } from 'node:crypto';
import { useRunning } from '@platform/testing';
import { startPushSandbox, type PushSandbox } from '@platform/testing/push';
import { topicOf, webPushServices } from './push.services';
import { publicKeyOf } from './push.settings';

const privateKey = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
const vapid = { privateKey, publicKey: publicKeyOf(privateKey) ?? '', subject: 'mailto:a@toko.example' };
const sandbox: PushSandbox = useRunning(async () => {
  const started = await startPushSandbox({ port: 0 });
  return Object.assign(started, { stop: () => started.close() });
});
const message = { text: '{"title":"Budi"}', topic: topicOf('S1', 'C1'), urgent: true };
const never = new AbortController().signal;
const allowed = () => ({ allow: [new URL(sandbox.url).host] });

it('a browser that takes the key of ours alone takes what we sign', async () => {
  const { id, endpoint, keys } = sandbox.browser(vapid.publicKey);
  expect(await webPushServices(vapid, allowed()).send({ endpoint, ...keys }, message, never)).toEqual({
    ...{ kind: 'taken', status: 201 },
  });
  expect(sandbox.shown(id)).toMatchObject([{ text: message.text, topic: message.topic, urgency: 'high' }]);
});

it.each([
  ['gone', { kind: 'gone', status: 410 }],
  ['busy', { kind: 'later', status: 429, afterSeconds: 1 }],
  ['error', { kind: 'later', status: 503 }],
  ['redirect', { kind: 'refused', status: 307 }],
] as const)('a push service that is told to be %s means %j', async (fault, outcome) => {
  const { id, endpoint, keys } = sandbox.browser();
  sandbox.fault(fault, id);
  expect(await webPushServices(vapid, allowed()).send({ endpoint, ...keys }, message, never)).toEqual(outcome);
});

it('a name that leads into a private network, or nowhere, is not reached, and no reason to forget the browser', async () => {
  const { keys } = sandbox.browser();
  const endpoint = `https://push.example/${'x'.repeat(8)}`;
  for (const names of [[], ['127.0.0.1'], ['10.0.0.1']]) {
    const services = webPushServices(vapid, { namesOf: () => Promise.resolve(names) });
    expect(await services.send({ endpoint, ...keys }, message, never)).toEqual({ kind: 'later' });
  }
});

it('a message to another browser is not read by this one', async () => {
  const { endpoint } = sandbox.browser();
  const other = createECDH('prime256v1');
  const keys = { p256dh: other.generateKeys('base64url'), auth: Buffer.alloc(16).toString('base64url') };
  expect(await webPushServices(vapid, allowed()).send({ endpoint, ...keys }, message, never)).toEqual({
    ...{ kind: 'refused', status: 400 },
  });
});

it('a topic tells nobody what it is about', () => {
  expect(topicOf('S1', 'C1')).toMatch(/^[\w-]{32}$/);
  expect(new Set([topicOf('S1', 'C1'), topicOf('S1C', '1'), topicOf('S1', 'C2')]).size).toBe(3);
});
