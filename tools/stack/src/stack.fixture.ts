import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { takenPorts } from './free-ports';
import { portsFrom, type Ports } from './ports';
import { workspaceRoot } from './workspace';

/** Below the range of ephemeral ports, which outgoing connections use at any moment. */
const BASES = { from: 10_000, to: 32_400, step: 200 };

/** Unused ports, searched from a random one, so that two runs rarely try the same ones. */
const freePorts = async (): Promise<Ports> => {
  const slots = (BASES.to - BASES.from) / BASES.step;
  const first = Math.floor(Math.random() * slots);
  for (let slot = 0; slot < slots; slot++) {
    const ports = portsFrom(BASES.from + ((first + slot) % slots) * BASES.step);
    if ((await takenPorts(ports, true, true)).length === 0) return ports;
  }
  throw new Error('No free ports for a stack on this machine.');
};

/** A command of the workspace as a person runs it, with its output and its end. */
export interface Command {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  /** Resolves when the output holds the text; rejects with the output when the command ends before. */
  shows(text: string): Promise<void>;
}

/** Folder and ports for one stack. */
export interface StackPlace {
  readonly folder: string;
  readonly ports: Ports;
  /** Without a pooler. */
  run(...command: string[]): Command;
  /** The same with additional settings. */
  runWith(settings: Readonly<Record<string, string>>, ...command: string[]): Command;
  /** A line of the README, in a shell; its ports are this stack's. */
  shell(line: string): Command;
  /** All text of all logs. */
  logs(): string;
  remove(): void;
}

const watch = (child: ChildProcess): Command => {
  let output = '';
  const grown = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const look of grown) look();
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    output: () => output,
    ended,
    shows: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && (grown.delete(look), resolve());
        grown.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without "${text}":\n${output}`)));
      }),
  };
};

export const newStackPlace = async (): Promise<StackPlace> => {
  const ports = await freePorts();
  const folder = mkdtempSync(join(tmpdir(), 'stack-e2e-'));
  const options = {
    cwd: workspaceRoot,
    env: { ...environment, PGBOUNCER: '', DATA_DIR: folder, PORT_BASE: String(ports.base) },
    detached: true, // a process group of its own: a terminal's Ctrl-C goes to the whole group
  };
  const runWith: StackPlace['runWith'] = (settings, ...command) => {
    const env = { ...options.env, ...settings };
    return watch(spawn(process.execPath, ['tools/run.mjs', ...command], { ...options, env }));
  };
  return {
    folder,
    ports,
    run: (...command) => runWith({}, ...command),
    runWith,
    shell: (line) => {
      const here = line.replace(/(127\.0\.0\.1:)3(\d{3})/g, (_, host, port) => `${host}${ports.base + Number(port)}`);
      return watch(spawn('sh', ['-c', here], options));
    },
    logs: () => {
      const directory = join(folder, 'logs');
      return readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), 'utf8'))
        .join('\n');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const LIMIT_MS = 120_000; // for what hangs

/** Polls until it is true. */
export const until = async (what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> => {
  for (const end = Date.now() + LIMIT_MS; !(await isTrue());) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${LIMIT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
