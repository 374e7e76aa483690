import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { couldBeFetched, type Upload } from '@platform/http';
import { UnsupportedMedia } from '@platform/errors';
import { chunksWithin } from './chunks';
import { decodedText, kindOf, tidy } from './document.text';
import type { NewDoc } from './knowledge.dto';
import { knowledgeRefusals } from './knowledge.refusals';
import type { NewDocRow } from './knowledge.repository';

/** Of all documents of an agent together: their vectors are compared one by one (design 3.9). */
export const MOST_CHUNKS = 2_000;
export const PAGE_PROTOCOLS: readonly string[] = ['https:'];

type Content = Pick<NewDocRow, 'source' | 'sourceRef' | 'text' | 'content'>;

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const checked = (text: string): string => {
  if (!text) throw knowledgeRefusals.noText();
  if (!chunksWithin(text, MOST_CHUNKS)) throw knowledgeRefusals.tooManyChunks();
  return text;
};

const PAGE_NAME = /\.(md|markdown)$/i;

/** Markdown may begin with an element of HTML, and stays as it is written. */
const ofFile = async ({ path, originalName }: Upload): Promise<Content & { readonly bytes: Buffer }> => {
  const bytes = await readFile(path);
  const named = { source: 'file', sourceRef: originalName } as const;
  const kind = kindOf(bytes);
  if (kind === 'pdf') return { ...named, text: null, content: bytes, bytes };
  if (kind === 'html' && !PAGE_NAME.test(originalName))
    throw new UnsupportedMedia('the file is neither a PDF nor a text');
  return { ...named, text: checked(decodedText(bytes, 'text')), content: null, bytes };
};

/** Of a page. Its name is looked up when it is read: names move. Throws for what can never be read. */
const ofPage = (url: string, allow: readonly string[] | undefined): Content => {
  if (!couldBeFetched(url, { protocols: PAGE_PROTOCOLS, allow })) throw knowledgeRefusals.notPublic();
  return { source: 'url', sourceRef: url, text: null, content: null };
};

/**
 * The row of a document that was posted, as far as it is known before it is read; `allow` are hosts of pages that may be private. Throws
 * for what can never be read.
 */
export const rowOf = async (
  storeId: string,
  doc: NewDoc,
  files: readonly Upload[],
  allow?: readonly string[],
): Promise<NewDocRow> => {
  const { id, agent_id: agentId, kind, title: given, text, url, gap_id: gapId = null } = doc;
  const [file] = files;
  if ([text, url, file].filter((each) => each !== undefined).length !== 1) throw knowledgeRefusals.oneSource();
  const title = tidy(given).replaceAll('\n', ' ');
  const from = file ? await ofFile(file) : undefined;
  const { source, sourceRef, ...held }: Content =
    from ??
    (url === undefined
      ? { source: 'text', sourceRef: null, text: checked(tidy(text ?? '')), content: null }
      : ofPage(url, allow));
  const posted = [agentId, kind, given, source, sourceRef, sha256(from?.bytes ?? text ?? ''), gapId];
  const digest = sha256(JSON.stringify(posted));
  return {
    ...{ storeId, id, agentId, kind, title, source, sourceRef, digest, gapId },
    ...{ text: held.text, content: held.content },
  };
};
