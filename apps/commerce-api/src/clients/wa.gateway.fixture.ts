import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caller, runProgramCommand, startProgram, testDatabase } from '@platform/testing';

const main = 'apps/wa-gateway/src/main.ts';

/** wa-gateway itself, as a process with a database of its own; its phones are simulated. */
export const startRealGateway = async (webhookUrl = 'http://127.0.0.1:1/v1') => {
  const database = await testDatabase({ schema: 'wa_gateway', migrations: [] });
  const files = await mkdtemp(join(tmpdir(), 'gateway-files-'));
  const env = {
    ...{ APP_ENV: 'test', HOST: '127.0.0.1', PORT: '0', WA_ENGINE: 'simulator', FILES_DIR: files },
    ...{ WEBHOOK_URL: webhookUrl, CONNECT_JITTER: '0s', SEND_RATE: '0', SEND_RATE_REPLY: '0', ...database.settings },
  };
  const migrated = await runProgramCommand({ main, args: ['migrate'], env });
  if (migrated.code !== 0) throw new Error(migrated.output);
  const program = await startProgram({ main, env });
  return {
    url: program.url,
    /** The phone of this number scans the code that the device shows. */
    scan: async (instanceID: string, nohp: string): Promise<void> => {
      const { status, body } = await caller(program.url)('/sim/scan', { method: 'POST', body: { instanceID, nohp } });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    /** Its devices and their states. */
    sessions: (instance: string) =>
      database.query<{ instance_id: string; status: string }>(
        'SELECT instance_id, status FROM wa_gateway.device WHERE instance_id = $1',
        [instance],
      ),
    stop: async () => {
      await program.stop();
      await database.stop?.();
      await rm(files, { recursive: true, force: true });
    },
  };
};
