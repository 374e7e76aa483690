import { campaignPlanFrom, runCampaign } from './campaign';
import { planFrom } from './plan';
import { runChaos } from './run';

const SHOWN = 20;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const rampage = (args: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
  const plan = planFrom(args);
  say(
    `${plan.messages} messages and ${plan.replies} answers over ${plan.chats} chats in ${plan.seconds} s; ` +
      `chat-backend and wa-gateway are killed ${plan.kills} times each (seed ${plan.seed})`,
  );
  return runChaos(plan, say, signal);
};

const campaign = (args: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
  const plan = campaignPlanFrom(args);
  say(`A campaign to ${plan.recipients} numbers; chat-backend is killed ${plan.kills} times (seed ${plan.seed})`);
  return runCampaign(plan, say, signal);
};

/** Without a name: the rampage. */
const main = async ([name, ...rest]: readonly string[]): Promise<void> => {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  const isCampaign = name === 'campaign';
  const findings = isCampaign
    ? await campaign(rest, abort.signal)
    : await rampage(name === undefined ? [] : [name, ...rest], abort.signal);
  if (findings.length === 0)
    return say(isCampaign ? 'Everybody got it, nobody twice.' : 'Every message arrived exactly once and in order.');
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
