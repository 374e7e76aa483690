import { planFrom } from './plan';
import { runChaos } from './run';

const SHOWN = 20;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const main = async (args: readonly string[]): Promise<void> => {
  const plan = planFrom(args);
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  say(
    `${plan.messages} messages and ${plan.replies} answers over ${plan.chats} chats in ${plan.seconds} s; ` +
      `chat-backend and wa-gateway are killed ${plan.kills} times each (seed ${plan.seed})`,
  );
  const findings = await runChaos(plan, say, abort.signal);
  if (findings.length === 0) return say('Every message arrived exactly once and in order.');
  say(`${findings.length} promises were broken:`);
  for (const finding of findings.slice(0, SHOWN)) say(`  ${finding}`);
  process.exitCode = 1;
};

main(process.argv.slice(2)).catch((failure: unknown) => {
  const ended = failure instanceof Error && failure.name === 'AbortError';
  const text = failure instanceof Error ? failure.message : String(failure);
  process.stderr.write(ended ? 'Ended before its time.\n' : `${text}\n`);
  process.exitCode = 1;
});
