import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer, type MeasuredServer } from './server-process';

/** A face taken down to what it sends and reads. */
export interface BareFace {
  readonly url: string;
  readonly schema: string;
  /** The first before the owner is asked, the others after it. */
  readonly statements: readonly string[];
  readonly owner: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export const bareFace = (face: BareFace, folder: string): Promise<MeasuredServer> => {
  const file = join(folder, 'bare-face.json');
  writeFileSync(file, JSON.stringify(face));
  return startServer({
    ...{ script: 'tools/bench/src/bare-face.server.ts', args: ['{port}', file] },
    ...{ readyPath: '/ready', log: join(folder, 'bare-face.log') },
  });
};
