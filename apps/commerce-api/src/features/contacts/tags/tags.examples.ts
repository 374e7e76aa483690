import { noToken, onlyPage, refused, succeeds } from '../../../examples';

const vip = { id: '0199f7a0-0000-7000-8000-000000000701', name: 'VIP', color: '#ffaa00', contacts: 0 };
const body = { name: 'VIP', color: '#ffaa00' };

export const tagExamples = {
  list: succeeds('one tag', [vip], { meta: onlyPage(1) }),
  create: succeeds('with a colour', vip, { status: 201, message: 'Tag created', request: body }),
  change: succeeds('another name', vip, { message: 'Tag updated', request: body }),
  remove: succeeds('one that contacts have', null, { message: 'Tag deleted' }),
} as const;

export const crmExamples = [
  refused('always', undefined, 410, { message: 'This feature is no longer active', code: 'gone' }),
  noToken(),
];
