import { NEW_ID, succeeds } from '../../../examples';

export const presignExamples = {
  presign: succeeds(
    'a video that is sold',
    {
      ...{ media_id: NEW_ID, method: 'PUT', url: '<url>', headers: { 'Content-Type': 'video/mp4' } },
      expires_at: '2026-03-01T08:15:00.000Z',
    },
    {
      ...{ status: 201, message: 'Upload created' },
      request: { filename: 'kelas-1.mp4', mime: 'video/mp4', bytes: 73_400_320, purpose: 'digital' },
    },
  ),
} as const;
