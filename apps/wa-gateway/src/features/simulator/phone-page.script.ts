/** The script of the page at /sim, as a browser runs it: no library, nothing external, every text through textContent. */
export const phonePageScript = String.raw`
'use strict';
const $ = (id) => document.getElementById(id);
const TICKS = { sent: '✓', delivered: '✓✓', viewed: '✓✓', played: '✓✓' };
const WORDS = { sent: 'sent', delivered: 'delivered', viewed: 'read', played: 'played' };
const STATES = { qr: 'waits for its code to be scanned', created: 'new', qr_expired: 'code expired', logged_out: 'logged out' };
const LINKED = ['connected', 'reconnecting'];
const AWAY = 'The gateway does not answer: ';
let shown = '';
let customer = '';

const call = async (path, body) => {
  const options = body === undefined ? {} : body instanceof FormData ? { method: 'POST', body }
    : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await (await fetch(path, options)).json();
  if (!answer.success) throw new Error(answer.message);
  return answer.data;
};
const attempt = (work) => async (event) => {
  event?.preventDefault();
  try { await work(); $('trouble').textContent = ''; } catch (trouble) { $('trouble').textContent = 'That did not work: ' + trouble.message; }
};
const device = () => $('device').value;
const about = () => new URLSearchParams({ nohp: customer, instanceID: device() });
const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

const showDevices = (devices) => {
  const names = devices.map(({ instanceID }) => instanceID);
  const known = [...$('device').options].map(({ value }) => value);
  if (names.join() !== known.join()) {
    const before = device();
    $('device').replaceChildren(...names.map((name) => new Option(name, name)));
    $('device').value = names.includes(before) ? before : (names[0] ?? '');
  }
  const current = devices.find(({ instanceID }) => instanceID === device());
  const status = current ? current.status : 'none yet';
  const linked = LINKED.includes(status);
  const number = linked && current.number ? ' as ' + current.number.split('@')[0] : '';
  $('state').textContent = (STATES[status] ?? status) + number;
  $('linking').hidden = linked || !current;
  $('unlink').hidden = !linked;
  $('write').disabled = !linked;
  if (status !== 'qr') $('qr').hidden = true;
  else if ($('qr').hidden) void showCode();
};
const showCode = async () => {
  const { qrcode } = await call('/api/qrcode?instanceID=' + encodeURIComponent(device()));
  $('qr').src = qrcode;
  $('qr').hidden = false;
};

const fileOf = ({ mine, kind, file }) => {
  if (mine) return element('span', '', '📎 ' + file);
  const address = '/files/' + encodeURIComponent(file);
  if (kind === 'image' || kind === 'sticker') return Object.assign(element('img'), { src: address, alt: kind });
  if (kind === 'audio' || kind === 'voice') return Object.assign(element('audio'), { src: address, controls: true });
  return Object.assign(element('a', '', '📎 ' + kind), { href: address });
};
const bubbleOf = (line) => {
  const bubble = element('div', line.mine ? 'bubble mine' : 'bubble');
  if (line.file) bubble.append(fileOf(line));
  if (line.text) bubble.append(element('span', '', line.text));
  const meta = element('span', 'meta', (line.group ? 'group · ' : '') + new Date(line.timestamp * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) + ' ');
  const ticks = element('span', line.status, TICKS[line.status]);
  ticks.title = WORDS[line.status];
  ticks.setAttribute('aria-label', WORDS[line.status]);
  meta.append(ticks);
  if (!line.mine && (line.kind === 'audio' || line.kind === 'voice') && line.status !== 'played') {
    const play = element('button', '', 'Mark as played');
    play.onclick = attempt(() => call('/sim/play', { id: line.id }));
    bubble.append(play);
  }
  bubble.append(meta);
  return bubble;
};
const showChat = ({ offline, composing, messages }) => {
  $('offline').checked = offline;
  $('typing').textContent = composing ? 'The shop is typing…' : '';
  const now = JSON.stringify(messages);
  if (now === shown) return;
  shown = now;
  const empty = element('p', 'empty', 'Nothing here yet. Write something: it reaches the shop as a customer’s message.');
  $('chat').replaceChildren(...(messages.length > 0 ? messages.map(bubbleOf) : [empty]));
  $('chat').scrollTop = $('chat').scrollHeight;
  const unread = messages.some(({ mine, status }) => !mine && status === 'delivered');
  if (unread && $('reads').checked && !offline) void call('/sim/read', { nohp: customer, instanceID: device() });
};

const refresh = async () => {
  try {
    showDevices((await call('/sim/devices')).devices);
    if (device() && customer) showChat(await call('/sim/chat?' + about()));
    document.body.dataset.ready = 'true';
    if ($('trouble').textContent.startsWith(AWAY)) $('trouble').textContent = '';
  } catch (trouble) { $('trouble').textContent = AWAY + trouble.message; }
  setTimeout(refresh, 700);
};
const savePhone = async () => {
  customer = (await call('/sim/phones', { nohp: $('nohp').value, name: $('name').value })).nohp;
};

$('new').onsubmit = attempt(async () => { await call('/api/new', { instanceID: $('fresh').value || undefined }); $('fresh').value = ''; });
$('linking').onsubmit = attempt(async () => {
  if ($('qr').hidden) await showCode();
  await call('/sim/scan', { instanceID: device(), nohp: $('shop').value });
});
$('unlink').onclick = attempt(() => call('/api/logout?instanceID=' + encodeURIComponent(device())));
$('who').onsubmit = attempt(savePhone);
$('who').onchange = attempt(savePhone);
$('offline').onchange = attempt(() => call('/sim/offline', { nohp: customer, on: $('offline').checked }));
$('compose').onsubmit = attempt(async () => {
  const form = new FormData();
  const [file] = $('file').files;
  form.append('from', customer);
  form.append('to', device());
  if ($('text').value) form.append('text', $('text').value);
  if (file) form.append('file', file, file.name);
  await call('/sim/messages', form);
  $('text').value = '';
  $('file').value = '';
});
attempt(savePhone)().then(refresh);
`;
