import { Choice, Text } from '@platform/validation';
import { DocView } from '../agents/public';

export const docKinds = ['faq', 'policy'] as const;
export type DocKind = (typeof docKinds)[number];
export type DocSource = DocView['source'];
export type DocState = DocView['status'];
/** Why a document could not be read (design 2.10). */
export type DocError = 'no_text' | 'unreachable' | 'too_large';

const ID = { max: 64 };

/** A document as it is posted: exactly one of `text`, `url` and the part `file`. */
export class NewDoc {
  @Text({ ...ID, pattern: /^[A-Za-z0-9][A-Za-z0-9._:-]*$/ }) id!: string;
  @Text(ID) agent_id!: string;
  @Choice(docKinds) kind!: DocKind;
  @Text({ max: 120, trim: true }) title!: string;
  @Text({ optional: true, max: 50_000, dropNul: true }) text?: string;
  @Text({ optional: true, max: 2_000, description: 'https; read once, at most 2 MB' }) url?: string;
  @Text({ optional: true, format: 'uuid', description: 'The gap that this document closes' }) gap_id?: string;
}

export class KnowledgeQuery {
  @Text(ID) agent_id!: string;
}

/** One document. */
export class WholeKnowledgeDoc extends DocView {
  @Text({ nullable: true, description: 'Null until it was read, and of what could not be' }) text!: string | null;
}
