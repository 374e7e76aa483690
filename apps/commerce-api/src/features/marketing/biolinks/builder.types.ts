import type { Shown } from '../../../web/page.types';
import type { BiolinkStatistics } from './biolinks.dto';
import type { StoredBiolink } from './biolinks.sql';
import type { BlockKind } from './blocks.dto';
import type { BlockChoices } from './choices.sql';

/** A page of links in the making. */
export interface Building {
  readonly page: StoredBiolink;
  /** Where everybody finds it. */
  readonly url: string;
  readonly names: ReadonlyMap<string, string>;
  readonly choices: BlockChoices;
  readonly statistics: BiolinkStatistics;
}
export type One = Shown<Building, { readonly add?: BlockKind; readonly edit?: string }>;
