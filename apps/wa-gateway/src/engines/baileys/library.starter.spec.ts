import { startService } from '@platform/http';
import { loadConfig, silentLogger } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { createApp } from '../../app';
import { settings } from '../../config';
import { gatewayEnvironment, gatewayTables } from '../../gateway.fixture';
import { loadLibrary } from './baileys.library';

jest.mock('./baileys.library', () => ({
  isInstalled: () => true,
  loadLibrary: jest.fn(() => Promise.reject(new Error('libsignal is missing'))),
}));

const database = useDatabase(gatewayTables);
afterEach(() => jest.mocked(loadLibrary).mockClear());

/** How often the library was loaded when the gateway was ready; its devices wait for longer before they begin. */
const loadedWhenReady = async (): Promise<number> => {
  const environment = { ...gatewayEnvironment(database.url, 'http://127.0.0.1:9'), CONNECT_JITTER: '1h' };
  const app = createApp(loadConfig(settings, environment), { logger: silentLogger });
  const running = await startService(app.service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  const times = jest.mocked(loadLibrary).mock.calls.length;
  const ready = await fetch(`${running.url}/ready`);
  await running.stop();
  expect(await ready.json()).toEqual({ ready: true });
  return times;
};

describe('a gateway is ready', () => {
  it('without the client library when no device is on it', async () => {
    expect(await loadedWhenReady()).toBe(0);
  });

  it('after it has loaded the client library of its devices, also when that failed', async () => {
    await database.query(
      `INSERT INTO device (instance_id, engine, webhook_url, status) VALUES ('dev1', 'baileys', 'http://127.0.0.1:9', 'connected')`,
    );
    expect(await loadedWhenReady()).toBe(1);
  });
});
