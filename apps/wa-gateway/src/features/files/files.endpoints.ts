import { NotFound, Unavailable } from '@platform/errors';
import { segment } from '@platform/http';
import { endpoint } from '../../endpoint';
import type { FileStore } from './file.store';
import type { LateFiles } from './late-files.service';

const RETRY_SECONDS = 60;

const missing = () => new NotFound('file not found');
const promised = () => new Unavailable('file not there yet', { code: 'UNAVAILABLE', retryAfterSeconds: RETRY_SECONDS });

export const fileEndpoints = (files: FileStore, late: Pick<LateFiles, 'expects'>) => [
  endpoint({
    get: '/files/{filename}',
    summary: 'A stored file',
    description:
      'Whole or one range of it. What a browser could run is sent as an attachment. 503 while a file that came with a message is still fetched from WhatsApp.',
    tag: 'files',
    guard: 'perimeter',
    params: { filename: segment.refusing(missing) },
    reply: 'bytes',
    handle: async ({ params, headers }) => {
      const answer = await files.serve(params.filename, headers);
      if (!answer) throw (await late.expects(params.filename)) ? promised() : missing();
      return answer;
    },
  }),
];
