import { environment } from '@platform/runtime';
import type { RunningTill, TillOptions } from './server';

/**
 * Runs a till as a program. PORT, SANDBOX_STATE (a file), SANDBOX_MINUTE_MS (what its ladder of retries calls a minute); `--help`
 * prints the text.
 */
export const runTill = (
  name: string,
  usual: { readonly port: number; readonly help: string },
  start: (options: TillOptions) => Promise<RunningTill>,
): void => {
  const main = async (): Promise<void> => {
    if (process.argv.includes('--help')) return console.log(usual.help);
    const { PORT, SANDBOX_STATE, SANDBOX_MINUTE_MS, APP_ENV } = environment;
    const { url, till, close } = await start({
      port: Number(PORT ?? usual.port),
      stateFile: SANDBOX_STATE ?? `.data/sandboxes/${name.toLowerCase()}.jsonl`,
      minuteMs: Number(SANDBOX_MINUTE_MS ?? 60_000),
      appEnv: APP_ENV,
    });
    console.log(`SANDBOX ${name} on ${url}, ${till.payments().length} payments kept. Nothing is charged here.`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
  };
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
};
