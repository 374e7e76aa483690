import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@platform/runtime';
import type { Area } from '../../area';
import type { Config } from '../../config';
import type { Transcribe } from '../model/public';
import { FileHearing } from './hearing.service';
import type { Hearing } from './hearing.types';
import { OwnFiles } from './own.file';
import { ownMedia } from './own.media';

export interface HearingRoom {
  readonly area: Area;
  readonly hearing: Hearing;
}

export const composeHearing = (
  config: Pick<Config, 'CHAT_URL' | 'MEDIA_URL_ALLOW'>,
  { transcribe, logger }: { readonly transcribe: Transcribe | undefined; readonly logger: Logger },
): HearingRoom => {
  const files = new OwnFiles({ directory: join(tmpdir(), 'bot-engine-hearing'), allow: ownMedia(config) });
  return { area: { components: [files] }, hearing: new FileHearing({ files, transcribe, logger }) };
};
