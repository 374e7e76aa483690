import { environment } from '@platform/runtime';
import { startMailSandbox } from './server';

const main = async (): Promise<void> => {
  if (environment.APP_ENV === 'production')
    throw new Error('The mail sandbox does not start with APP_ENV=production: set SMTP_URL to a real server.');
  const sandbox = await startMailSandbox({
    port: Number(environment.PORT ?? 3107),
    smtpPort: Number(environment.SMTP_PORT ?? 3025),
  });
  console.log(`SANDBOX mail server on ${sandbox.smtpUrl}; ${sandbox.url}/__sandbox/messages shows what it received.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
