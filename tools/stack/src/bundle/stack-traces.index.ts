import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { decode } from '@jridgewell/sourcemap-codec';
import { COUNT_BYTES, RECORD_BYTES } from './stack-traces';

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** A position of every place where another line begins; columns and names are left out. */
const positions = (mappings: string): number[][] =>
  decode(mappings).flatMap((segments, line) => {
    let [source, sourceLine] = [-1, -1];
    return segments.flatMap(([column, ...original]) => {
      const [nextSource = -1, nextLine = -1] = original;
      if (nextSource < 0 || (nextSource === source && nextLine === sourceLine)) return [];
      [source, sourceLine] = [nextSource, nextLine];
      return [[line + 1, column + 1, source, sourceLine + 1]];
    });
  });

/** Writes the index of `stack-traces.ts` from a source map; sources are named from `root`. */
export const writeLineIndex = (map: string, index: string, root: string): void => {
  const { sources, mappings } = JSON.parse(readFileSync(map, 'utf8')) as SourceMap;
  const records = positions(mappings);
  const bytes = Buffer.alloc(COUNT_BYTES + records.length * RECORD_BYTES);
  bytes.writeUInt32LE(records.length, 0);
  records.flat().forEach((value, at) => bytes.writeUInt32LE(value, COUNT_BYTES + at * 4));
  const names = sources.map((source) => relative(root, resolve(dirname(map), source)));
  writeFileSync(index, Buffer.concat([bytes, Buffer.from(JSON.stringify(names))]));
};
