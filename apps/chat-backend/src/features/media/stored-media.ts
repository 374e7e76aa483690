/** A stored file that came with a message. */
export interface StoredMedia {
  readonly name: string;
  readonly mimetype: string;
  readonly filename: string;
  readonly size: number;
}
