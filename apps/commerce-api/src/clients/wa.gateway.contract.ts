import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import type { WaGateway } from './wa.gateway';

export interface WaGatewaySubject {
  readonly gateway: WaGateway;
  /** The phone of this number scans the code. */
  readonly scan: (instance: string, number: string) => Promise<void>;
}

/** What this service relies on at wa-gateway; runs on the fake and on the service itself with its simulator. */
export const waGatewayContract = (subjectOf: () => WaGatewaySubject): void => {
  const opened = async () => {
    const { gateway } = subjectOf();
    const instance = `dev-${uuidv7()}`;
    await gateway.open(instance, 'Toko');
    return { gateway, instance };
  };

  it('a device is made once, however often it is asked for', async () => {
    const { gateway, instance } = await opened();
    await gateway.open(instance, 'Toko');
    const found = await gateway.device(instance);
    expect(found).toMatchObject({ instanceID: instance, status: expect.any(String), number: null });
  });

  it('a device that waits for its phone has a code, and after the scan a number and none', async () => {
    const { gateway, instance } = await opened();
    const code = await until(() => gateway.pairingCode(instance), Boolean);
    expect(code).toMatchObject({
      ...{ qrcode: expect.stringMatching(/^data:image\/png;base64,/), attempt: expect.any(Number) },
      expired_at: expect.stringMatching(/^20\d\d-/),
    });
    const number = `62813${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
    await subjectOf().scan(instance, number);
    const linked = await until(
      () => gateway.device(instance),
      ({ status }) => status === 'connected',
    );
    expect(linked).toMatchObject({ instanceID: instance, number, connected_at: expect.any(String) });
    expect(await gateway.pairingCode(instance)).toBeUndefined();
    await expect(gateway.group(instance, '120363000000000001')).rejects.toBeInstanceOf(NotFound);
    await gateway.logout(instance);
    await gateway.logout(instance);
    expect((await gateway.device(instance)).status).toBe('logged_out');
  });

  it('a device that nobody has made is unknown to every call', async () => {
    const { gateway } = subjectOf();
    const calls = [() => gateway.device('nobody'), () => gateway.pairingCode('nobody'), () => gateway.logout('nobody')];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(NotFound);
  });
};
