import { createHmac } from 'node:crypto';
import { Unavailable } from '@platform/errors';
import { ServedElsewhere } from '../../elsewhere';
import { silentLogger } from '@platform/runtime';
import type { CloudAccounts } from '../../engines/cloud/cloud.account';
import { CloudEngine } from '../../engines/cloud/cloud.engine';
import type { Device } from '../registry/device.entity';
import type { Fleet } from '../devices/fleet';
import { CloudWebhookService } from './cloud-webhook.service';

const APP_SECRET = 'app secret of all devices';
const HOME = 'http://a';
const body = (...numbers: string[]) =>
  Buffer.from(
    JSON.stringify({
      entry: [{ changes: numbers.map((id) => ({ field: 'messages', value: { metadata: { phone_number_id: id } } })) }],
    }),
  );
const signed = (raw: Buffer) => `sha256=${createHmac('sha256', APP_SECRET).update(raw).digest('hex')}`;

/** The process at `HOME`; devices are named like their numbers and live where `homes` says. */
const serviceOf = (homes: Record<string, string>) => {
  const stored: string[] = [];
  const asked: (readonly string[])[] = [];
  const deviceOf = (id: string) =>
    ({ instanceId: id, cloudAccount: { phone_number_id: id, sealed: '' } }) as unknown as Device;
  const devices = {
    findByCloudNumbers: async (numbers: readonly string[]) => {
      asked.push(numbers);
      return numbers.filter((id) => homes[id]).map(deviceOf);
    },
    allOnCloud: async () => Object.keys(homes).map(deviceOf),
  };
  const otherwise = new Unavailable('starting', { code: 'UNAVAILABLE' });
  const line = async ({ instanceId }: Device) => {
    const baseUrl = homes[instanceId] ?? '';
    if (baseUrl !== HOME) throw new ServedElsewhere({ baseUrl, otherwise });
    const receive = async () => void stored.push(instanceId);
    return { engine: Object.assign(Object.create(CloudEngine.prototype) as CloudEngine, { receive }) };
  };
  const service = new CloudWebhookService({
    devices,
    accounts: { open: () => ({ appSecret: APP_SECRET }) } as unknown as CloudAccounts,
    fleet: { line } as unknown as Fleet,
    logger: silentLogger,
  });
  const receive = (raw: Buffer, passedOn?: boolean) =>
    service.receive(raw, signed(raw), passedOn).then(
      () => 'answered',
      (failure: unknown) => (failure instanceof ServedElsewhere ? failure.elsewhere.baseUrl : failure),
    );
  return { service, receive, stored, asked, otherwise };
};

describe('a webhook for several devices', () => {
  it('is stored here as far as it belongs here, and goes to the one process that has the rest', async () => {
    const { receive, stored } = serviceOf({ 1: 'http://b', 2: HOME, 3: 'http://b' });
    expect([await receive(body('1', '2', '3')), stored]).toEqual(['http://b', ['2']]);
  });

  it('is settled when the process that passed it on has the rest', async () => {
    const { receive, stored } = serviceOf({ 1: 'http://b', 2: HOME });
    expect([await receive(body('1', '2'), true), stored]).toEqual(['answered', ['2']]);
  });

  it('is not settled when its device has moved meanwhile', async () => {
    const { receive } = serviceOf({ 1: 'http://b' });
    expect(await receive(body('1', 'nobody'), true)).toBe('http://b');
  });

  it('is left to a repetition when several processes have the rest', async () => {
    const { receive, stored, otherwise } = serviceOf({ 1: 'http://b', 2: HOME, 3: 'http://c' });
    expect([await receive(body('1', '2', '3')), stored]).toEqual([otherwise, ['2']]);
  });
});

it('names of numbers are looked up together, before and whether or not the signature is right', async () => {
  const { service, asked } = serviceOf({ 1: HOME });
  const numbers = Array.from({ length: 1_000 }, (_, n) => String(n));
  await expect(service.receive(body(...numbers), 'sha256=00')).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(asked).toEqual([numbers]);
});
