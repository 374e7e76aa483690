// Runs TypeScript as the child of a command of the workspace, as long as somebody wants it. What ends it, and what does not, is
// written down in docs/adr/0039.
import { spawn } from 'node:child_process';
import { clearInterval, setInterval } from 'node:timers';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PARENT_CHECK_MS = 500;

/** npm and Nx wait for what they started and pass signals on to it. */
const waitsForUs = () => Boolean(process.env.npm_lifecycle_event || process.env.NX_TASK_TARGET_PROJECT);

/** Ends with the exit code of the script, 1 when a signal ended it. */
export const runScript = (script, args) => {
  const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', script, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
  process.stderr.on('error', () => undefined); // the terminal may be gone before we are
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));

  // Who closes a terminal ends what runs in it, except what was started with all its streams elsewhere, as `nohup` does.
  const onTerminal = [0, 1, 2].some((stream) => isatty(stream));
  let terminalClosed = false;
  process.on('SIGHUP', () => {
    terminalClosed = true;
    if (onTerminal) child.kill('SIGHUP');
  });

  if (!waitsForUs()) return;
  // One that is killed cannot pass anything on: then nobody waits for us any more. Only the direct parent counts: the shell or
  // script behind it may end as it likes. It also dies when a terminal closes, even under nohup, because Node puts ignored
  // signals back.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent || (terminalClosed && !onTerminal)) return;
    clearInterval(watch);
    console.error(`\nThe process that started this command (${parent}) was killed.`);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MS);
  watch.unref();
};
