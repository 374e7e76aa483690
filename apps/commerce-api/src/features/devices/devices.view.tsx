import type { JSX } from 'preact';
import type { GatewayDevice } from '../../clients/wa.gateway';
import type { Reader } from '../../web/i18n/reader';
import type { Shown } from '../../web/page.types';
import { addressOf } from '../../web/ui/address';
import { Adder, isBack } from '../../web/ui/form';
import { List } from '../../web/ui/list';
import { Away, Chip, Empty, Moment, Section, type Tone } from '../../web/ui/parts';
import { Facts, type Column } from '../../web/ui/table';
import type { Named } from '../agents/agents/public';
import type { Device, DeviceCode, DevicesQuery } from './devices.dto';
import { ChangeForm, EndForms, NewForm } from './devices.forms';
import { deviceTexts } from './devices.texts';
import type { DeviceData, DeviceNowData, DevicesData } from './devices.types';

const TONES: Readonly<Record<string, Tone>> = {
  ...{ connected: 'good', connecting: 'wait', reconnecting: 'wait', created: 'wait', qr: 'wait' },
  ...{ qr_expired: 'bad', logged_out: 'bad', disconnected: 'bad' },
};

const State = ({ status, t }: { readonly status: string; readonly t: Reader }): JSX.Element => {
  const words: Readonly<Record<string, string>> = deviceTexts(t).states;
  return <Chip tone={TONES[status] ?? 'plain'}>{words[status] ?? status}</Chip>;
};

const columnsFor = (t: Reader, teams: readonly Named[]): readonly Column<Device>[] => {
  const say = deviceTexts(t);
  const team = (id: string | null) => teams.find((each) => each.id === id)?.name ?? say.noTeam;
  return [
    { title: say.name, main: true, sort: 'name', cell: ({ id, name }) => <a href={`/devices/${id}`}>{name}</a> },
    { title: say.status, plain: true, cell: ({ status }) => <State status={status} t={t} /> },
    { title: say.number, cell: ({ number }) => number ?? '–' },
    { title: say.team, cell: ({ chat_team_id }) => team(chat_team_id) },
  ];
};

type All = Shown<DevicesData, DevicesQuery>;

/** All of them, as they are: told again when one changes. */
export const DeviceList = ({ data, query, t }: Pick<All, 'data' | 'query' | 't'>): JSX.Element => (
  <List
    {...{ path: '/devices', query, usualSort: 'created_at', caption: t.nav.places.devices, listed: data.listed }}
    columns={columnsFor(t, data.teams)}
    empty={<Empty text={deviceTexts(t).none} />}
  />
);

export const DevicesView = (shown: All): JSX.Element => {
  const { form, data, query, t } = shown;
  return (
    <div class="rows" data-follow="list" data-follow-at={addressOf({ path: '/devices', query }, {})}>
      <Adder title={deviceTexts(t).create} isOpen={isBack(form) || data.listed.total === 0}>
        <NewForm form={form} t={t} teams={data.teams} />
      </Adder>
      <DeviceList {...shown} />
    </div>
  );
};

const Code = ({ code, t }: { readonly code: DeviceCode | undefined; readonly t: Reader }): JSX.Element => {
  const say = deviceTexts(t);
  return (
    <Section title={say.scan}>
      <p>{say.scanSteps}</p>
      {code === undefined ? (
        <p class="alert info">{say.noCode}</p>
      ) : (
        <>
          <img class="qr" src={code.qrcode} alt={say.picture} width={264} height={264} />
          <p class="hint">{say.codeUntil({ at: t.moment(code.expires_at) })}</p>
        </>
      )}
      <div class="row-actions">
        <a class="button" href="">
          {say.reload}
        </a>
      </div>
    </Section>
  );
};

const factsOf = (now: GatewayDevice, t: Reader) => {
  const say = deviceTexts(t);
  const { number, connected_at, last_seen, last_error, restricted_until, queue } = now;
  return [
    ...(number === null ? [] : [[say.number, number] as const]),
    ...(connected_at === null ? [] : [[say.since, <Moment at={connected_at} />] as const]),
    ...(last_seen === null ? [] : [[say.seen, <Moment at={last_seen} />] as const]),
    ...(restricted_until === null ? [] : [[say.restricted, <Moment at={restricted_until} />] as const]),
    ...(last_error === null ? [] : [[say.lastError, last_error] as const]),
    [say.waiting, t.count(queue.outgoing)] as const,
  ];
};

/** How it is now, with the code that links its phone: what the open page is told. */
export const DeviceState = ({ data: { now, code }, t }: { readonly data: DeviceNowData; readonly t: Reader }) => (
  <div id="state" class="rows">
    {now === undefined ? (
      <Away />
    ) : (
      <>
        <p>
          <State status={now.status} t={t} />
        </p>
        {now.status === 'connected' ? null : <Code code={code} t={t} />}
        <div class="panel">
          <Facts facts={factsOf(now, t)} />
        </div>
      </>
    )}
  </div>
);

export const DeviceView = ({ data, form, t }: Shown<DeviceData>): JSX.Element => (
  <div class="rows" data-follow="state" data-follow-at={`/devices/${data.id}`}>
    <div aria-live="polite">
      <DeviceState data={data} t={t} />
    </div>
    <ChangeForm {...{ form, t, data }} />
    <EndForms {...{ form, t, id: data.id }} />
  </div>
);
