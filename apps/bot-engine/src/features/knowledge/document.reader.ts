import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@platform/data';
import { Rejected, TooLarge, UnsupportedMedia } from '@platform/errors';
import { DownloadFailed, safeDownload } from '@platform/http';
import type { JobContext } from '@platform/jobs';
import { Mutex, type Logger } from '@platform/runtime';
import type { Queue, RowOfStore } from '../../jobs';
import { chunksWithin } from './chunks';
import { decodedText, kindOf, tidy } from './document.text';
import type { GapRepository } from './gap.repository';
import type { DocError } from './knowledge.dto';
import type { AgentsOfKnowledge } from './knowledge.ports';
import type { Doc, KnowledgeRepository } from './knowledge.repository';
import { NoText, PDF_LIMITS, readPdf, TooMuch } from './pdf.reader';
import { MOST_CHUNKS, PAGE_PROTOCOLS } from './posted.doc';

const MB = 1024 * 1024;
const DOWNLOAD = { maxBytes: 2 * MB, timeoutMs: 20_000, protocols: PAGE_PROTOCOLS };
/** A host may be away for a moment: tried again after e and e^2 seconds. */
const TRIES = 3;

export interface ReaderParts {
  readonly database: Database;
  readonly docs: KnowledgeRepository;
  readonly gaps: GapRepository;
  readonly agents: AgentsOfKnowledge;
  readonly queue: Queue;
  readonly logger: Logger;
}

export interface ReaderOptions {
  /** Chunks get vectors of it. */
  readonly embeds: boolean;
  /** Hosts that may be private. */
  readonly allow?: readonly string[];
}

type Reading = { readonly text: string; readonly chunks: readonly string[] } | { readonly error: DocError };

/** What a failure says about the document; undefined: nothing, it is to be read again. */
const errorOf = (failure: unknown): DocError | undefined => {
  if (failure instanceof TooLarge || failure instanceof TooMuch) return 'too_large';
  if (failure instanceof NoText || failure instanceof UnsupportedMedia) return 'no_text';
  if (failure instanceof Rejected || failure instanceof DownloadFailed) return 'unreachable';
  return undefined;
};

/** Does `knowledge.read`: takes the text out of a document, cuts it into chunks, and makes it findable or says why not. */
export class DocumentReader {
  /** One document at a time takes the memory that a process has for them. */
  private readonly pdfs = new Mutex();

  constructor(
    private readonly parts: ReaderParts,
    private readonly options: ReaderOptions,
  ) {}

  /** A document that was read, deleted or replaced meanwhile, by whichever process, is left as it is. */
  async read({ storeId, id }: RowOfStore, { attempt, signal }: Pick<JobContext, 'attempt' | 'signal'>): Promise<void> {
    const doc = await this.parts.docs.find(storeId, id);
    if (doc?.status !== 'processing') return;
    let reading: Reading;
    try {
      reading = this.cutUp(await this.textOf(doc, signal));
    } catch (failure) {
      const error = errorOf(failure);
      if (error === undefined || (failure instanceof DownloadFailed && attempt < TRIES)) throw failure;
      reading = { error };
    }
    await this.settle(doc, reading);
  }

  private cutUp(text: string): Reading {
    const chunks = chunksWithin(text, MOST_CHUNKS);
    if (!chunks) return { error: 'too_large' };
    return chunks.length === 0 ? { error: 'no_text' } : { text, chunks };
  }

  private async textOf(doc: Doc, signal: AbortSignal): Promise<string> {
    if (doc.text !== null) return doc.text;
    if (doc.source === 'url') return this.textAt(doc.sourceRef ?? '', signal);
    const content = await this.parts.docs.content(doc.storeId, doc.id);
    return this.textIn(content ?? Buffer.alloc(0), signal);
  }

  private async textIn(bytes: Buffer, signal: AbortSignal): Promise<string> {
    const kind = kindOf(bytes);
    return kind === 'pdf'
      ? tidy(await this.pdfs.run(() => readPdf(bytes, PDF_LIMITS, signal)))
      : decodedText(bytes, kind);
  }

  private async textAt(url: string, signal: AbortSignal): Promise<string> {
    const target = join(tmpdir(), `knowledge-${randomUUID()}`);
    try {
      await safeDownload(url, target, { ...DOWNLOAD, allow: this.options.allow, signal });
      return await this.textIn(await readFile(target), signal);
    } finally {
      await rm(target, { force: true });
    }
  }

  private async settle({ storeId, id, digest }: Doc, reading: Reading): Promise<void> {
    const { database, logger } = this.parts;
    const outcome = await database.tx(async (tx) => {
      const docs = this.parts.docs.in(tx);
      const doc = await docs.lock(storeId, id);
      if (doc?.status !== 'processing' || doc.digest !== digest) return undefined;
      if ('error' in reading) return (await docs.fail(doc, reading.error), reading.error);
      await docs.lockAgent(storeId, doc.agentId);
      const { chunks } = await docs.counts(storeId, doc.agentId);
      if (chunks + reading.chunks.length > MOST_CHUNKS) return (await docs.fail(doc, 'too_large'), 'too_large');
      await docs.succeed(doc, reading.text, reading.chunks);
      if (doc.gapId !== null) await this.parts.gaps.in(tx).set(storeId, doc.gapId, 'answered');
      await this.parts.agents.raise(storeId, doc.agentId, tx);
      if (this.options.embeds) await this.embedLater(tx, storeId, doc.agentId);
      return 'ready';
    });
    if (outcome) logger.info('document read', { store_id: storeId, doc_id: id, outcome });
  }

  private async embedLater(tx: Parameters<Queue['enqueue']>[0], storeId: string, agentId: string): Promise<void> {
    await this.parts.queue.enqueue(tx, 'knowledge.embed', { storeId, agentId }, { key: `embed ${storeId} ${agentId}` });
  }
}
