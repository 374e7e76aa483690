// Lints texts as if they were at the named paths, with the workspace's own configuration; nothing is written to disk.
// A separate process, because ESLint loads its configuration by a dynamic import, which jest's sandbox refuses.
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';

export interface Planted {
  file: string;
  code: string;
}

const main = async (): Promise<void> => {
  const planted = JSON.parse(await text(process.stdin)) as Planted[];
  await createProjectGraphAsync(); // the boundary rule reads the cached graph, and reports nothing without one
  const eslint = new ESLint();
  const reports: string[][] = [];
  for (const { file, code } of planted) {
    const results = await eslint.lintText(code, { filePath: file });
    reports.push(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)));
  }
  console.log(JSON.stringify(reports));
};

void main();
