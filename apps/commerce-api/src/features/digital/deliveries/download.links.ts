import { createHmac } from 'node:crypto';
import { linkOf } from '../../../secret-link';

/** A delivery with the issue of its link. */
export interface Issued {
  readonly storeId: string;
  readonly id: string;
  /** Random, and another one each time that its link is replaced. */
  readonly issue: string;
}

/**
 * Links to downloads. A link follows from what is stored and from a secret of the service, so that a message which is sent again after a
 * crash is the same one; neither the tables alone nor the secret alone opens anything (ADR 107).
 */
export class DownloadLinks {
  constructor(
    private readonly parts: {
      readonly secret: string;
      /** Of the shop's pages; empty: links are paths. */
      readonly publicUrl: string;
    },
  ) {}

  tokenOf({ storeId, id, issue }: Issued): string {
    const bits = createHmac('sha256', this.parts.secret)
      .update(`download ${storeId} ${id} ${issue}`)
      .digest('base64url');
    return linkOf(storeId, id, bits);
  }

  /** Its page: a program that only shows what a message links to takes nothing of it. */
  urlOf(issued: Issued): string {
    return `${this.parts.publicUrl}/download/${this.tokenOf(issued)}`;
  }
}
