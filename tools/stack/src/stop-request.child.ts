// A long running command that does nothing: stop-request.spec.ts starts and ends it in every way there is. It keeps what it
// tells in a folder, because its streams may lead nowhere.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteStop, onStopRequest } from './stop-request';

const [folder = '', npm, launcher] = process.argv.slice(2);

process.stdout.on('error', () => undefined);
onStopRequest((reason, code) => {
  noteStop(folder, reason);
  process.stdout.write(`stopped: ${reason}\n`);
  process.exit(code);
});
setInterval(() => {
  process.stdout.write('.');
  appendFileSync(join(folder, 'beats'), '.');
}, 100);
writeFileSync(join(folder, 'ready'), `${npm} ${launcher} ${process.pid} `);
