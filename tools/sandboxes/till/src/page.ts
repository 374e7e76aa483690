import type { TillPayment } from './till.types';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

const STYLE = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:#f2f4f7;color:#182230;font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:400px;background:#fff;border-radius:16px;box-shadow:0 2px 12px #10182814;overflow:hidden}
header{background:#b54708;color:#fff;padding:12px 20px;font-weight:600}
header small{display:block;font-weight:400}
section{padding:20px}
h1{margin:0;font-size:28px;overflow-wrap:anywhere}
p{margin:4px 0 16px;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:0 0 20px;font-size:14px}
dt{color:#475467}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
form{display:grid;gap:10px}
button,a.button{display:block;width:100%;min-height:48px;padding:12px;border:1px solid #d0d5dd;border-radius:10px;background:#fff;color:#182230;font:inherit;text-align:center;text-decoration:none;cursor:pointer}
button.main,a.button{border-color:#067647;background:#067647;color:#fff;font-weight:600}
button:focus-visible,a:focus-visible{outline:3px solid #2970ff;outline-offset:2px}
@media(prefers-color-scheme:dark){body{background:#0c111d;color:#f5f5f6}main{background:#161b26}button{background:#1f242f;border-color:#475467;color:#f5f5f6}dt{color:#cecfd2}}
`;

const STATES: Readonly<Record<TillPayment['status'], string>> = {
  pending: 'Waiting for your payment',
  paid: 'Paid',
  failed: 'The payment failed',
  expired: 'The payment has expired',
};

const CHOICES = [
  ['pay', 'Pay', 'main'],
  ['fail', 'Fail', ''],
  ['expire', 'Expire', ''],
  ['wrong', 'Pay wrong amount', ''],
] as const;

const choices = `<form method="post">${CHOICES.map(
  ([value, label, look]) => `<button name="action" value="${value}" class="${look}">${label}</button>`,
).join('')}</form>`;

const isWeb = (url: string): boolean => URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);

const back = (url: string | null): string =>
  url !== null && isWeb(url) ? `<a class="button" href="${escaped(url)}">Back to the shop</a>` : '';

const amountText = (amount: number, currency: string): string =>
  new Intl.NumberFormat('id-ID', { style: 'currency', currency, maximumFractionDigits: amount % 1 ? 2 : 0 }).format(
    amount,
  );

const safely = (amount: number, currency: string): string =>
  /^[A-Z]{3}$/.test(currency) ? amountText(amount, currency) : `${currency} ${amount}`;

const document = (provider: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>SANDBOX ${escaped(provider)}</title><style>${STYLE}</style></head>
<body><main><header>SANDBOX ${escaped(provider)}<small>Nothing is charged here.</small></header><section>${content}</section></main></body></html>`;

/** Where the buyer decides what comes of a payment. */
export const payPage = (provider: string, payment: TillPayment): string => {
  const facts = [
    ['Status', STATES[payment.status]],
    ['Invoice', payment.invoice],
    ['Until', `${payment.expiresAt.slice(0, 16).replace('T', ' ')} UTC`],
    ...(payment.paidAmount === null ? [] : [['Paid', safely(payment.paidAmount, payment.currency)]]),
  ].map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`);
  const end = payment.status === 'pending' || payment.status === 'failed' ? choices : back(payment.returnUrl);
  const title = `<h1>${escaped(safely(payment.amount, payment.currency))}</h1><p>${escaped(payment.description)}</p>`;
  return document(provider, `${title}<dl>${facts.join('')}</dl>${end}`);
};

export const missingPage = (provider: string): string =>
  document(provider, '<h1>No such payment</h1><p>The address is not one of this sandbox.</p>');

export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";
