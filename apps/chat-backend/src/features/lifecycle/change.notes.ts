import type { Escalation } from './transition';

/** A file that came with an event. `url` is `media:<name>`; `MediaLinks` turns it into a link. */
export interface Attachment {
  readonly url: string;
  readonly filename: string;
  readonly mimetype: string;
  readonly size: number;
}

/** What is kept of a change beside the change itself. */
export interface ChangeNotes {
  readonly catatan?: string | null;
  readonly lampiran?: readonly Attachment[];
  /** Opens, or asks somebody else. */
  readonly escalation?: Escalation;
  readonly prioritas?: string;
  /** Only while nothing has happened in the chat since this time. */
  readonly quietSince?: Date;
}
