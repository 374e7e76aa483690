import type { Commerce } from '../../../commerce.fixture';

export interface Ran {
  readonly out: string;
  readonly error: string;
  /** Of the process: 0 is good. */
  readonly code: number;
}

/** Runs `ops` as somebody at a terminal would. */
export const ranOps = async ({ app }: Commerce, ...args: readonly string[]): Promise<Ran> => {
  const told = { out: '', error: '' };
  const out = jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((told.out += String(text)), true));
  const error = jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((told.error += String(text)), true));
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await app.commands?.ops?.run(args);
    return { ...told, code: Number(process.exitCode) };
  } finally {
    process.exitCode = before;
    out.mockRestore();
    error.mockRestore();
  }
};

/** The same, of which a script reads the answer. */
export const opsData = async <Data>(commerce: Commerce, ...args: readonly string[]): Promise<Data> => {
  const { out, error, code } = await ranOps(commerce, ...args, '--json');
  if (code !== 0) throw new Error(`ops ${args.join(' ')}: ${error}`);
  return JSON.parse(out) as Data;
};
