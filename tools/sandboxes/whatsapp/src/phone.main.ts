import { createInterface } from 'node:readline';
import { environment } from '@platform/runtime';
import { loadLibrary } from './library';
import { Phone } from './phone';
import { phoneCommands, type PhoneCommand } from './phone.commands';
import type { SandboxTrust } from './phone.line';
import type { CustomerPhone, SandboxState } from './sandbox.types';

const HELP = `A customer's phone at the WhatsApp sandbox: an unmodified client of baileys, driven by lines of JSON.

  NUMBER=628123456789 NAME=Budi node -r ./tools/swc-hook.cjs tools/sandboxes/whatsapp/src/phone.main.ts

Settings (environment): NUMBER, with country code; NAME; SANDBOX_URL, http://127.0.0.1:3108 unless given.
Lines in: {"do":"send","to":"628…","text":"halo"}, {"do":"send","to":"628…","file":"a.jpg","kind":"image","mimetype":"image/jpeg"},
{"do":"read"}, {"do":"play"}, {"do":"react","text":"👍"} (each with "id", by default of the last received message),
{"do":"group","name":"Belanja","participants":["628…"]}, {"do":"offline"}, {"do":"online"}.
Lines out: {"event":"ready"}, {"event":"message",…}, {"event":"receipt",…}, {"event":"done",…}, {"event":"failed","message":…}.`;

const tell = (event: string, fields: object = {}): void => {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
};

const call = async <T>(url: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(`${url}${path}`, body && { method: 'POST', body: JSON.stringify(body) });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(`${path} answered: ${answer.error}`);
  return answer;
};

const open = async (url: string, number: string, name: string | undefined): Promise<CustomerPhone> => {
  await call(url, '/accounts', { number, ...(name ? { name } : {}) });
  const { accounts } = await call<SandboxState>(url, '/state');
  const lid = accounts.find((account) => account.number === number)?.lid ?? '';
  const trust = await call<SandboxTrust>(url, '/trust');
  const scan = (qr: string): Promise<unknown> => call(url, '/scan', { qr, number });
  const phone = new Phone(await loadLibrary(), { number, lid, trust, scan });
  phone.on({
    message: ({ content: _, ...message }) => tell('message', message),
    receipt: (receipt) => tell('receipt', receipt),
  });
  await phone.online();
  return phone;
};

const obey = async (phone: CustomerPhone, line: string): Promise<void> => {
  try {
    const command = JSON.parse(line) as PhoneCommand;
    const run = phoneCommands[command.do];
    if (!run) throw new Error(`"do" is one of ${Object.keys(phoneCommands).join(', ')}.`);
    tell('done', { do: command.do, result: await run(phone, command) });
  } catch (error) {
    tell('failed', { message: error instanceof Error ? error.message : String(error) });
  }
};

const main = async (): Promise<void> => {
  if (process.argv.includes('--help')) return console.log(HELP);
  const { NUMBER, NAME, SANDBOX_URL = 'http://127.0.0.1:3108' } = environment;
  if (!NUMBER) throw new Error('NUMBER is required: the number of this phone, with country code. --help says more.');
  const phone = await open(SANDBOX_URL, NUMBER, NAME);
  tell('ready', { number: phone.number, lid: phone.lid });
  for await (const line of createInterface({ input: process.stdin })) await obey(phone, line);
  await phone.stop();
  process.exit(); // timers of the library would keep the process alive for half a minute
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
