import { noToken, refused } from '../../../examples';

export const crmExamples = [
  refused('always', undefined, 410, { message: 'This feature is no longer active', code: 'gone' }),
  noToken(),
];
