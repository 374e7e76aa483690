import { segment } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { FileStore } from './file.store';
import type { LateFiles } from './late-files.service';

export const fileEndpoints = (files: FileStore, late: Pick<LateFiles, 'expects'>) => [
  endpoint({
    get: '/files/{filename}',
    summary: 'A stored file',
    description:
      'Whole or one range of it. What a browser could run is sent as an attachment. 503 while a file that came with a message is still fetched from WhatsApp.',
    tag: 'files',
    guard: 'linked',
    params: { filename: segment.refusing(refusals.fileNotFound) },
    reply: 'bytes',
    refuses: [refusals.fileNotFound, refusals.filePromised],
    handle: async ({ params, headers }) => {
      const answer = await files.serve(params.filename, headers);
      if (!answer) throw (await late.expects(params.filename)) ? refusals.filePromised() : refusals.fileNotFound();
      return answer;
    },
  }),
];
