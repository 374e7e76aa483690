import { environment } from '@platform/runtime';
import { startPushSandbox } from './server';

const main = async (): Promise<void> => {
  const sandbox = await startPushSandbox({ port: Number(environment.PORT ?? 3100), appEnv: environment.APP_ENV });
  console.log(`SANDBOX push service on ${sandbox.url}; ${sandbox.url}/__sandbox/messages shows what it decrypted.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
