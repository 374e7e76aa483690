import type { Device } from '../registry/public';
import type { DeviceLine } from './device-line';
import { ReadyDevices } from './ready-devices';

it.each([false, true])(
  'a send whose device goes to another process while it is accepted is called there (bulk: %s)',
  async (isBulk) => {
    const device = { instanceId: 'dev1', engine: 'simulator', status: 'connected' } as Device;
    const told: string[] = [];
    const line = {
      engine: { info: () => ({ linked: true }) },
      outgoing: { size: 0 },
      accepted: async ({ id }: { id: string }) => void told.push(`queued ${id}`),
      campaigns: { wake: () => told.push('lane') },
    } as unknown as DeviceLine;
    let running: DeviceLine | undefined = line;
    const ready = new ReadyDevices({
      devices: { resolve: async () => device },
      fleet: { line: async () => line, running: () => running, supports: () => true },
      messages: { isCrowded: async () => false },
      calls: { call: async (...call) => void told.push(call.join(' ')) },
    });
    const { handOver } = await ready.outlet({});
    const message = { id: 'A', chat: '628123456789@s.whatsapp.net', isReply: true };
    await handOver(message, isBulk);
    running = undefined;
    await handOver(message, isBulk);
    expect(told).toEqual([isBulk ? 'lane' : 'queued A', 'dev1 A']);
  },
);
