import { segment } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { FileStore } from './file.store';

export const fileEndpoints = (files: FileStore) => [
  endpoint({
    get: '/files/{filename}',
    summary: 'A stored file',
    description: 'Whole or one range of it. What a browser could run is sent as an attachment.',
    tag: 'files',
    guard: 'perimeter',
    params: { filename: segment.refusing(refusals.fileNotFound) },
    reply: 'bytes',
    refuses: [refusals.fileNotFound],
    handle: async ({ params, headers }) => {
      const answer = await files.serve(params.filename, headers);
      if (!answer) throw refusals.fileNotFound();
      return answer;
    },
  }),
];
