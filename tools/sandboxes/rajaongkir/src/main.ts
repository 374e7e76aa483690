import { environment } from '@platform/runtime';
import { startRajaOngkirSandbox } from './server';

const main = async (): Promise<void> => {
  const { PORT = 3106, SHIP_A_KEY = '', APP_ENV: appEnv } = environment;
  const sandbox = await startRajaOngkirSandbox({
    port: Number(PORT),
    keys: SHIP_A_KEY.split(',').filter(Boolean),
    appEnv,
  });
  console.log(`SANDBOX RajaOngkir on ${sandbox.url}. No parcel is sent.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
