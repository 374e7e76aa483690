// `npm run eval`: plays golden dialogues with the bot of the running platform, before an edited prompt meets customers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serviceTokens } from '@platform/auth';
import { environment } from '@platform/runtime';
import { loadSecrets } from '@platform/stack/secrets';
import { requireStackFile } from '@platform/stack/stack-file';
import { dataFolder } from '@platform/stack/workspace';
import { goldenCases } from './dialogues';
import { evaluate, report, type Ask } from './evaluation';

const USAGE = `usage: npm run -s eval -- [dialogues.yaml] [--agent <id>] [--prompt <file>] [--model <name>] [--repeat <1..5>]
Without arguments the dialogues of the demo shop are played with its agent, prompt and model.`;
const DEMO_AGENT = 'A1';

const options = {
  agent: { type: 'string', default: DEMO_AGENT },
  prompt: { type: 'string' },
  model: { type: 'string' },
  repeat: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The internal routes of the bot, in the name of commerce-api, for the demo shop. */
const openBot = (folder: string) => {
  const { services, demo } = requireStackFile(folder);
  const tokens = serviceTokens({
    storeAuthUrl: services['store-auth'] ?? '',
    clientId: 'commerce-api',
    clientSecret: loadSecrets(folder)['client commerce-api'],
  });
  const ask: Ask = async (method, path, body) => {
    const token = await tokens.for('bot-engine');
    const answer = await fetch(`${services['bot-engine']}/internal${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-store-id': demo.store_id, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Awaited<ReturnType<Ask>>['body'] };
  };
  return { ask, close: () => tokens.stop?.() };
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return console.log(USAGE);
  if (positionals.length > 1) throw new Error(USAGE);
  const [file = join(__dirname, '../dialogues/demo-shop.yaml')] = positionals;
  const cases = goldenCases(readFileSync(file, 'utf8'), values.agent);
  const wish = {
    ...(values.prompt === undefined ? {} : { prompt: readFileSync(values.prompt, 'utf8') }),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.repeat === undefined ? {} : { repeat: Number(values.repeat) }),
  };
  const bot = openBot(dataFolder(environment));
  try {
    const played = await evaluate(bot.ask, cases, wish, pause);
    console.log(report(played));
    if (played.status !== 'done' || played.passed < played.total) process.exitCode = 1;
  } finally {
    await bot.close();
  }
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
